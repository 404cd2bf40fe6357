export { computeSizings } from './runner.ts'
