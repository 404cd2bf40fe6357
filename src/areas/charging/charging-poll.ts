import { systemDb } from '../../platform/db/tenant.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { openCommandQueue } from './command-effects.ts'
import type { ChargerKey } from './commands/index.ts'
import { listDueWork } from './due-work-store.ts'
import { balanceDueGroups } from './groups/index.ts'
import { CHARGING_POLL_MS } from './limits.ts'

type PollDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'log' | 'bus'>

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
 * nothing is lost with a process; the row locks of commands and groups exclude other processes. Every `pollEveryMs` one
 * statement asks all tenants, and those with work are handled one by one.
 */
export function startChargingPoll(deps: PollDeps, options: PollOptions = {}): ChargingPoll {
  const { pollEveryMs = CHARGING_POLL_MS, onWaiting = () => {} } = options
  const { database, clock, log } = deps
  const queue = openCommandQueue(deps)
  let isStopped = false
  let polling: Promise<void> | undefined

  async function run(): Promise<void> {
    const due = await listDueWork(systemDb(database.kysely), new Date(clock.now()))
    onWaiting(due.waiting)
    const ended = queue.endOverdue(due.overdue).catch((error: Error) => {
      log.warn({ reason: error.message }, 'overdue commands of stations could not be ended')
    })
    await balanceDueGroups(deps, due.groups, () => isStopped)
    await ended
  }

  function poll(): Promise<void> {
    polling ??= run()
      .catch((error: Error) => log.warn({ reason: error.message }, 'polling for the work of charging failed'))
      .finally(() => {
        polling = undefined
      })
    return polling
  }

  const timer = setInterval(() => void poll(), pollEveryMs)
  return {
    poll,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await polling
    },
  }
}
