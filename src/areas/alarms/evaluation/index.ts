export type { EvaluationDeps } from './evaluate-marked.ts'
export { type LiveEvaluation, startLiveEvaluation } from './live-evaluation.ts'
export { policyPreviewRoutes } from './preview-routes.ts'
export { evaluateOnSchedule } from './scheduled-evaluation.ts'
