export { listMaxPower, readMaxPower } from './store.ts'
