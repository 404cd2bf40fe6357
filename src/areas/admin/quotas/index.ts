export { checkQuotas } from './check.ts'
