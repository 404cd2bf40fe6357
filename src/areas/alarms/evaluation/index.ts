export type { EvaluationDeps } from './evaluate-marked.ts'
export { type LiveEvaluation, startLiveEvaluation } from './live-evaluation.ts'
export { evaluateOnSchedule } from './scheduled-evaluation.ts'
