import assert from 'node:assert/strict'
import { OPTIMISATION_FAULTS } from '../../../core/netting/optimisation/messages.ts'
import {
  factorsOfAssignment,
  factorsOfDispatch,
  factorsOfTransfers,
  MODEL_FACTORS_MAX,
} from '../../../core/netting/optimisation/model-size.ts'
import { conflict, found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import {
  type BillingPeriod,
  HOUR_MS,
  nextPeriod,
  parsePeriod,
  periodEnd,
  periodOf,
  periodStart,
} from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { createScenario } from '../scenarios/index.ts'
import { OPTIMISATION_STEPS } from './compute-work.ts'
import { checkFields } from './decode-request.ts'
import {
  OPTIMISATION_GROUP_MONTHS_MAX,
  OPTIMISATION_GROUPS_MAX,
  OPTIMISATIONS_KEPT_MAX,
  OPTIMISATIONS_OPEN_MAX,
} from './limits.ts'
import { OPTIMISATION_TEXTS as TEXTS } from './messages.ts'
import type { CreateOptimisation } from './schema.ts'
import * as store from './store.ts'

interface By {
  readonly by: string
  readonly now: number
}

/** Stores an optimisation, which a job computes. 422 for what it cannot be, 409 beyond the limits of a tenant. */
export async function createOptimisation(tx: TenantTx, body: CreateOptimisation, { by, now }: By) {
  checkFields(body)
  const [from, to] = [parsePeriod(body.from), parsePeriod(body.to)]
  assert(from && to, 'the schema lets only periods in')
  checkSize(body, { from, to, now })
  const groupIds = body.group_ids.map((id) => id.toLowerCase())
  await checkReferences(tx, body, groupIds)
  await checkModelSize(tx, body, { groupIds, from, to })
  await store.lockOptimisations(tx)
  const { total, waiting } = await store.countOptimisations(tx)
  if (waiting >= OPTIMISATIONS_OPEN_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.OPTIMISATIONS_OPEN({ count: waiting }))
  if (total >= OPTIMISATIONS_KEPT_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.OPTIMISATIONS_KEPT({ max: OPTIMISATIONS_KEPT_MAX }))
  const id = await store.insert(tx, { request: body, from, to, groupIds, by, at: now })
  return findOptimisation(tx, id)
}

interface Months {
  readonly from: BillingPeriod
  readonly to: BillingPeriod
  readonly now: number
}

function checkSize({ kind, group_ids }: CreateOptimisation, { from, to, now }: Months): void {
  const refuse = (field: string, text: Parameters<typeof unprocessable>[1]) =>
    unprocessable('BUSINESS_RULE_VIOLATION', text, { field })
  if (from > to || to > periodOf(now)) throw refuse('from', TEXTS.OPTIMISATION_RANGE_INVALID({ from, to }))
  let months = 0
  for (let month = from; month <= to && months <= OPTIMISATION_GROUP_MONTHS_MAX; month = nextPeriod(month))
    months += 1
  if (months * group_ids.length > OPTIMISATION_GROUP_MONTHS_MAX) {
    const limits = { groups: OPTIMISATION_GROUPS_MAX, group_months: OPTIMISATION_GROUP_MONTHS_MAX }
    throw refuse('group_ids', TEXTS.OPTIMISATION_TOO_LARGE(limits))
  }
  const isOfBatteries = kind === 'battery_dispatch' || kind === 'battery_next_day'
  if ((isOfBatteries && group_ids.length > 1) || (kind === 'battery_dispatch' && months > 1))
    throw refuse('group_ids', TEXTS.OPTIMISATION_ONE_GROUP_AND_MONTH())
}

const HOURS_OF_DAY = 24

interface ModelMonths {
  readonly groupIds: readonly string[]
  readonly from: BillingPeriod
  readonly to: BillingPeriod
}

/** Refuses a model that would be too large for the solver. */
async function checkModelSize(tx: TenantTx, body: CreateOptimisation, months: ModelMonths): Promise<void> {
  const count = await modelFactors(tx, body, months)
  if (count <= MODEL_FACTORS_MAX) return
  const text = OPTIMISATION_FAULTS.OPTIMISATION_MODEL_TOO_LARGE({ count, max: MODEL_FACTORS_MAX })
  throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'group_ids' })
}

/** Factors of the model of a request at most. An allocation is solved in parts, which are small but for huge groups. */
async function modelFactors(
  tx: TenantTx,
  { kind, facility_ids = [], batteries = [] }: CreateOptimisation,
  { groupIds, from, to }: ModelMonths,
): Promise<number> {
  if (kind === 'allocation') return 0
  const { members, billKinds } = await store.countMembers(tx, groupIds, { from, until: nextPeriod(to) })
  const hours = (periodEnd(to) - periodStart(from)) / HOUR_MS
  const movable = facility_ids.length === 0 ? members : Math.min(facility_ids.length, members)
  const size = { groups: groupIds.length, hours, members, movable }
  const dispatch = { batteries: batteries.length, members, billKinds }
  switch (kind) {
    case 'assignment':
      return factorsOfAssignment(size)
    case 'limit_transfers':
      return factorsOfTransfers(size)
    case 'battery_dispatch':
      return factorsOfDispatch({ ...dispatch, hours })
    case 'battery_next_day':
      return factorsOfDispatch({ ...dispatch, hours: HOURS_OF_DAY })
  }
}

