import { randomUUID } from 'node:crypto'
import {
  claimGateways,
  giveBackGateways,
  POLLER_LOCK_CLASS,
  readPollTargets,
  writePollReports,
} from '../../areas/equipment/gateways/index.ts'
import { type HeldLock, holdLock } from '../../platform/db/held-lock.ts'
import { systemDb } from '../../platform/db/tenant.ts'
import type { Deps } from '../../platform/deps.ts'
import { MODBUS_BEAT_MS, MODBUS_GATEWAYS_MAX, MODBUS_LEASE_MS, MODBUS_RELOAD_MS } from './limits.ts'
import { Lines, type LinesDeps } from './lines.ts'
import { makeTargets } from './targets.ts'

export interface PollerOptions {
  readonly beatMs?: number
  readonly leaseMs?: number
  readonly reloadMs?: number
}

export interface Poller {
  /** Ends polling, stores what was read, and leaves the gateways to others. */
  stop(): Promise<void>
}

type PollerDeps = LinesDeps & Pick<Deps, 'bus' | 'database'>

/**
 * Polls Modbus gateways. Of several processes each gateway belongs to one, by a lease in the database; the gateways of
 * one that died are taken over at the next beat, because the lock that showed its life is gone.
 */
export function startPoller(deps: PollerDeps, options: PollerOptions = {}): Poller {
  const { beatMs = MODBUS_BEAT_MS, leaseMs = MODBUS_LEASE_MS, reloadMs = MODBUS_RELOAD_MS } = options
  const db = systemDb(deps.database.kysely)
  const holder = randomUUID()
  const targets = makeTargets()
  const lines = new Lines(deps)
  let held: HeldLock | undefined
  let isStopped = false
  /** Something has changed, and the next beat is to look what. */
  let isDirty = true
  let loadedAt = 0
  let shownAt = performance.now()
  let wake = () => {}

  async function beat(): Promise<void> {
    held ??= await holdLock(deps.database, { lockClass: POLLER_LOCK_CLASS, id: holder }, () => {
      held = undefined
    })
    const mine = await claimGateways(db, { holder, ttlMs: leaseMs, most: MODBUS_GATEWAYS_MAX })
    shownAt = performance.now()
    await lines.keepOnly(mine)
    if (isDirty || lines.lacks(mine) || shownAt - loadedAt >= reloadMs) {
      isDirty = false
      loadedAt = shownAt
      lines.take(await targets.orders(db, await readPollTargets(db, holder)))
    }
    const reports = lines.report()
    if (reports.length > 0) await writePollReports(db, { holder, reports, at: deps.clock.now() })
  }

  /** How long to wait for the next beat, milliseconds. */
  async function beatOrWarn(): Promise<number> {
    try {
      await beat()
      return isDirty ? 0 : beatMs
    } catch (error) {
      deps.log.warn({ reason: (error as Error).message }, 'the Modbus poller could not show itself')
      isDirty = true
      // By now somebody else may have taken over.
      if (performance.now() - shownAt > leaseMs) await lines.keepOnly([])
      return beatMs
    }
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const waitMs = await beatOrWarn()
      if (isStopped) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  const unsubscribe = deps.bus.on('gateways_changed', () => {
    isDirty = true
    wake()
  })
  const running = run()

  return {
    async stop() {
      isStopped = true
      unsubscribe()
      wake()
      await running
      await lines.keepOnly([])
      await giveBackGateways(db, holder).catch(() => {})
      held?.release()
    },
  }
}
