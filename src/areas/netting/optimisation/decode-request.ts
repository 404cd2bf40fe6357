import assert from 'node:assert/strict'
import { decimalText, type Kwh, parseKwh, parsePrice } from '../../../kernel/decimal.ts'
import { DAY_MS, localDate, parseLocalDate } from '../../../kernel/time.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Task } from './compute-work.ts'
import type { CreateOptimisation } from './schema.ts'

type Field = Exclude<keyof CreateOptimisation, 'name' | 'kind' | 'group_ids' | 'from' | 'to'>

/** The fields of each kind besides those that every one has. */
const KIND_FIELDS: Readonly<
  Record<
    CreateOptimisation['kind'],
    { readonly required: readonly Field[]; readonly optional: readonly Field[] }
  >
> = {
  battery_dispatch: { required: ['batteries'], optional: ['first_day', 'end_day', 'replaces_measured'] },
  assignment: { required: [], optional: ['facility_ids', 'same_region', 'same_voltage'] },
  limit_transfers: { required: [], optional: [] },
  allocation: { required: ['pair_values'], optional: [] },
  battery_next_day: { required: ['batteries'], optional: ['first_day', 'replaces_measured'] },
}

const COMMON = new Set<string>(['name', 'kind', 'group_ids', 'from', 'to'])

/** Refuses with 400 a field that is missing, or that the kind does not have. */
export function checkFields(request: CreateOptimisation): void {
  const { required, optional } = KIND_FIELDS[request.kind]
  for (const field of required)
    if (request[field] === undefined) throw invalidInput(['body', field], 'is required')
  const known = new Set<string>([...COMMON, ...required, ...optional])
  const other = Object.entries(request).find(([name, value]) => value !== undefined && !known.has(name))
  if (other) throw invalidInput(['body', other[0]], `is not a field of ${request.kind}`)
  const pairs = new Set<string>()
  request.pair_values?.forEach(({ producer_id, consumer_id }, index) => {
    const pair = `${producer_id} ${consumer_id}`.toLowerCase()
    if (pairs.has(pair)) throw invalidInput(['body', 'pair_values', index], 'is a pair that was given before')
    pairs.add(pair)
  })
  request.batteries?.forEach(({ efficiency, capacity_kwh, initial_kwh = 0, final_kwh = 0 }, index) => {
    const path = (field: string) => ['body', 'batteries', index, field]
    if (parsePrice(decimalText(efficiency)) > 1_000_000n)
      throw invalidInput(path('efficiency'), 'is at most 1')
    const capacity = parseKwh(decimalText(capacity_kwh))
    if (parseKwh(decimalText(initial_kwh)) > capacity)
      throw invalidInput(path('initial_kwh'), 'is at most the capacity')
    if (parseKwh(decimalText(final_kwh)) > capacity)
      throw invalidInput(path('final_kwh'), 'is at most the capacity')
  })
}

type AssignmentTask = Extract<Task, { readonly kind: 'assignment' }>

/** The task of a request that was accepted; that of an assignment lacks what `loadTask` adds. */
export function decodeTask(
  request: CreateOptimisation,
  now: number,
): Exclude<Task, AssignmentTask> | Pick<AssignmentTask, 'kind'> {
  const [groupId] = request.group_ids
  assert(groupId !== undefined, 'the schema demands a group')
  const dateOf = (text: string | undefined) =>
    text === undefined ? undefined : (parseLocalDate(text) ?? text)
  const dispatch = {
    groupId: groupId.toLowerCase(),
    replacesMeasured: request.replaces_measured ?? false,
    batteries: (request.batteries ?? []).map((battery) => ({
      facilityId: battery.facility_id.toLowerCase(),
      capacityKwh: kwh(battery.capacity_kwh),
      powerKwh: kwh(battery.power_kw),
      efficiency: parsePrice(decimalText(battery.efficiency)),
      initialKwh: kwh(battery.initial_kwh ?? 0),
      finalKwh: kwh(battery.final_kwh ?? 0),
    })),
  }
  const [from, to] = [dateOf(request.first_day), dateOf(request.end_day)]
  switch (request.kind) {
    case 'battery_dispatch':
      return { kind: request.kind, ...dispatch, from, to }
    case 'battery_next_day':
      return { kind: request.kind, ...dispatch, day: from ?? localDate(now + DAY_MS) }
    case 'assignment':
    case 'limit_transfers':
      return { kind: request.kind }
    case 'allocation':
      return {
        kind: request.kind,
        pairs: (request.pair_values ?? []).map(({ producer_id, consumer_id, value_try_per_kwh }) => ({
          producerId: producer_id.toLowerCase(),
          consumerId: consumer_id.toLowerCase(),
          valueTryPerKwh: parsePrice(decimalText(value_try_per_kwh)),
        })),
      }
  }
}

const kwh = (value: string | number): Kwh => parseKwh(decimalText(value))
