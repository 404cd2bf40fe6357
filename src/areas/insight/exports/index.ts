export { sweepExports } from './sweep.ts'
