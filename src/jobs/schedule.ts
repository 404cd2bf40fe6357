import { DAY_MS, HOUR_MS } from '../kernel/time.ts'
import { rollMarked, rollSettledHours } from '../modules/measurements/index.ts'
import { sealOldMonths } from '../modules/storage/index.ts'
import type { Deps } from '../platform/deps.ts'
import type { Job } from '../platform/jobs.ts'
import { makePartitionsAhead } from './partitions-ahead.ts'

const MINUTE_MS = 60_000

/** Everything that happens by itself, and when. The cron is UTC; the comment says it in Turkish time. */
export const schedule = (deps: Deps): readonly Job[] => [
  {
    name: 'roll-up-late-samples',
    cron: '* * * * *', // every minute
    makeUpMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, signal) => rollMarked(deps, signal),
  },
  {
    name: 'roll-up-hours',
    cron: '10 * * * *', // at minute 10, the hour before
    makeUpMs: HOUR_MS,
    attempts: 5,
    run: (slot, signal) => rollSettledHours(deps, slot, signal),
  },
  {
    name: 'make-partitions-ahead',
    cron: '0 0 * * *', // 03:00
    makeUpMs: DAY_MS,
    attempts: 5,
    run: (slot) => makePartitionsAhead(deps.database, slot),
  },
  {
    name: 'seal-old-months',
    cron: '20 1 * * *', // 04:20
    makeUpMs: DAY_MS,
    attempts: 5,
    run: (slot, signal) => sealOldMonths(deps, slot, signal),
  },
]
