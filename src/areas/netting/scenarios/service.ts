import assert from 'node:assert/strict'
import { decimalText } from '../../../kernel/decimal.ts'
import { conflict, found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import { type BillingPeriod, nextPeriod, parsePeriod, periodOf } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { decodeChanges, facilityRefs } from './decode-change.ts'
import {
  SCENARIO_GROUP_MONTHS_MAX,
  SCENARIO_GROUPS_MAX,
  SCENARIO_MONTHS_MAX,
  SCENARIOS_KEPT_MAX,
  SCENARIOS_OPEN_MAX,
} from './limits.ts'
import { SCENARIO_TEXTS as TEXTS } from './messages.ts'
import { totalsOf } from './results.ts'
import type { CreateScenario } from './schema.ts'
import * as store from './store.ts'

export const monthsOfScenario = (from: BillingPeriod, to: BillingPeriod): BillingPeriod[] => {
  const months: BillingPeriod[] = []
  for (let month = from; month <= to && months.length <= SCENARIO_MONTHS_MAX; month = nextPeriod(month))
    months.push(month)
  return months
}

/** Stores a scenario, which a job computes. 422 for unknown records and ranges, 409 beyond the limits of a tenant. */
export async function createScenario(
  tx: TenantTx,
  body: CreateScenario,
  { by, now }: { readonly by: string; readonly now: number },
) {
  const { from, to, groupIds, groupMonths: monthsTotal } = await checkScenario(tx, body, now)
  await store.lockScenarios(tx)
  const { total, waiting } = await store.countScenarios(tx)
  if (waiting >= SCENARIOS_OPEN_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.SCENARIOS_OPEN({ count: waiting }))
  if (total >= SCENARIOS_KEPT_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.SCENARIOS_KEPT({ max: SCENARIOS_KEPT_MAX }))
  const { name, changes, cost_try } = body
  const costTry = cost_try === undefined ? null : decimalText(cost_try)
  const id = await store.insert(tx, { name, from, to, groupIds, changes, costTry, monthsTotal, by, at: now })
  return findScenario(tx, id)
}

type Checked = Pick<CreateScenario, 'from' | 'to' | 'group_ids' | 'changes'>

/** The months and groups of a request. 422 for unknown records, ranges and changes. */
export async function checkScenario(tx: TenantTx, body: Checked, now: number) {
  const [from, to] = [parsePeriod(body.from), parsePeriod(body.to)]
  assert(from && to, 'the schema lets only periods in')
  const months = monthsOfScenario(from, to)
  if (months.length === 0 || months.length > SCENARIO_MONTHS_MAX || to > periodOf(now)) {
    const text = TEXTS.SCENARIO_RANGE_INVALID({ from, to, months: SCENARIO_MONTHS_MAX })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'from' })
  }
  const groupMonths = months.length * body.group_ids.length
  if (groupMonths > SCENARIO_GROUP_MONTHS_MAX) {
    const text = TEXTS.SCENARIO_TOO_LARGE({
      groups: SCENARIO_GROUPS_MAX,
      group_months: SCENARIO_GROUP_MONTHS_MAX,
    })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'group_ids' })
  }
  decodeChanges(body.changes)
  const groupIds = body.group_ids.map((id) => id.toLowerCase())
  await checkReferences(tx, body, groupIds)
  return { from, to, groupIds, groupMonths }
}

async function checkReferences(
  tx: TenantTx,
  { changes }: Checked,
  groupIds: readonly string[],
): Promise<void> {
  const groups = await store.existingGroups(tx, groupIds)
  if (groups.size < groupIds.length) throw invalidReference('group_ids')
  changes.forEach((change, index) => {
    for (const field of ['group_id', 'from_group_id'] as const) {
      const id = change[field]?.toLowerCase()
      if (id !== undefined && !groups.has(id)) throw invalidReference(`changes.${index}.${field}`)
    }
  })
  const refs = facilityRefs(changes)
  const facilities = await store.facilityNames(tx, [...new Set(refs.map(({ id }) => id))])
  const unknown = refs.find(({ id }) => !facilities.has(id))
  if (unknown) throw invalidReference(unknown.field)
  const added = changes.flatMap((change) =>
    change.type === 'add_facility' ? (change.facility_id ?? []) : [],
  )
  const taken = await store.facilityNames(tx, added)
  changes.forEach((change, index) => {
    const isTaken = change.facility_id !== undefined && taken.has(change.facility_id.toLowerCase())
    if (change.type === 'add_facility' && isTaken) throw invalidReference(`changes.${index}.facility_id`)
  })
}

type Row = store.ScenarioRow
const headOf = (row: Row) => ({
  id: row.id,
  name: row.name,
  state: row.state,
  group_ids: row.group_ids,
  from: row.from_period,
  to: row.to_period,
  cost_try: row.cost_try,
  months_total: row.months_total,
  months_done: row.months_done,
  is_stale: row.is_stale,
  created_at: row.created_at,
  finished_at: row.finished_at,
})

export async function listScenarios(tenant: TenantDb, query: Parameters<typeof store.list>[1]) {
  const { items, total } = await store.list(tenant, query)
  return { items: items.map(headOf), total }
}

export async function findScenario(tenant: TenantDb, id: string) {
  const row = found('scenario', await store.find(tenant, id))
  const months = row.state === 'done' ? await store.listMonths(tenant, id) : []
  const known = new Set(months.map((month) => `${month.group_id} ${month.billing_period}`))
  const left = monthsOfScenario(row.from_period, row.to_period).flatMap((billing_period) =>
    row.group_ids.flatMap((group_id) =>
      known.has(`${group_id} ${billing_period}`) ? [] : [{ group_id, billing_period }],
    ),
  )
  return {
    ...headOf(row),
    requested_by: row.requested_by,
    changes: [...row.changes],
    input_hash: row.input_hash,
    error_change: row.error_change,
    error_field: row.error_field,
    error: row.error,
    batteries: [...row.batteries],
    months_without_result: row.state === 'done' ? left : [],
    totals: row.state === 'done' ? totalsOf(months, row.cost_try) : null,
  }
}

export async function cancelScenario(tx: TenantTx, id: string, now: number) {
  found('scenario', await store.find(tx, id))
  if (!(await store.cancel(tx, id, now))) throw conflict('STATE_CONFLICT', TEXTS.SCENARIO_NOT_WAITING())
  return findScenario(tx, id)
}

export async function calculateAgain(tx: TenantTx, id: string) {
  found('scenario', await store.find(tx, id))
  await store.lockScenarios(tx)
  const { waiting } = await store.countScenarios(tx)
  if (waiting >= SCENARIOS_OPEN_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.SCENARIOS_OPEN({ count: waiting }))
  if (!(await store.restart(tx, id))) throw conflict('STATE_CONFLICT', TEXTS.SCENARIO_STILL_WAITING())
  return findScenario(tx, id)
}

export const deleteScenario = async (tx: TenantTx, id: string): Promise<void> => {
  found('scenario', await store.remove(tx, id))
}
