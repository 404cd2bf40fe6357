export { computeOptimisations } from './runner.ts'
