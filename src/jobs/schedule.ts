import { checkQuotas } from '../areas/admin/quotas/index.ts'
import { deleteTenants } from '../areas/admin/tenant-deletion/index.ts'
import { evaluateOnSchedule } from '../areas/alarms/evaluation/index.ts'
import { wakeIncidents } from '../areas/alarms/incidents/index.ts'
import { clearNotifications } from '../areas/alarms/notifications/index.ts'
import {
  clearChargerRecords,
  clearFiles,
  expireReservations,
  storeUnassignedReadings,
} from '../areas/charging/index.ts'
import { replayOnSchedule, trimAllDeadLetters } from '../areas/equipment/gateway-link/index.ts'
import { sweepExports } from '../areas/insight/exports/index.ts'
import { type Compressor, makeCompressor } from '../areas/metering/history/index.ts'
import { clearTickets } from '../areas/metering/live/index.ts'
import { rollUpMarkedDevices, rollUpSettledHours } from '../areas/metering/rollup/index.ts'
import { clearOrphanedSamples, sealOldMonths } from '../areas/metering/storage/index.ts'
import { type MarketPulls, makeMarketPulls } from '../areas/netting/market/index.ts'
import { sweepFirmware } from '../areas/updates/firmware/index.ts'
import { watchUpdates } from '../areas/updates/ota/index.ts'
import { FIRMWARE_PART_OLD_MS } from '../kernel/limits.ts'
import { DAY_MS, HOUR_MS } from '../kernel/time.ts'
import type { Job } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { alarmDeps } from './alarms.ts'
import { nettingJobs } from './netting-schedule.ts'
import { makePartitionsAhead } from './partitions-ahead.ts'

const MINUTE_MS = 60_000

/**
 * The queue of market prices: the pulls share their login tickets, and only one of them stores prices at a
 * time.
 */
const MARKET = 'market'

/** The timetable of all scheduled jobs. The cron expressions are in UTC; the comments state Turkish time. */
export const schedule = (deps: Deps, market: MarketPulls = makeMarketPulls(deps)): readonly Job[] => [
  ...meteringJobs(deps),
  ...nettingJobs(deps),
  ...storageJobs(deps, makeCompressor(deps)),
  ...fieldJobs(deps),
  ...marketJobs(market),
]

/** Samples, roll-ups and alarms. */
const meteringJobs = (deps: Deps): readonly Job[] => [
  {
    name: 'roll-up-late-samples',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, { signal }) => rollUpMarkedDevices(deps, signal),
  },
  {
    name: 'evaluate-alarms',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, circumstances) => evaluateOnSchedule(alarmDeps(deps), circumstances),
  },
  {
    name: 'wake-snoozed-incidents',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, { signal }) => wakeIncidents(deps, signal),
  },
  {
    name: 'replay-dead-letters',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, circumstances) => replayOnSchedule(deps, circumstances),
  },
  {
    name: 'check-quotas',
    cron: '*/5 * * * *', // every five minutes
    everyMs: 5 * MINUTE_MS,
    attempts: 1,
    run: (_slot, { signal }) => checkQuotas(deps, { signal }),
  },
  {
    name: 'roll-up-hours',
    cron: '10 * * * *', // at minute 10, the hour before
    everyMs: HOUR_MS,
    attempts: 5,
    run: (slot, { signal }) => rollUpSettledHours(deps, slot, signal),
  },
]

/** Maintenance of the storage. */
const storageJobs = (deps: Deps, compress: Compressor): readonly Job[] => [
  {
    name: 'make-partitions-ahead',
    cron: '0 0 * * *', // 03:00
    everyMs: DAY_MS,
    attempts: 5,
    run: (slot) => makePartitionsAhead(deps.database, slot),
  },
  {
    name: 'delete-tenants',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, circumstances) => deleteTenants(deps, circumstances),
  },
  {
    name: 'seal-old-months',
    cron: '20 1 * * *', // 04:20
    everyMs: DAY_MS,
    attempts: 5,
    run: (slot, { signal }) => sealOldMonths(deps, slot, signal),
  },
  {
    name: 'compress-samples',
    cron: '*/10 * * * *', // every ten minutes
    everyMs: 10 * MINUTE_MS,
    attempts: 1,
    run: (slot, { signal }) => compress(slot, signal),
  },
  {
    name: 'clear-notifications',
    cron: '40 1 * * *', // 04:40
    everyMs: DAY_MS,
    attempts: 5,
    run: () => clearNotifications(deps),
  },
  {
    name: 'clear-charger-records',
    cron: '45 1 * * *', // 04:45
    everyMs: DAY_MS,
    attempts: 5,
    run: () => clearChargerRecords(deps),
  },
  {
    name: 'trim-dead-letters',
    cron: '50 1 * * *', // 04:50
    everyMs: DAY_MS,
    attempts: 5,
    run: async () => void (await trimAllDeadLetters(deps)),
  },
  {
    name: 'clear-orphaned-samples',
    cron: '55 * * * *', // at minute 55
    everyMs: HOUR_MS,
    attempts: 1,
    run: (_slot, { signal }) => clearOrphanedSamples(deps, signal),
  },
  {
    name: 'clear-live-tickets',
    cron: '30 * * * *', // at minute 30
    everyMs: HOUR_MS,
    attempts: 1,
    run: () => clearTickets(deps),
  },
  {
    name: 'clear-exports',
    cron: '25 * * * *', // at minute 25
    everyMs: HOUR_MS,
    attempts: 1,
    run: () => sweepExports(deps),
  },
  {
    name: 'clear-firmware',
    cron: '35 * * * *', // at minute 35
    everyMs: HOUR_MS,
    attempts: 1,
    run: () => sweepFirmware(deps, deps.clock.now() - FIRMWARE_PART_OLD_MS),
  },
]

/** Charging stations and updates over the air. */
const fieldJobs = (deps: Deps): readonly Job[] => [
  {
    name: 'expire-reservations',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: () => expireReservations(deps),
  },
  {
    name: 'clear-charger-files',
    cron: '45 * * * *', // at minute 45
    everyMs: HOUR_MS,
    attempts: 1,
    run: () => clearFiles(deps),
  },
  {
    name: 'store-left-readings',
    cron: '40 * * * *', // at minute 40
    everyMs: HOUR_MS,
    attempts: 1,
    run: (slot) => storeUnassignedReadings(deps, slot),
  },
  {
    name: 'watch-ota-updates',
    cron: '* * * * *', // every minute
    everyMs: MINUTE_MS,
    attempts: 1,
    run: (_slot, { signal }) => watchUpdates(deps, signal),
  },
]

const marketJobs = (market: MarketPulls): readonly Job[] => [
  {
    name: 'pull-tentative-prices',
    cron: '35 10 * * *', // 13:35
    everyMs: DAY_MS,
    attempts: 5,
    queue: MARKET,
    run: (slot, circumstances) => market.tentative(slot, circumstances),
  },
  {
    name: 'pull-final-prices',
    cron: '5 11-14 * * *', // 14:05, and at 15:05, 16:05 and 17:05 what was not published then
    everyMs: DAY_MS,
    attempts: 5,
    queue: MARKET,
    run: (slot, circumstances) => market.final(slot, circumstances),
  },
  {
    name: 'backfill-prices',
    cron: '15 23 * * *', // 02:15
    everyMs: DAY_MS,
    attempts: 5,
    queue: MARKET,
    run: (slot, circumstances) => market.backfill(slot, circumstances),
  },
]
