import { at } from '../../../kernel/checked.ts'
import {
  add,
  type Kwh,
  mulPrice,
  smaller,
  subtract,
  type Try,
  type TryPerKwh,
  wh,
  ZERO_KWH,
} from '../../../kernel/decimal.ts'
import { allocateSlice } from '../allocation.ts'
import type { NettedSlice } from '../match.ts'
import { netPeriod } from '../period.ts'
import type { ScenarioBase } from '../scenario/types.ts'
import { refuseGroup } from './covered-groups.ts'
import { type LinearModel, ModelBuilder, type Solve, type Term } from './linear-model.ts'
import { boundOf, type SolverSize, sizeOf, solveModel } from './proposal.ts'

/** What a kWh of a producer is worth at a consumer, such as the price of their contract. */
export interface PairValue {
  readonly producerId: string
  readonly consumerId: string
  readonly valueTryPerKwh: TryPerKwh
}

/** Matched energy of a producer that a consumer gets, in sums over the months. */
export interface PairFlow {
  readonly producerId: string
  readonly consumerId: string
  readonly matchedKwh: Kwh
  /** As the service shares it otherwise: in proportion. */
  readonly proportionalKwh: Kwh
  readonly valueTry: Try
}

export interface PairingProposal {
  readonly flows: readonly PairFlow[]
  readonly valueTry: Try
  readonly proportionalTry: Try
  readonly boundTry: Try | null
  readonly gapTry: Try | null
  readonly solver: SolverSize
}

type Values = ReadonlyMap<string, TryPerKwh>
const keyOf = (producerId: string, consumerId: string): string => `${producerId} ${consumerId}`

/**
 * Who gets whose matched energy. How much each producer and consumer has of it in an hour follows from the rules; which
 * of them belong together does not, and no amount of the netting depends on it. The model is that choice itself, and
 * its corners are whole Wh, so it leaves nothing out but the last digit of amounts. Hours do not depend on each other,
 * so they are solved in parts. Throws OptimisationFault.
 */
export function optimisePairing(
  base: ScenarioBase,
  pairs: readonly PairValue[],
  solve: Solve,
): PairingProposal {
  for (const input of base.inputs) refuseGroup(input)
  const values: Values = new Map(
    pairs.map((one) => [keyOf(one.producerId, one.consumerId), one.valueTryPerKwh]),
  )
  const slices = base.inputs
    .flatMap((input) => netPeriod(input).netted)
    .filter((slice) => slice.matchedKwh > 0n)
  const best = new Map<string, Kwh>()
  const proportional = new Map<string, Kwh>()
  const solved = partsOf(slices).map((part) => {
    const { model, columns } = makeModel(part, values)
    const result = solveModel(model, solve)
    part.forEach((slice, index) => {
      addFlows(best, slice, { columns: at(columns, index), solved: result.values })
    })
    return { bound: result.bound, size: sizeOf(model, result) }
  })
  for (const part of slices.flatMap(allocateSlice))
    put(proportional, keyOf(part.producerId, part.consumerId), part.matchedKwh)
  const flows = makeFlows(values, best, proportional)
  const valueTry = valueOfFlows(values, best)
  const bound = solved.reduce((sum, one) => sum + one.bound, 0)
  const boundTry = boundOf(bound, flows.length)
  const gap = boundTry === null ? null : boundTry - valueTry
  return {
    ...{ flows, valueTry, proportionalTry: valueOfFlows(values, proportional), boundTry },
    gapTry: gap === null ? null : ((gap > 0n ? gap : 0n) as Try),
    solver: sumSizes(solved.map(({ size }) => size)),
  }
}

/** Factors of one model at most. */
const PART_FACTORS = 50_000

/** The slices in parts whose models have a limited size; each pair of a slice has two factors. */
function partsOf(slices: readonly NettedSlice[]): NettedSlice[][] {
  const parts: NettedSlice[][] = []
  let left = 0
  for (const slice of slices) {
    const factors = 2 * slice.producers.length * slice.consumers.length
    const part = parts.at(-1)
    if (part && factors <= left) part.push(slice)
    else {
      parts.push([slice])
      left = PART_FACTORS
    }
    left -= factors
  }
  return parts
}

