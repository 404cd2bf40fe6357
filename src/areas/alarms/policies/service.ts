import { isDeepStrictEqual } from 'node:util'
import { unitOf } from '../../../core/register-map/units.ts'
import { conflict, found } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { watchDevices } from '../../metering/sample-watch/index.ts'
import { closePolicyIncidents, END_REASONS, type IncidentSummary, lockAlarms } from '../incidents/index.ts'
import { ALARM_TEXTS } from '../messages.ts'
import { checkPolicy, type PolicyFields } from './check-policy.ts'
import { ALARM_POLICIES_MAX, ALARM_WIDE_POLICIES_MAX } from './limits.ts'
import { metricWarnings } from './metric-warnings.ts'
import type { CreatePolicy, EvaluatedPolicy, UpdatePolicy } from './schema.ts'
import * as store from './store.ts'

/** The fields whose change affects the evaluation of a policy. */
const EVALUATED_FIELDS = [
  'alarm_type',
  'device_id',
  'subregion_id',
  'metric',
  'operator',
  'threshold',
  'clear_threshold',
  'rate_per',
  'delay_on_s',
  'delay_off_s',
  'is_active',
] as const

interface StoredLevels {
  readonly metric: string | null
  readonly threshold: string | null
  readonly clear_threshold: string | null
}
const numberOf = (level: string | null): number | null => (level === null ? null : Number(level))

/** The API representation: with the unit of the metric, and levels as numbers like the samples. */
export const toResponse = <T extends StoredLevels>(policy: T) => ({
  ...policy,
  threshold: numberOf(policy.threshold),
  clear_threshold: numberOf(policy.clear_threshold),
  unit: policy.metric === null ? null : unitOf(policy.metric),
})

/** The evaluated fields of a request, with the defaults of a new policy. */
export const fieldsOf = (body: EvaluatedPolicy): PolicyFields => ({
  alarm_type: body.alarm_type,
  device_id: body.device_id ?? null,
  subregion_id: body.subregion_id ?? null,
  metric: body.metric ?? null,
  operator: body.operator ?? null,
  threshold: body.threshold ?? null,
  clear_threshold: body.clear_threshold ?? null,
  rate_per: body.rate_per ?? null,
  delay_on_s: body.delay_on_s ?? 0,
  delay_off_s: body.delay_off_s ?? 0,
  schedule: body.schedule ?? null,
})

async function refuseTooMany(tx: TenantTx, isWide: boolean): Promise<void> {
  const { total, wide } = await store.countPolicies(tx)
  if (total >= ALARM_POLICIES_MAX)
    throw conflict('STATE_CONFLICT', ALARM_TEXTS.POLICY_LIMIT_REACHED({ max: ALARM_POLICIES_MAX }))
  if (isWide && wide >= ALARM_WIDE_POLICIES_MAX)
    throw conflict('STATE_CONFLICT', ALARM_TEXTS.POLICY_WIDE_LIMIT_REACHED({ max: ALARM_WIDE_POLICIES_MAX }))
}

const updateWatch = async (tx: TenantTx): Promise<void> => watchDevices(tx, await store.readWatch(tx))

/** Creates a policy; samples are evaluated from `at` on. Throws 422 when its fields contradict each other. */
export async function createPolicy(tx: TenantTx, body: CreatePolicy, at: number) {
  checkPolicy(fieldsOf(body))
  await lockAlarms(tx)
  await refuseTooMany(tx, (body.device_id ?? null) === null)
  const { schedule, ...rest } = body
  const policy = await store.createPolicy(tx, rest, { schedule, at })
  await updateWatch(tx)
  return { ...toResponse(policy), warnings: await metricWarnings(tx, policy, at) }
}

const differs = (a: unknown, b: unknown): boolean =>
  a !== b && !(a !== null && b !== null && typeof a !== 'boolean' && Number(a) === Number(b))

/**
 * Changes a policy. When an evaluated field changes, its open incidents are closed and evaluation restarts at
 * `at`. Publish `closed` after the commit.
 */
export async function updatePolicy(
  tx: TenantTx,
  id: string,
  { body, at }: { readonly body: UpdatePolicy; readonly at: number },
) {
  await lockAlarms(tx)
  const before = found('alarm policy', await store.lockPolicy(tx, id))
  const after = { ...before, ...body }
  checkPolicy(after)
  const isChanged = EVALUATED_FIELDS.some((field) => differs(before[field], after[field]))
  if (before.device_id !== null && after.device_id === null) await refuseTooMany(tx, true)
  const { schedule, ...rest } = body
  const policy = await store.updatePolicy(tx, id, rest, {
    schedule,
    at,
    watchedFrom: isChanged ? at : undefined,
  })
  if (!isChanged) {
    // Incidents that were evaluated with the previous schedule stay as they are.
    if (!isDeepStrictEqual(before.schedule, after.schedule)) await store.resetCheckpoints(tx, id)
    return { policy: { ...toResponse(policy), warnings: [] }, closed: [] }
  }
  const reason = policy.is_active
    ? END_REASONS.INCIDENT_END_POLICY_CHANGED()
    : END_REASONS.INCIDENT_END_POLICY_OFF()
  await store.deleteStates(tx, id)
  const closed = await closePolicyIncidents(tx, id, { reason, at })
  await updateWatch(tx)
  return { policy: { ...toResponse(policy), warnings: await metricWarnings(tx, policy, at) }, closed }
}

/**
 * Soft-deletes a policy. Its open incidents are closed and returned, so that the caller publishes them; all
 * incidents keep their trail.
 */
export async function deletePolicy(tx: TenantTx, id: string, at: number): Promise<IncidentSummary[]> {
  await lockAlarms(tx)
  found('alarm policy', await store.lockPolicy(tx, id))
  await store.softDeletePolicy(tx, id, at)
  await store.deleteStates(tx, id)
  const closed = await closePolicyIncidents(tx, id, { reason: END_REASONS.INCIDENT_END_POLICY_DELETED(), at })
  await updateWatch(tx)
  return closed
}
