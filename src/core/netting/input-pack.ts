import { at } from '../../kernel/checked.ts'
import { type Kwh, type TryPerKwh, wh } from '../../kernel/decimal.ts'
import { HOUR_MS } from '../../kernel/time.ts'
import type {
  AccountInput,
  FactInput,
  PeriodInput,
  PriceRowInput,
  StepStateInput,
  TakenElsewhere,
} from './types.ts'

/** Increased whenever the format of the text changes; older formats stay readable. */
const FORMAT = 1

const VALUES = [
  'productionKwh',
  'consumptionKwh',
  'selfConsumptionKwh',
  'importKwh',
  'exportKwh',
  'batteryKwh',
] as const satisfies readonly (keyof FactInput)[]
type ValueField = (typeof VALUES)[number]

/**
 * The facts of one facility, source and role: a list for each column, since their repetition is what packs
 * well.
 */
interface Series extends Pick<FactInput, 'facilityId' | 'source' | 'role'> {
  /** Hours since the start of the window, each as its distance from the one before. */
  readonly hours: readonly number[]
  /** One for all where they are all the same. */
  readonly qualities: readonly FactInput['dataQuality'][]
  readonly completeness: readonly number[]
  /** Wh separated by commas; empty for null. A column of nulls is omitted. */
  readonly values: Readonly<Partial<Record<ValueField, string>>>
}

interface Head extends Omit<PeriodInput, 'facts' | 'accounts' | 'takenElsewhere' | 'prices' | 'stepStates'> {
  readonly format: number
}
interface Tail {
  readonly accounts: readonly WithText<AccountInput, 'openingBalanceKwh'>[]
  readonly takenElsewhere?: readonly WithText<TakenElsewhere, 'takenKwh'>[]
  readonly prices: readonly WithText<PriceRowInput, 'priceTryPerKwh'>[]
  readonly stepStates: readonly WithText<StepStateInput, 'consumptionKwh'>[]
}
interface Packed extends Head, Tail {
  readonly series: readonly Series[]
}
/** The integers of these fields as decimal texts. */
type WithText<T, K extends keyof T> = Omit<T, K> & Readonly<Record<K, string>>

/** A text with the complete input, about six characters for each fact. */
export const packInput = ({ facts, ...input }: PeriodInput): string =>
  [...packedPieces(input, packFacts(facts, input.window.from))].join('')

/** The same text in pieces. `series`: what `packFacts` returned, for facilities that it packed one after the other. */
export function* packedPieces(
  { accounts, takenElsewhere, prices, stepStates, ...rest }: Omit<PeriodInput, 'facts'>,
  series: Iterable<string>,
): Generator<string> {
  const head: Head = { format: FORMAT, ...rest }
  yield `${JSON.stringify(head).slice(0, -1)},"series":[`
  let separator = ''
  for (const text of series) {
    yield separator + text
    separator = ','
  }
  const tail: Tail = {
    accounts: accounts.map((row) => ({ ...row, openingBalanceKwh: String(row.openingBalanceKwh) })),
    ...(takenElsewhere && {
      takenElsewhere: takenElsewhere.map((row) => ({ ...row, takenKwh: String(row.takenKwh) })),
    }),
    prices: prices.map((row) => ({ ...row, priceTryPerKwh: String(row.priceTryPerKwh) })),
    stepStates: stepStates.map((row) => ({ ...row, consumptionKwh: String(row.consumptionKwh) })),
  }
  yield `],${JSON.stringify(tail).slice(1)}`
}

/** The inverse of `packInput`. */
export function unpackInput(text: string): PeriodInput {
  const { format, series, accounts, takenElsewhere, prices, stepStates, ...rest } = JSON.parse(text) as Packed
  if (format !== FORMAT) throw new Error(`an input of format ${format}; this version reads ${FORMAT}`)
  return {
    ...rest,
    facts: series.flatMap((one) => unpackSeries(one, rest.window.from)),
    accounts: accounts.map((row) => ({ ...row, openingBalanceKwh: wh(BigInt(row.openingBalanceKwh)) })),
    ...(takenElsewhere && {
      takenElsewhere: takenElsewhere.map((row) => ({ ...row, takenKwh: wh(BigInt(row.takenKwh)) })),
    }),
    prices: prices.map((row) => ({ ...row, priceTryPerKwh: BigInt(row.priceTryPerKwh) as TryPerKwh })),
    stepStates: stepStates.map((row) => ({ ...row, consumptionKwh: wh(BigInt(row.consumptionKwh)) })),
  }
}

/** The series of facts as texts, one for each facility, source and role. `facts`: all facts of their facilities. */
export function packFacts(facts: readonly FactInput[], start: number): string[] {
  const groups = new Map<string, FactInput[]>()
  for (const fact of facts) {
    const key = `${fact.facilityId}|${fact.source}|${fact.role}`
    const known = groups.get(key)
    if (known) known.push(fact)
    else groups.set(key, [fact])
  }
  return [...groups.values()].map((list) => {
    const ordered = list.sort((a, b) => a.hour - b.hour)
    return JSON.stringify(packSeries(ordered, start))
  })
}

/** `facts`: at least one, of one facility, source and role, ascending by hour. */
function packSeries(facts: readonly FactInput[], start: number): Series {
  const { facilityId, source, role } = at(facts, 0)
  const values: Partial<Record<ValueField, string>> = {}
  for (const field of VALUES) {
    if (facts.some((fact) => fact[field] !== null)) {
      values[field] = facts.map((fact) => fact[field] ?? '').join()
    }
  }
  return {
    facilityId,
    source,
    role,
    hours: facts.map(({ hour }, index) => (hour - (facts[index - 1]?.hour ?? start)) / HOUR_MS),
    qualities: shorten(facts.map((fact) => fact.dataQuality)),
    completeness: shorten(facts.map((fact) => fact.completenessPct)),
    values,
  }
}

const shorten = <T>(values: readonly T[]): readonly T[] =>
  values.every((value) => value === values[0]) ? values.slice(0, 1) : values

function unpackSeries(series: Series, start: number): FactInput[] {
  const { facilityId, source, role, hours, qualities, completeness } = series
  const columns = new Map(VALUES.map((field) => [field, series.values[field]?.split(',')]))
  const value = (field: ValueField, index: number): Kwh | null => {
    const text = columns.get(field)?.[index]
    return text ? wh(BigInt(text)) : null
  }
  let hour = start
  return hours.map((distance, index) => {
    hour += distance * HOUR_MS
    return {
      facilityId,
      hour,
      source,
      role,
      productionKwh: value('productionKwh', index),
      consumptionKwh: value('consumptionKwh', index),
      selfConsumptionKwh: value('selfConsumptionKwh', index),
      importKwh: value('importKwh', index),
      exportKwh: value('exportKwh', index),
      batteryKwh: value('batteryKwh', index),
      dataQuality: at(qualities, qualities.length === 1 ? 0 : index),
      completenessPct: at(completeness, completeness.length === 1 ? 0 : index),
    }
  })
}
