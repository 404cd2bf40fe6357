export { computeScenarios } from './runner.ts'