async function checkReferences(
  tx: TenantTx,
  { batteries = [], facility_ids = [], pair_values = [] }: CreateOptimisation,
  groupIds: readonly string[],
): Promise<void> {
  const groups = await store.existing(tx, 'netting_group', groupIds)
  if (groups.size < groupIds.length) throw invalidReference('group_ids')
  const named = batteries.map(({ facility_id }, index) => ({
    id: facility_id.toLowerCase(),
    field: `batteries.${index}.facility_id`,
  }))
  const others = [
    ...facility_ids.map((id, index) => ({ id, field: `facility_ids.${index}` })),
    ...pair_values.flatMap(({ producer_id, consumer_id }, index) => [
      { id: producer_id, field: `pair_values.${index}.producer_id` },
      { id: consumer_id, field: `pair_values.${index}.consumer_id` },
    ]),
  ]
  const ids = [...named, ...others].map(({ id }) => id.toLowerCase())
  const facilities = await store.existing(tx, 'facility', [...new Set(ids)])
  const unknown = others.find(({ id }) => !facilities.has(id.toLowerCase()))
  if (unknown) throw invalidReference(unknown.field)
  const seen = new Set<string>()
  for (const { id, field } of named) {
    if (!facilities.has(id) || seen.has(id)) throw invalidReference(field)
    seen.add(id)
  }
}

const headOf = (row: store.OptimisationRow) => ({
  id: row.id,
  name: row.name,
  kind: row.request.kind,
  state: row.state,
  group_ids: row.group_ids,
  from: row.from_period,
  to: row.to_period,
  steps_total: OPTIMISATION_STEPS,
  steps_done: row.steps_done,
  benefit_try: row.result?.benefit_try ?? null,
  gap_try: row.result?.gap_try ?? null,
  is_stale: row.is_stale,
  created_at: row.created_at,
  finished_at: row.finished_at,
})

const detailOf = (row: store.OptimisationRow) => ({
  ...headOf(row),
  requested_by: row.requested_by,
  request: row.request,
  error_field: row.error_field,
  error: row.error,
  candidates: [...(row.result?.candidates ?? [])],
  outlooks: [...(row.result?.outlooks ?? [])],
  groups: (row.result?.groups ?? []).map((group) => ({ ...group, failed: [...group.failed] })),
  result: row.result && { ...row.result, changes: [...row.result.changes] },
})

export async function listOptimisations(tenant: TenantDb, query: Parameters<typeof store.list>[1]) {
  const { items, total } = await store.list(tenant, query)
  return { items: items.map(headOf), total }
}

export const findOptimisation = async (tenant: TenantDb, id: string) =>
  detailOf(found('optimisation', await store.find(tenant, id)))

export async function cancelOptimisation(tx: TenantTx, id: string, now: number) {
  found('optimisation', await store.find(tx, id))
  if (!(await store.cancel(tx, id, now))) throw conflict('STATE_CONFLICT', TEXTS.OPTIMISATION_NOT_WAITING())
  return findOptimisation(tx, id)
}

export const deleteOptimisation = async (tx: TenantTx, id: string): Promise<void> => {
  found('optimisation', await store.remove(tx, id))
}

/** A scenario of the same months with the changes of the proposal. 409 without any. */
export async function createScenarioOf(tx: TenantTx, id: string, by: By) {
  const row = found('optimisation', await store.find(tx, id))
  if (!row.result) throw conflict('STATE_CONFLICT', TEXTS.OPTIMISATION_NOT_DONE())
  const { changes } = row.result
  // The base of a coming day is no stored month.
  if (changes.length === 0 || row.request.kind === 'battery_next_day')
    throw conflict('STATE_CONFLICT', TEXTS.OPTIMISATION_WITHOUT_SCENARIO())
  const months = { from: row.from_period, to: row.to_period }
  const scenario = { name: row.name, group_ids: row.group_ids, ...months, changes: [...changes] }
  return createScenario(tx, scenario, by)
}

interface PartQuery {
  readonly facility_id?: string | undefined
  readonly limit: number
  readonly offset: number
}

async function partsOf(tenant: TenantDb, id: string) {
  const parts = found('optimisation', await store.readParts(tenant, id))
  if (parts.state !== 'done') throw conflict('STATE_CONFLICT', TEXTS.OPTIMISATION_NOT_DONE())
  return parts
}

const sliceOf = <T>(rows: readonly T[], { limit, offset }: PartQuery) => ({
  items: rows.slice(offset, offset + limit),
  total: rows.length,
})

export async function listSetPoints(tenant: TenantDb, id: string, query: PartQuery) {
  const { set_points } = await partsOf(tenant, id)
  const facility = query.facility_id?.toLowerCase()
  return sliceOf(
    set_points.filter((one) => facility === undefined || one.facility_id === facility),
    query,
  )
}

export async function listFlows(tenant: TenantDb, id: string, query: PartQuery) {
  const { flows } = await partsOf(tenant, id)
  return sliceOf(flows, query)
}
