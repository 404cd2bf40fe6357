import { at } from '../../../kernel/checked.ts'
import type { AssignmentHours, HourSum } from './assignment-hours.ts'
import {
  type Assignment,
  type AssignmentRequest,
  type AssignmentRules,
  type PartyKey,
  stayingKey,
} from './assignment-rules.ts'
import { type LinearModel, ModelBuilder, type Term } from './linear-model.ts'

export interface AssignmentContext {
  readonly request: AssignmentRequest
  /** The groups that an assignment replaces, in the order of the facilities. */
  readonly current: Assignment
  readonly movable: readonly string[]
  readonly rules: AssignmentRules
}

/** By facility, then group of the request: a binary, 1 where the facility is a member. */
type Columns = ReadonlyMap<string, readonly number[]>

interface AssignmentModel {
  readonly model: LinearModel
  readonly columns: Columns
}

interface Work {
  readonly builder: ModelBuilder
  readonly context: AssignmentContext
  readonly hours: AssignmentHours
  readonly columns: Columns
}

/**
 * The model whose objective is the balance of all groups. It is a relaxation: every assignment that the rules allow is
 * a solution of it, with an objective of at least the balance that the engine computes.
 * - Matched energy goes to the consumers with the dearest bill first; the engine shares it in proportion.
 * - Paid surplus may use the limit in any hours, and matched energy does not use it.
 * - Surplus has the highest price and the lowest fee of all facilities.
 * - Many hours are summed (`assignment-hours.ts`).
 */
export function makeAssignmentModel(context: AssignmentContext, hours: AssignmentHours): AssignmentModel {
  const builder = new ModelBuilder()
  const work: Work = { builder, context, hours, columns: addColumns(builder, context) }
  addConflicts(work)
  builder.constant(-hours.consumptionTry)
  context.request.groups.forEach((_, index) => {
    addGroup(work, index)
  })
  return { model: builder.build(), columns: work.columns }
}

function addColumns(builder: ModelBuilder, context: AssignmentContext): Columns {
  const { request, current, movable, rules } = context
  const columns = new Map<string, readonly number[]>()
  for (const [facilityId, groupId] of current) {
    const own = request.groups.map((group) => {
      const isFree = movable.includes(facilityId)
        ? rules.mayJoin(group, [facilityId])
        : group.groupId === groupId
      return builder.column({ upper: isFree ? 1 : 0, isInteger: true })
    })
    builder.exactly(
      own.map((column): Term => [column, 1]),
      1,
    )
    columns.set(facilityId, own)
  }
  return columns
}

/** Pairs that may not share a group, and producers that a group with consumers needs. */
function addConflicts({ builder, context: { request, rules }, columns }: Work): void {
  const ids = [...columns.keys()]
  request.groups.forEach((group, index) => {
    const columnOf = (id: string) => at(columns.get(id) ?? [], index)
    const free = ids.filter((id) => builder.upperOf(columnOf(id)) > 0)
    free.forEach((first, position) => {
      for (const second of free.slice(position + 1))
        if (!rules.mayJoin(group, [first, second]))
          builder.atMost(sumOf([columnOf(first), columnOf(second)]), 1)
    })
    if (rules.hasProducer(group)) return
    const producers = free.filter((id) => rules.isProducer(id))
    for (const id of free) {
      if (producers.includes(id)) continue
      builder.atMost([[columnOf(id), 1], ...producers.map((one): Term => [columnOf(one), -1])], 0)
    }
  })
}

const sumOf = (columns: readonly number[]): Term[] => columns.map((column) => [column, 1])

/** A party that may be in a group; without a column it is in it. */
interface Party {
  readonly key: PartyKey
  readonly column: number | undefined
}

/** A quantity of the parties of a group: the sum of a row is at most, or exactly, what those without a column have. */
interface PartySum {
  readonly terms: readonly Term[]
  readonly constant: number
}

function partySum(parties: readonly (readonly [Party, number])[]): PartySum {
  const terms = parties.flatMap(([{ column }, value]): Term[] =>
    column === undefined ? [] : [[column, value]],
  )
  const constant = parties.reduce((sum, [{ column }, value]) => (column === undefined ? sum + value : sum), 0)
  return { terms, constant }
}

const negative = (terms: readonly Term[]): Term[] => terms.map(([column, factor]) => [column, -factor])

interface GroupWork {
  readonly work: Work
  /** Undefined for a party that is never in the group. */
  readonly partyOf: (key: PartyKey) => Party | undefined
  /** 1 only where no consumer is in the group in every hour, so that production may be free. */
  readonly isAlone: number
  readonly paid: Term[]
}

function addGroup(work: Work, index: number): void {
  const { builder, hours, columns, context } = work
  const suffix = stayingKey('', at(context.request.groups, index).groupId)
  const partyOf = (key: PartyKey): Party | undefined => {
    const own = columns.get(key)
    if (!own) return key.endsWith(suffix) ? { key, column: undefined } : undefined
    const column = at(own, index)
    return builder.upperOf(column) > 0 ? { key, column } : undefined
  }
  const isAlone = builder.column({ upper: 1 })
  for (const key of hours.consumers) {
    const party = partyOf(key)
    if (party) addAlone(builder, isAlone, party)
  }
  const group: GroupWork = { work, partyOf, isAlone, paid: [] }
  for (const sum of hours.sums) addSum(group, sum)
  const limit = partySum(partiesWith(partyOf, hours.limits))
  builder.atMost([...group.paid, ...negative(limit.terms)], limit.constant)
}

function addAlone(builder: ModelBuilder, isAlone: number, { column }: Party): void {
  if (column === undefined) builder.atMost([[isAlone, 1]], 0)
  else builder.atMost(sumOf([isAlone, column]), 1)
}

const partiesWith = (
  partyOf: GroupWork['partyOf'],
  values: ReadonlyMap<PartyKey, number>,
): (readonly [Party, number])[] =>
  [...values].flatMap(([key, value]): (readonly [Party, number])[] => {
    const party = value === 0 ? undefined : partyOf(key)
    return party ? [[party, value]] : []
  })

function addSum({ work: { builder }, partyOf, isAlone, paid }: GroupWork, sum: HourSum): void {
  const produced = partiesWith(partyOf, sum.production)
  const upper = produced.reduce((total, [, energy]) => total + energy, 0)
  if (upper === 0) return
  const energy: Term[] = []
  const byPrice = new Map<number, (readonly [Party, number])[]>()
  for (const consumer of partiesWith(partyOf, sum.consumption)) {
    const price = sum.price.get(consumer[0].key) ?? 0
    const own = byPrice.get(price)
    if (own) own.push(consumer)
    else byPrice.set(price, [consumer])
  }
  for (const [price, consumers] of byPrice) {
    const matched = builder.column({ cost: price, upper })
    const consumed = partySum(consumers)
    builder.atMost([[matched, 1], ...negative(consumed.terms)], consumed.constant)
    energy.push([matched, 1])
  }
  const surplus = builder.column({ cost: sum.paid, upper })
  const overLimit = builder.column({ cost: -sum.fee, upper })
  const free = builder.column({ upper })
  if (!sum.mayBeFree)
    builder.atMost(
      [
        [free, 1],
        [isAlone, -upper],
      ],
      0,
    )
  paid.push([surplus, 1])
  const production = partySum(produced)
  builder.exactly(
    [...energy, ...sumOf([surplus, overLimit, free]), ...negative(production.terms)],
    production.constant,
  )
}
