export { cellProblem } from './cell-problem.ts'
export {
  type Attempt,
  type Computation,
  type ComputationDeps,
  type ComputationKind,
  type ComputationRun,
  computeWaiting,
} from './computations.ts'
export {
  dateOf,
  decodeFields,
  EligibilityStatus,
  epochMsOf,
  isoInstantOf,
  Origin,
  optional,
} from './fields.ts'
export { HourReader, hourOfText, LABELS, type Label } from './hour-labels.ts'
export { MAIN_ROLES, MEASUREMENT_ROLES } from './measurement-roles.ts'
export { COLUMN_TEXTS, NETTING_ERRORS } from './messages.ts'
export { REQUESTED_JOBS } from './requested-jobs.ts'
export { readSolarShape } from './solar-shape.ts'
export { ColumnsFault, refusingUnreadable } from './uploaded-table.ts'
export { type WorkMessage, workInThread } from './work-thread.ts'
export { type Actor, routeContext, type WriteContext } from './write-context.ts'
