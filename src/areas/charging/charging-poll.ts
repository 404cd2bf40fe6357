import { systemDb } from '../../platform/db/tenant.ts'
import { type PollResult, startDuePoll } from '../../platform/jobs/due-poll.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { openCommandQueue } from './command-effects.ts'
import type { ChargerKey } from './commands/index.ts'
import { CHARGING_WORK, listDueWork } from './due-work-store.ts'
import { balanceDueGroups } from './groups/index.ts'
import { CHARGING_POLL_MS } from './limits.ts'

type PollDeps = Pick<Deps, 'bus' | 'clock' | 'config' | 'database' | 'log' | 'nodeReads'>

interface PollOptions {
  readonly pollEveryMs?: number
  /** Receives the chargers with commands that wait to be sent, perhaps by another process. */
  readonly onWaiting?: (chargers: readonly ChargerKey[]) => void
}

export interface ChargingPoll {
  /** Does now what is due; resolves when it is done. */
  poll(): Promise<void>
  stop(): Promise<void>
}

/**
 * Does the work of charging that is due in all tenants, in each process with the role ocpp: ends overdue commands,
 * reports waiting ones, and balances the power of groups. What makes work due does so in its own transaction, so that
 * nothing is lost with a process; the row locks of commands and groups exclude other processes. One statement asks all
 * tenants every `pollEveryMs`, less often on a distributed database (due-poll.ts); those with work are handled one by
 * one.
 */
export function startChargingPoll(deps: PollDeps, options: PollOptions = {}): ChargingPoll {
  const { pollEveryMs = CHARGING_POLL_MS, onWaiting = () => {} } = options
  const { database, clock, log } = deps
  const queue = openCommandQueue(deps)
  let isStopped = false
  let polling: Promise<PollResult | undefined> | undefined

  async function run(aheadMs: number): Promise<PollResult> {
    const due = await listDueWork(systemDb(database.kysely), new Date(clock.now()), aheadMs)
    onWaiting(due.waiting)
    const ended = queue.endOverdue(due.overdue).catch((error: Error) => {
      log.warn({ reason: error.message }, 'overdue commands of stations could not be ended')
    })
    await balanceDueGroups(deps, due.groups, () => isStopped)
    await ended
    const { waiting, overdue, groups, nextDueAt } = due
    return { hasWork: waiting.length + overdue.length + groups.length > 0, nextDueAt }
  }

  function poll(aheadMs = 0): Promise<PollResult | undefined> {
    polling ??= run(aheadMs)
      .catch((error: Error) => {
        log.warn({ reason: error.message }, 'polling for the work of charging failed')
        return undefined
      })
      .finally(() => {
        polling = undefined
      })
    return polling
  }

  const { kind } = CHARGING_WORK
  const duePoll = startDuePoll({ deps, kind, intervalMs: pollEveryMs, poll })
  return {
    async poll() {
      await poll()
    },
    async stop() {
      isStopped = true
      await duePoll.stop()
      await polling
    },
  }
}
