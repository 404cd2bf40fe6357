import assert from 'node:assert/strict'
import {
  add,
  decimalText,
  formatTry,
  parseKwh,
  parseTry,
  roundDiv,
  type Try,
} from '../../../kernel/decimal.ts'
import { conflict, found, unprocessable } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { checkScenario, monthsOfScenario, paybackOf, type ScenarioChange } from '../scenarios/index.ts'
import type { PointText } from './compute-work.ts'
import { SIZING_POINT_MONTHS_MAX, SIZING_SIZES_MAX, SIZINGS_KEPT_MAX, SIZINGS_OPEN_MAX } from './limits.ts'
import { SIZING_TEXTS as TEXTS } from './messages.ts'
import type { CreateSizing } from './schema.ts'
import { formatSize, parseSize, type SizeUnit, sizeUnitOf, unitsOf } from './size-unit.ts'
import * as store from './store.ts'

/** The unit of a change that has one: it was checked when the sizing was created. */
export function requiredUnit(changes: readonly ScenarioChange[], index: number): SizeUnit {
  const change = changes[index]
  const unit = change && sizeUnitOf(change)
  assert(unit, 'the change of a sizing has a size')
  return unit
}

const refuse = (field: string, content: Message) =>
  unprocessable('BUSINESS_RULE_VIOLATION', content, { field })

/** Stores a sizing, which a job computes. 422 for unknown records, ranges, sizes; 409 beyond the limits of a tenant. */
export async function createSizing(
  tx: TenantTx,
  body: CreateSizing,
  { by, now }: { readonly by: string; readonly now: number },
) {
  const changed = body.changes[body.change]
  if (!changed) throw refuse('change', TEXTS.SIZING_CHANGE_UNKNOWN({ index: body.change }))
  const unit = sizeUnitOf(changed)
  if (!unit) throw refuse('change', TEXTS.SIZING_CHANGE_WITHOUT_SIZE())
  const sizes = sizesOf(body, unit)
  // The size of the request stands for every other one.
  const { from, to, groupIds, groupMonths } = await checkScenario(tx, body, now)
  if (sizes.length > SIZING_SIZES_MAX || sizes.length * groupMonths > SIZING_POINT_MONTHS_MAX) {
    const text = TEXTS.SIZING_TOO_LARGE({ sizes: SIZING_SIZES_MAX, months: SIZING_POINT_MONTHS_MAX })
    throw refuse('sizes', text)
  }
  await store.lockSizings(tx)
  const { total, waiting } = await store.countSizings(tx)
  if (waiting >= SIZINGS_OPEN_MAX) throw conflict('STATE_CONFLICT', TEXTS.SIZINGS_OPEN({ count: waiting }))
  if (total >= SIZINGS_KEPT_MAX)
    throw conflict('STATE_CONFLICT', TEXTS.SIZINGS_KEPT({ max: SIZINGS_KEPT_MAX }))
  const textOf = (value: number | string | undefined) => (value === undefined ? null : decimalText(value))
  const id = await store.insert(tx, {
    ...{ name: body.name, from, to, groupIds, changes: body.changes, changeIndex: body.change },
    sizes: sizes.map((size) => formatSize(unit, size)),
    costFixedTry: textOf(body.cost_fixed_try),
    costPerUnitTry: textOf(body.cost_per_unit_try),
    ...{ by, at: now },
  })
  return findSizing(tx, id)
}

