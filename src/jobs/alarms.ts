import type { EvaluationDeps } from '../areas/alarms/evaluation/index.ts'
import { lockedOutDevices } from '../areas/safety/loto/index.ts'
import type { Deps } from '../platform/runtime/deps.ts'

/** The dependencies of alarm evaluation. A device that is locked out is expected to be silent. */
export const alarmDeps = ({ database, clock, bus, log, ingest }: Deps): EvaluationDeps => ({
  database,
  clock,
  bus,
  log,
  ingest,
  suppressor: lockedOutDevices,
})
