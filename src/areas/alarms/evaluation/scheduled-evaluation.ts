import {
  evaluateSilence,
  firstCheckpoint,
  initialState,
  LATE_EVALUATION_MS,
} from '../../../core/alarms/evaluate.ts'
import { inTenantTx, systemDb, type TenantTx } from '../../../platform/db/tenant.ts'
import { markDevices } from '../../metering/sample-watch/index.ts'
import { type ChangedIncidents, lockAlarms, openDeviceIncidents, publishChanges } from '../incidents/index.ts'
import { readMaintenance } from '../maintenance/index.ts'
import { readScope, ruleOf } from '../policies/index.ts'
import type { EvaluationDeps } from './evaluate-marked.ts'
import { evaluateTenant, waitForQuietIngest } from './evaluate-tenant.ts'
import {
  ALARM_DEVICES_AT_ONCE,
  ALARM_NEW_POLICY_REMARK_MS,
  ALARM_OUTAGE_MS,
  ALARM_ROUNDS_MAX,
} from './limits.ts'
import { masksOf, openingOf } from './pair-evaluation.ts'
import * as store from './store.ts'
import { closeOutOfScope, markedTenants, newPolicies, watchedTenants } from './watch-store.ts'

export interface ScheduledRun {
  /** The last minute that was done; undefined when there is none. */
  readonly after: number | undefined
  readonly signal: AbortSignal
}

/**
 * What alarms need a clock for: judges whatever a process left behind, then opens an incident for each device that has
 * been silent for too long. After a time in which nobody looked, silence counts anew: it may have been our own.
 */
export async function evaluateOnSchedule(
  deps: EvaluationDeps,
  { after, signal }: ScheduledRun,
): Promise<void> {
  const system = systemDb(deps.database.kysely)
  const now = deps.clock.now()
  await remarkNewPolicies(deps, now)
  const marked = await markedTenants(system)
  if (marked.length > 0) await waitForQuietIngest(deps, signal)
  await evaluateMarkedTenants(deps, marked, signal)
  const hadOutage = after === undefined || now - after > ALARM_OUTAGE_MS
  for (const tenantId of await watchedTenants(system)) {
    if (hadOutage) await inTenantTx(deps.database.kysely, tenantId, (tx) => resetAllSilence(tx, now))
    signal.throwIfAborted()
    await closeLeftScopes(deps, tenantId)
    await evaluateSilentTenant(deps, tenantId, signal)
  }
}

/** Round by round, so that a tenant with many does not hold up the others. */
async function evaluateMarkedTenants(deps: EvaluationDeps, marked: readonly number[], signal: AbortSignal) {
  const startedAt = performance.now()
  const remaining = new Set(marked)
  for (let round = 0; remaining.size > 0 && round < ALARM_ROUNDS_MAX; round++) {
    for (const tenantId of [...remaining]) {
      signal.throwIfAborted()
      if (!(await evaluateTenant(deps, tenantId, { signal, startedAt }))) remaining.delete(tenantId)
    }
  }
}

/** Devices that were moved to another subregion or gateway are no longer watched by the policies of the old one. */
async function closeLeftScopes(deps: EvaluationDeps, tenantId: number): Promise<void> {
  const closing = { reason: 'the device is no longer where the policy watches', at: deps.clock.now() }
  const closed = await inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    await lockAlarms(tx)
    return closeOutOfScope(tx, closing)
  })
  publishChanges(deps, tenantId, { opened: [], closed })
}

async function resetAllSilence(tx: TenantTx, now: number): Promise<void> {
  await lockAlarms(tx)
  await store.resetSilence(tx, { now, deviceKeys: 'all' })
}

/** Samples that were being stored while a policy came into being may have no mark. */
async function remarkNewPolicies({ database }: EvaluationDeps, now: number): Promise<void> {
  const recent = { from: now - ALARM_NEW_POLICY_REMARK_MS, to: now }
  for (const { tenantId, id, watchedFrom } of await newPolicies(systemDb(database.kysely), recent)) {
    let after = 0
    for (;;) {
      const page = { after, limit: ALARM_DEVICES_AT_ONCE }
      const keys = await inTenantTx(database.kysely, tenantId, async (tx) => {
        const found = await readScope(tx, id, { ...page, now })
        await markDevices(
          tx,
          found.map((deviceKey) => ({ deviceKey, from: watchedFrom })),
        )
        return found
      })
      const last = keys.at(-1)
      if (last === undefined || keys.length < ALARM_DEVICES_AT_ONCE) break
      after = last
    }
  }
}

/** Opens what has been silent for too long by now, portion by portion. */
async function evaluateSilentTenant(
  deps: EvaluationDeps,
  tenantId: number,
  signal: AbortSignal,
): Promise<void> {
  const { kysely } = deps.database
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const page = { after, limit: ALARM_DEVICES_AT_ONCE }
    const changed: ChangedIncidents = { opened: [], closed: [] }
    const last = await inTenantTx(kysely, tenantId, async (tx) => {
      await lockAlarms(tx)
      await openSilentPairs(deps, tx, { ...page, changed })
      return store.lastDeviceKey(tx, page)
    })
    publishChanges(deps, tenantId, changed)
    if (last === undefined) return
    after = last
  }
}

async function openSilentPairs(
  { clock, suppressor }: EvaluationDeps,
  tx: TenantTx,
  {
    after,
    limit,
    changed,
  }: { readonly after: number; readonly limit: number; readonly changed: ChangedIncidents },
): Promise<void> {
  const now = clock.now()
  const pairs = await store.readSilentPairs(tx, { now, after, limit })
  if (pairs.length === 0) return
  const known = pairs.filter(({ state }) => state !== null)
  const unknown = pairs.filter(({ state }) => state === null)
  await store.savePairStates(
    tx,
    unknown.map(({ policyId, deviceKey }) => ({
      policyId,
      deviceKey,
      state: initialState(now),
      checkpoints: [firstCheckpoint(now)],
      heardAt: now,
    })),
  )
  const ids = [...new Set(known.map(({ deviceId }) => deviceId))]
  const suppressed = (ids.length > 0 && (await suppressor?.(tx, ids))) || new Set<string>()
  const suppressedPairs = known.filter(({ deviceId }) => suppressed.has(deviceId))
  const deviceKeys = suppressedPairs.map(({ deviceKey }) => deviceKey)
  await store.resetSilence(tx, { now, deviceKeys })
  const maintenance = await readMaintenance(tx, now - LATE_EVALUATION_MS)
  const opened = known
    .filter(({ deviceId }) => !suppressed.has(deviceId))
    .flatMap((pair) => {
      const rule = ruleOf(pair, pair)
      const before = pair.state ?? initialState(now)
      const state = evaluateSilence(rule, masksOf(pair, rule, maintenance), { state: before, now })
      return state?.open ? [{ pair, rule, state, violation: { ...state.open, to: null } }] : []
    })
  await store.savePairStates(
    tx,
    opened.map(({ pair: { policyId, deviceKey, checkpoints }, state }) => ({
      policyId,
      deviceKey,
      state,
      checkpoints: checkpoints ?? [],
      heardAt: undefined,
    })),
  )
  const openings = opened.map(({ pair, rule, violation }) => openingOf(pair, rule, violation))
  changed.opened.push(...(await openDeviceIncidents(tx, openings, now)))
}
