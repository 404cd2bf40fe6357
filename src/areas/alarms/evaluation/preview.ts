import { Fold, initialState, silenceBefore } from '../../../core/alarms/evaluate.ts'
import { isSilence, type Rule, type Spell } from '../../../core/alarms/rule.ts'
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

interface Bounds {
  readonly from: number
  readonly to: number
}

interface Budget {
  samples: number
  readonly until: number
  readonly exceeded: Set<'devices' | 'samples' | 'time' | 'incidents'>
}

/** Judges the stored samples of the last days as the policy would have, by the same core; it writes nothing. */
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
  const bounds = { from: now - (request.days ?? PREVIEW_DAYS_MAX) * DAY_MS, to: now }
  const budget: Budget = { samples: 0, until: performance.now() + PREVIEW_MAX_MS, exceeded: new Set() }
  if (total > devices.length) budget.exceeded.add('devices')
  const maintenance = await readMaintenance(tenant, bounds.from)
  const items = []
  for (const device of devices) {
    if (isSpent(budget)) break
    items.push(await previewDevice({ tenant, fields, bounds, budget, maintenance }, device))
  }
  return {
    from: iso(bounds.from),
    to: iso(bounds.to),
    devices_in_scope: total,
    devices_judged: items.length,
    samples_judged: budget.samples,
    incidents_total: items.reduce((sum, { incidents_count: count }) => sum + count, 0),
    is_truncated: budget.exceeded.size > 0,
    truncated_reasons: [...budget.exceeded],
    items,
  }
}

function isSpent(budget: Budget): boolean {
  if (budget.samples >= PREVIEW_SAMPLES_MAX) budget.exceeded.add('samples')
  else if (performance.now() > budget.until) budget.exceeded.add('time')
  else return false
  return true
}

interface Previewing {
  readonly tenant: TenantDb
  readonly fields: PolicyFields
  readonly bounds: Bounds
  readonly budget: Budget
  readonly maintenance: readonly MaintenancePeriod[]
}

async function previewDevice(
  { tenant, fields, bounds, budget, maintenance }: Previewing,
  device: PreviewDevice,
) {
  const rule = ruleOf(fields, device)
  const windows = maintenance.filter(
    ({ deviceId, subregionId }) =>
      deviceId === device.id || (subregionId !== null && subregionId === device.subregionId),
  )
  const masks: Masks = { schedule: rule.schedule, maintenance: windows }
  const read = async (after: number) => {
    const order = {
      after: new Map([[device.key, after]]),
      to: () => bounds.to,
      metrics: rule.metric === null ? [] : [rule.metric],
      perDevice: ALARM_ROWS_AT_ONCE,
    }
    return (await readWatchedSamples(tenant, order)).get(device.key) ?? []
  }
  let judgedTo = bounds.to
  let samples = await read(bounds.from - 1)
  const begin = initialState(isSilence(rule) ? silenceFrom(device, bounds, samples[0]?.at) : bounds.from)
  const fold = new Fold({ rule, masks, begin, after: begin.at, checkpoints: [] })
  for (;;) {
    fold.take(samples.map(({ at, values }) => ({ at, value: rule.metric === null ? 0 : values[0] })))
    budget.samples += samples.length
    const last = samples.at(-1)
    if (!last || samples.length < ALARM_ROWS_AT_ONCE) break
    if (isSpent(budget)) {
      judgedTo = last.at
      break
    }
    samples = await read(last.at)
  }
  return shownDevice(device, { spells: spellsOf(rule, masks, fold, judgedTo), judgedTo, budget })
}

/** A device is not silent before it is there: before it was made, or before a sample that is older than that. */
const silenceFrom = ({ createdAt }: PreviewDevice, { from }: Bounds, firstSample = createdAt): number =>
  Math.max(from, Math.min(createdAt, firstSample))

/** With the silence that goes on at the end. */
function spellsOf(rule: Rule, masks: Masks, fold: Fold, judgedTo: number): readonly Spell[] {
  const { spells, state } = fold.result()
  if (!isSilence(rule)) return spells
  const open = silenceBefore(rule, masks, { state, until: judgedTo })
  return open ? [...spells, { ...open, to: null }] : spells
}

interface Found {
  readonly spells: readonly Spell[]
  readonly judgedTo: number
  readonly budget: Budget
}

function shownDevice(device: PreviewDevice, { spells, judgedTo, budget }: Found) {
  if (spells.length > PREVIEW_INCIDENTS_MAX) budget.exceeded.add('incidents')
  return {
    device_id: device.id,
    device_name: device.name,
    incidents_count: spells.length,
    judged_to: iso(judgedTo),
    incidents: spells.slice(0, PREVIEW_INCIDENTS_MAX).map(({ from, to, value, peak }) => ({
      from: iso(from),
      to: to === null ? null : iso(to),
      value,
      peak,
    })),
  }
}
