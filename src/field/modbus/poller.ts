import { randomUUID } from 'node:crypto'
import {
  claimGateways,
  POLLER_LOCK_CLASS,
  readPollTargets,
  releaseGateways,
  writePollReports,
} from '../../areas/equipment/gateways/index.ts'
import { type HeldLock, holdLock } from '../../platform/db/held-lock.ts'
import { systemDb } from '../../platform/db/tenant.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { MODBUS_GATEWAYS_MAX, MODBUS_HEARTBEAT_MS, MODBUS_LEASE_MS, MODBUS_RELOAD_MS } from './limits.ts'
import { makeLineConfigs } from './line-configs.ts'
import { LineRegistry, type LineRegistryDeps } from './line-registry.ts'

export interface PollerOptions {
  readonly beatMs?: number
  readonly leaseMs?: number
  readonly reloadMs?: number
}

export interface Poller {
  /** Stops polling, stores what was read, and releases the gateways. */
  stop(): Promise<void>
}

type PollerDeps = LineRegistryDeps & Pick<Deps, 'bus' | 'database'>

/**
 * Polls Modbus gateways. Of several processes each gateway belongs to one, by a lease in the database that
 * is renewed with every heartbeat. The poller also holds a session-level advisory lock: when a process dies
 * its lock is gone, and the others take its gateways over at their next heartbeat instead of waiting for
 * the lease to expire.
 */
export function startPoller(deps: PollerDeps, options: PollerOptions = {}): Poller {
  const { beatMs = MODBUS_HEARTBEAT_MS, leaseMs = MODBUS_LEASE_MS, reloadMs = MODBUS_RELOAD_MS } = options
  const db = systemDb(deps.database.kysely)
  const holder = randomUUID()
  const lineConfigs = makeLineConfigs()
  const lines = new LineRegistry(deps)
  let lifeLock: HeldLock | undefined
  let isStopped = false
  /** Gateways, devices or templates may have changed: the next heartbeat reloads them. */
  let isReloadNeeded = true
  let loadedAt = 0
  let renewedAt = performance.now()
  let wake = () => {}

  async function beat(): Promise<void> {
    lifeLock ??= await holdLock(deps.database, { lockClass: POLLER_LOCK_CLASS, id: holder }, () => {
      lifeLock = undefined
    })
    const owned = await claimGateways(db, { holder, ttlMs: leaseMs, most: MODBUS_GATEWAYS_MAX })
    renewedAt = performance.now()
    await lines.retainOnly(owned)
    if (isReloadNeeded || lines.hasMissing(owned) || renewedAt - loadedAt >= reloadMs) {
      isReloadNeeded = false
      loadedAt = renewedAt
      lines.apply(await lineConfigs.build(db, await readPollTargets(db, holder)))
    }
    const reports = lines.report()
    if (reports.length > 0) await writePollReports(db, { holder, reports, at: deps.clock.now() })
  }

  /** Runs a heartbeat and returns the time until the next one, milliseconds. */
  async function tryBeat(): Promise<number> {
    try {
      await beat()
      return isReloadNeeded ? 0 : beatMs
    } catch (error) {
      deps.log.warn({ reason: (error as Error).message }, 'the Modbus poller could not renew its leases')
      isReloadNeeded = true
      // The leases have expired: another process may have taken over.
      if (performance.now() - renewedAt > leaseMs) await lines.retainOnly([])
      return beatMs
    }
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const waitMs = await tryBeat()
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
    isReloadNeeded = true
    wake()
  })
  const running = run()

  return {
    async stop() {
      isStopped = true
      unsubscribe()
      wake()
      await running
      await lines.retainOnly([])
      await releaseGateways(db, holder).catch(() => {})
      lifeLock?.release()
    },
  }
}