/** The sizes in their order, without repetitions: those of the list, or of the range with its end. */
function sizesOf({ sizes, range }: CreateSizing, unit: SizeUnit): bigint[] {
  const isOne = (sizes === undefined) !== (range === undefined)
  if (!isOne) throw refuse('sizes', TEXTS.SIZING_SIZES_INVALID())
  const parse = (field: string, value: number | string): bigint => {
    try {
      return parseSize(unit, value)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw refuse(field, TEXTS.SIZING_SIZES_INVALID())
    }
  }
  if (sizes) return [...new Set(sizes.map((size) => parse('sizes', size)))].sort((a, b) => (a < b ? -1 : 1))
  assert(range, 'there is a list or a range')
  const [from, to, step] = [range.from, range.to, range.step].map((value) => parse('range', value))
  assert(from !== undefined && to !== undefined && step !== undefined, 'a range has three numbers')
  if (step <= 0n || to < from) throw refuse('range', TEXTS.SIZING_SIZES_INVALID())
  const list: bigint[] = []
  for (let size = from; size <= to && list.length <= SIZING_SIZES_MAX; size += step) list.push(size)
  return list
}

type Row = store.SizingRow
const headOf = (row: Row) => ({
  ...{ id: row.id, name: row.name, state: row.state, group_ids: row.group_ids },
  ...{ from: row.from_period, to: row.to_period },
  unit: requiredUnit(row.changes, row.change_index),
  ...{ points_total: row.points_total, points_done: row.points_done, is_stale: row.is_stale },
  ...{ created_at: row.created_at, finished_at: row.finished_at },
})

export async function listSizings(tenant: TenantDb, query: Parameters<typeof store.list>[1]) {
  const { items, total } = await store.list(tenant, query)
  return { items: items.map(headOf), total }
}

export async function findSizing(tenant: TenantDb, id: string) {
  const row = found('sizing', await store.find(tenant, id))
  const points =
    row.state === 'done' && row.result ? row.result.points.map((point) => pointOf(row, point)) : []
  const best = points.reduce<(typeof points)[number] | undefined>(
    (most, point) => (benefitOf(point) > (most ? benefitOf(most) : LEAST) ? point : most),
    undefined,
  )
  return {
    ...headOf(row),
    ...{ requested_by: row.requested_by, changes: [...row.changes], change: row.change_index },
    sizes: [...row.sizes],
    ...{ cost_fixed_try: row.cost_fixed_try, cost_per_unit_try: row.cost_per_unit_try },
    ...{ input_hash: row.input_hash, error_change: row.error_change, error_field: row.error_field },
    error: row.error,
    base: row.state === 'done' && row.result ? row.result.base : null,
    points,
    binding_size: points.find(({ skb_kwh }) => skb_kwh !== null && parseKwh(skb_kwh) > 0n)?.size ?? null,
    best_size: best?.size ?? null,
  }
}

const LEAST = -(2n ** 127n)
const benefitOf = ({ benefit_try }: { readonly benefit_try: string | null }): bigint =>
  benefit_try === null ? LEAST : parseTry(benefit_try)

function pointOf(row: Row, { size: text, ...figures }: PointText) {
  const unit = requiredUnit(row.changes, row.change_index)
  const size = BigInt(text)
  const cost_try = costOf(row, size, unitsOf(unit))
  const months = monthsOfScenario(row.from_period, row.to_period).length
  return {
    size: formatSize(unit, size),
    ...figures,
    cost_try,
    payback_years: paybackOf(cost_try, figures.benefit_try, months),
  }
}

/** Fixed cost and the cost of the size; null without both. */
function costOf({ cost_fixed_try: fixed, cost_per_unit_try: perUnit }: Row, size: bigint, units: bigint) {
  if (fixed === null && perUnit === null) return null
  const ofSize = perUnit === null ? 0n : roundDiv(parseTry(perUnit) * size, units)
  return formatTry(add(ofSize as Try, fixed === null ? (0n as Try) : parseTry(fixed)))
}

export async function cancelSizing(tx: TenantTx, id: string, now: number) {
  found('sizing', await store.find(tx, id))
  if (!(await store.cancel(tx, id, now))) throw conflict('STATE_CONFLICT', TEXTS.SIZING_NOT_WAITING())
  return findSizing(tx, id)
}

export const deleteSizing = async (tx: TenantTx, id: string): Promise<void> => {
  found('sizing', await store.remove(tx, id))
}
