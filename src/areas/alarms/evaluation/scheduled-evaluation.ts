import {
  evaluateSilence,
  firstCheckpoint,
  initialState,
  LATE_EVALUATION_MS,
} from '../../../core/alarms/evaluate.ts'
import { inTenantTx, systemDb, type TenantTx } from '../../../platform/db/tenant.ts'
import { addWatchMarks } from '../../metering/sample-watch/index.ts'
import {
  type ChangedIncidents,
  END_REASONS,
  lockAlarms,
  openDeviceIncidents,
  publishChanges,
} from '../incidents/index.ts'
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
  /** Instant of the last run; undefined before the first. */
  readonly after: number | undefined
  readonly signal: AbortSignal
}

/**
 * The minutely job of alarms: evaluates marks that a process left behind, then opens incidents for devices
 * that have been silent for too long. After a gap between two runs, silence restarts at the present, because
 * the gap may have been an outage of the service.
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

/** Processes the tenants in rounds, so that one with many marks does not delay the others. */
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

/** Closes incidents of devices that have moved out of the subregion of their policy. */
async function closeLeftScopes(deps: EvaluationDeps, tenantId: number): Promise<void> {
  const closing = { reason: END_REASONS.INCIDENT_END_OUT_OF_SCOPE(), at: deps.clock.now() }
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

/**
 * Samples that were being stored while a policy was created may have no mark: marks the devices of new
 * policies again.
 */
async function remarkNewPolicies({ database }: EvaluationDeps, now: number): Promise<void> {
  const recent = { from: now - ALARM_NEW_POLICY_REMARK_MS, to: now }
  for (const { tenantId, id, watchedFrom } of await newPolicies(systemDb(database.kysely), recent)) {
    let after = 0
    for (;;) {
      const page = { after, limit: ALARM_DEVICES_AT_ONCE }
      const keys = await inTenantTx(database.kysely, tenantId, async (tx) => {
        const found = await readScope(tx, id, { ...page, now })
        await addWatchMarks(
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

/** Opens incidents of silence in a tenant, one page of devices per transaction. */
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
      lastReceivedAt: now,
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
      lastReceivedAt: undefined,
    })),
  )
  const openings = opened.map(({ pair, rule, violation }) => openingOf(pair, rule, violation))
  changed.opened.push(...(await openDeviceIncidents(tx, openings, now)))
}
