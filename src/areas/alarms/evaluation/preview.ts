import { Evaluation, initialState, silenceUntil } from '../../../core/alarms/evaluate.ts'
import { isSilenceRule, type Rule, type Violation } from '../../../core/alarms/rule.ts'
import type { Masks } from '../../../core/alarms/schedule.ts'
import { invalidReference } from '../../../kernel/errors.ts'
import { DAY_MS, iso } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { readWatchedSamples } from '../../metering/sample-watch/index.ts'
import { type MaintenancePeriod, readMaintenance } from '../maintenance/index.ts'
import { checkPolicy, fieldsOf, type PolicyFields, ruleOf } from '../policies/index.ts'
import {
  ALARM_ROWS_AT_ONCE,
  PREVIEW_DAYS_MAX,
  PREVIEW_DEVICES_MAX,
  PREVIEW_INCIDENTS_MAX,
  PREVIEW_MAX_MS,
  PREVIEW_SAMPLES_MAX,
} from './limits.ts'
import type { PreviewRequest } from './preview-schema.ts'
import { hasSubregion, type PreviewDevice, readPreviewDevices } from './preview-store.ts'

interface PreviewRange {
  readonly from: number
  readonly to: number
}

interface Budget {
  samples: number
  readonly until: number
  readonly exceeded: Set<'devices' | 'samples' | 'time' | 'incidents'>
}

/**
 * Dry run: evaluates the stored samples of the requested range with the same core as the real evaluation. It
 * writes nothing.
 */
export async function previewPolicy(tenant: TenantDb, request: PreviewRequest, now: number) {
  const fields = fieldsOf(request.policy)
  checkPolicy(fields, ['body', 'policy'])
  if (fields.subregion_id !== null && !(await hasSubregion(tenant, fields.subregion_id)))
    throw invalidReference('policy.subregion_id')
  const { devices, total } = await readPreviewDevices(tenant, {
    deviceId: fields.device_id,
    subregionId: fields.subregion_id,
    deviceIds: request.device_ids,
    limit: PREVIEW_DEVICES_MAX,
    now,
  })
  if (request.device_ids && devices.length < request.device_ids.length) throw invalidReference('device_ids')
  if (fields.device_id !== null && total === 0) throw invalidReference('policy.device_id')
  const range = { from: now - (request.days ?? PREVIEW_DAYS_MAX) * DAY_MS, to: now }
  const budget: Budget = { samples: 0, until: performance.now() + PREVIEW_MAX_MS, exceeded: new Set() }
  if (total > devices.length) budget.exceeded.add('devices')
  const maintenance = await readMaintenance(tenant, range.from)
  const items = []
  for (const device of devices) {
    if (isBudgetSpent(budget)) break
    items.push(await previewDevice({ tenant, fields, range, budget, maintenance }, device))
  }
  return {
    from: iso(range.from),
    to: iso(range.to),
    devices_in_scope: total,
    devices_judged: items.length,
    samples_judged: budget.samples,
    incidents_total: items.reduce((sum, { incidents_count: count }) => sum + count, 0),
    is_truncated: budget.exceeded.size > 0,
    truncated_reasons: [...budget.exceeded],
    items,
  }
}

function isBudgetSpent(budget: Budget): boolean {
  if (budget.samples >= PREVIEW_SAMPLES_MAX) budget.exceeded.add('samples')
  else if (performance.now() > budget.until) budget.exceeded.add('time')
  else return false
  return true
}

interface PreviewContext {
  readonly tenant: TenantDb
  readonly fields: PolicyFields
  readonly range: PreviewRange
  readonly budget: Budget
  readonly maintenance: readonly MaintenancePeriod[]
}

async function previewDevice(
  { tenant, fields, range, budget, maintenance }: PreviewContext,
  device: PreviewDevice,
) {
  const rule = ruleOf(fields, device)
  const windows = maintenance.filter(
    ({ deviceId, subregionId }) =>
      deviceId === device.id || (subregionId !== null && subregionId === device.subregionId),
  )
  const masks: Masks = { schedule: rule.schedule, maintenance: windows }
  const read = async (after: number) => {
    const query = {
      after: new Map([[device.key, after]]),
      to: () => range.to,
      metrics: rule.metric === null ? [] : [rule.metric],
      perDevice: ALARM_ROWS_AT_ONCE,
    }
    return (await readWatchedSamples(tenant, query)).get(device.key) ?? []
  }
  let evaluatedTo = range.to
  let samples = await read(range.from - 1)
  const begin = initialState(isSilenceRule(rule) ? silenceFrom(device, range, samples[0]?.at) : range.from)
  const evaluation = new Evaluation({ rule, masks, begin, after: begin.at, checkpoints: [] })
  for (;;) {
    evaluation.add(samples.map(({ at, values }) => ({ at, value: rule.metric === null ? 0 : values[0] })))
    budget.samples += samples.length
    const last = samples.at(-1)
    if (!last || samples.length < ALARM_ROWS_AT_ONCE) break
    if (isBudgetSpent(budget)) {
      evaluatedTo = last.at
      break
    }
    samples = await read(last.at)
  }
  return toDeviceResponse(device, {
    violations: violationsOf(rule, masks, evaluation, evaluatedTo),
    evaluatedTo,
    budget,
  })
}

/** Silence does not begin before the device was created, or before its first sample when that is older. */
const silenceFrom = ({ createdAt }: PreviewDevice, { from }: PreviewRange, firstSample = createdAt): number =>
  Math.max(from, Math.min(createdAt, firstSample))

/** The violations, including a silence that still lasts at the end. */
function violationsOf(
  rule: Rule,
  masks: Masks,
  evaluation: Evaluation,
  evaluatedTo: number,
): readonly Violation[] {
  const { violations, state } = evaluation.result()
  if (!isSilenceRule(rule)) return violations
  const open = silenceUntil(rule, masks, { state, until: evaluatedTo })
  return open ? [...violations, { ...open, to: null }] : violations
}

interface DevicePreview {
  readonly violations: readonly Violation[]
  readonly evaluatedTo: number
  readonly budget: Budget
}

function toDeviceResponse(device: PreviewDevice, { violations, evaluatedTo, budget }: DevicePreview) {
  if (violations.length > PREVIEW_INCIDENTS_MAX) budget.exceeded.add('incidents')
  return {
    device_id: device.id,
    device_name: device.name,
    incidents_count: violations.length,
    judged_to: iso(evaluatedTo),
    incidents: violations.slice(0, PREVIEW_INCIDENTS_MAX).map(({ from, to, value, peak }) => ({
      from: iso(from),
      to: to === null ? null : iso(to),
      value,
      peak,
    })),
  }
}
