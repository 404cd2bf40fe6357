export type { EvaluationDeps } from './evaluate-marked.ts'
export { type Evaluator, startEvaluator } from './live-evaluation.ts'
export { policyPreviewRoutes } from './preview-routes.ts'
export { judgeByTheClock } from './scheduled-evaluation.ts'