const sumSizes = (sizes: readonly SolverSize[]): SolverSize => ({
  status: sizes.every(({ status }) => status === 'optimal') ? 'optimal' : 'limit',
  columns: sizes.reduce((sum, { columns }) => sum + columns, 0),
  rows: sizes.reduce((sum, { rows }) => sum + rows, 0),
})

const put = (sums: Map<string, Kwh>, key: string, energy: Kwh): void => {
  sums.set(key, add(sums.get(key) ?? ZERO_KWH, energy))
}

function makeFlows(
  values: Values,
  best: ReadonlyMap<string, Kwh>,
  proportional: ReadonlyMap<string, Kwh>,
): PairFlow[] {
  return [...new Set([...best.keys(), ...proportional.keys()])].toSorted().map((key) => {
    const [producerId = '', consumerId = ''] = key.split(' ')
    const matchedKwh = best.get(key) ?? ZERO_KWH
    return {
      ...{ producerId, consumerId, matchedKwh },
      proportionalKwh: proportional.get(key) ?? ZERO_KWH,
      valueTry: valueOfFlow(values, key, matchedKwh),
    }
  })
}

const valueOfFlows = (values: Values, flows: ReadonlyMap<string, Kwh>): Try =>
  [...flows].reduce((sum, [key, energy]) => sum + valueOfFlow(values, key, energy), 0n) as Try

const valueOfFlow = (values: Values, key: string, energy: Kwh): Try =>
  mulPrice(energy, values.get(key) ?? (0n as TryPerKwh))

/** By producer of the slice, then consumer: the column of their energy. */
type SliceColumns = readonly (readonly number[])[]

/** The energy of the columns is in Wh, so that the corners of the model are whole numbers. */
function makeModel(
  slices: readonly NettedSlice[],
  values: Values,
): { readonly model: LinearModel; readonly columns: readonly SliceColumns[] } {
  const builder = new ModelBuilder()
  const columns = slices.map(({ producers, consumers }): SliceColumns => {
    const own = producers.map((producer) =>
      consumers.map((consumer) => {
        const key = keyOf(producer.party.member.facilityId, consumer.party.member.facilityId)
        const cost = Number(values.get(key) ?? 0n) / 1e9
        return builder.column({ cost, upper: Number(smaller(producer.matchedKwh, consumer.matchedKwh)) })
      }),
    )
    producers.forEach(({ matchedKwh }, index) => {
      builder.exactly(
        at(own, index).map((column): Term => [column, 1]),
        Number(matchedKwh),
      )
    })
    consumers.forEach(({ matchedKwh }, index) => {
      builder.exactly(
        own.map((row): Term => [at(row, index), 1]),
        Number(matchedKwh),
      )
    })
    return own
  })
  return { model: builder.build(), columns }
}

interface SolvedSlice {
  readonly columns: SliceColumns
  readonly solved: readonly number[]
}

/** Adds the flows of a slice, whose sums are exactly the matched energy of each producer and consumer. */
function addFlows(
  flows: Map<string, Kwh>,
  { producers, consumers }: NettedSlice,
  { columns, solved }: SolvedSlice,
): void {
  const left = consumers.map(({ matchedKwh }) => matchedKwh)
  const rest = producers.map(({ matchedKwh }) => matchedKwh)
  const give = (producer: number, consumer: number, wanted: Kwh) => {
    const energy = smaller(smaller(wanted, at(rest, producer)), at(left, consumer))
    if (energy <= 0n) return
    rest[producer] = subtract(at(rest, producer), energy)
    left[consumer] = subtract(at(left, consumer), energy)
    const { facilityId } = at(producers, producer).party.member
    put(flows, keyOf(facilityId, at(consumers, consumer).party.member.facilityId), energy)
  }
  columns.forEach((row, producer) => {
    row.forEach((column, consumer) => {
      give(producer, consumer, wh(BigInt(Math.round(at(solved, column)))))
    })
  })
  // What the solver left by its tolerance.
  columns.forEach((row, producer) => {
    row.forEach((_, consumer) => {
      give(producer, consumer, at(rest, producer))
    })
  })
}
