import { type BillingPeriod, type LocalDate, localDate, localHour, periodEnd } from '../../../kernel/time.ts'
import { compareText } from '../text-order.ts'
import type { AboneGrubu, PricePurpose, PriceRowInput, TimeSegment, VoltageLevel } from '../types.ts'

export interface PriceQuery {
  readonly purpose: PricePurpose
  readonly aboneGrubu: AboneGrubu
  readonly segment: TimeSegment | null
  readonly stepNo: number | null
  /** The voltage level of the consumer; null: unknown. */
  readonly voltageLevel: VoltageLevel | null
}

/** Rows of one price set that share their billing period. */
export type PriceSet = readonly PriceRowInput[]

export interface PriceBook {
  /** The row that prices a quantity on a local date, or null. */
  resolve(query: PriceQuery, date: LocalDate): PriceRowInput | null
  /** The sets with rows of a purpose, newest first, for choices that `resolve` cannot express. */
  setsOf(purpose: PricePurpose): readonly PriceSet[]
  /** Whether rows of a purpose and subscriber group that are valid on a date are only for OG or YG. */
  hasHigherVoltage(query: Pick<PriceQuery, 'purpose' | 'aboneGrubu'>, date: LocalDate): boolean
  /** Step numbers that rows of a purpose and subscriber group carry. */
  stepsOf(purpose: PricePurpose, aboneGrubu: AboneGrubu): readonly number[]
  /** Remembers a choice made outside `resolve`, for the input hash. */
  memoize(key: string, choose: () => PriceRowInput | null): PriceRowInput | null
  /** Every lookup so far with its result. */
  lookups(): ReadonlyMap<string, PriceRowInput | null>
}

/**
 * The prices in force for one billing period. [inferred] Approved rows of the period and of earlier ones
 * count while they are valid. Rows of an archived set count only for their own period, so that a late
 * correction keeps its amounts.
 */
export function openPriceBook(rows: readonly PriceRowInput[], billingPeriod: BillingPeriod): PriceBook {
  const usable = rows.filter((row) =>
    row.setStatus === 'approved' ? row.billingPeriod <= billingPeriod : row.billingPeriod === billingPeriod,
  )
  const memo = new Map<string, PriceRowInput | null>()
  const setsByKey = new Map<string, readonly PriceSet[]>()
  const higherVoltage = new Map<string, boolean>()
  const setsFor = (key: string, isPart: (row: PriceRowInput) => boolean): readonly PriceSet[] => {
    const known = setsByKey.get(key) ?? groupSets(usable.filter(isPart))
    setsByKey.set(key, known)
    return known
  }
  const remember: PriceBook['memoize'] = (key, choose) => {
    const known = memo.get(key)
    if (known !== undefined) return known
    const chosen = choose()
    memo.set(key, chosen)
    return chosen
  }
  return {
    resolve(query, date) {
      const { purpose, aboneGrubu, segment, stepNo, voltageLevel } = query
      const level = voltageLevel === null ? '' : `|${voltageLevel}`
      return remember(`${purpose}|${aboneGrubu}|${segment}|${stepNo}|${date}${level}`, () => {
        const isPart = (row: PriceRowInput) => row.purpose === purpose && row.aboneGrubu === aboneGrubu
        return choosePrice(setsFor(`${purpose}|${aboneGrubu}`, isPart), query, date)
      })
    },
    setsOf: (purpose) => setsFor(purpose, (row) => row.purpose === purpose),
    hasHigherVoltage({ purpose, aboneGrubu }, date) {
      const key = `${purpose}|${aboneGrubu}|${date}`
      const known = higherVoltage.get(key)
      if (known !== undefined) return known
      const isSo = usable.some(
        (row) =>
          row.purpose === purpose &&
          row.aboneGrubu === aboneGrubu &&
          isForHigherVoltage(row) &&
          isValidOn(row, date),
      )
      higherVoltage.set(key, isSo)
      return isSo
    },
    stepsOf(purpose, aboneGrubu) {
      const steps = usable
        .filter((row) => row.purpose === purpose && row.aboneGrubu === aboneGrubu)
        .flatMap((row) => (row.stepNo === null ? [] : [row.stepNo]))
      return [...new Set(steps)].sort((a, b) => a - b)
    },
    memoize: remember,
    lookups: () => memo,
  }
}

/** Newest first: billing period of the row, then approval; inside a set the later validity, then the id. */
function groupSets(rows: readonly PriceRowInput[]): PriceSet[] {
  const sorted = [...rows].sort(
    (a, b) =>
      compareText(b.billingPeriod, a.billingPeriod) ||
      b.approvedAt - a.approvedAt ||
      compareText(a.setId, b.setId) ||
      compareText(b.validFrom, a.validFrom) ||
      compareText(a.id, b.id),
  )
  const sets = new Map<string, PriceRowInput[]>()
  for (const row of sorted) {
    const key = `${row.billingPeriod}|${row.setId}`
    const known = sets.get(key)
    if (known) known.push(row)
    else sets.set(key, [row])
  }
  return [...sets.values()]
}

export const isValidOn = (row: PriceRowInput, date: LocalDate): boolean =>
  row.validFrom <= date && (row.validTo === null || date <= row.validTo)

export const isForHigherVoltage = ({ voltageLevel }: PriceRowInput): boolean =>
  voltageLevel === 'OG' || voltageLevel === 'YG'

/**
 * [inferred] The newest billing period is searched before an older one. Within a period, the rows of the
 * consumer's voltage level are searched in all its sets, then rows without a level, then those of low voltage.
 * Within a level, every key is tried in the newest set before an older set is used.
 */
function choosePrice(sets: readonly PriceSet[], query: PriceQuery, date: LocalDate): PriceRowInput | null {
  const keys = fallbackKeys(query)
  for (const period of groupPeriods(sets)) {
    for (const level of fallbackLevels(query)) {
      const ofLevel = (row: PriceRowInput) => (row.voltageLevel ?? null) === level && isValidOn(row, date)
      for (const set of period) {
        const row = findByKey(set.filter(ofLevel), keys)
        if (row) return row
      }
    }
  }
  return null
}

function findByKey(rows: readonly PriceRowInput[], keys: readonly Key[]): PriceRowInput | undefined {
  for (const [segment, stepNo] of keys) {
    const row = rows.find((candidate) => candidate.timeSegment === segment && candidate.stepNo === stepNo)
    if (row) return row
  }
  return undefined
}

/** The sets of each billing period, in the given order. */
function groupPeriods(sets: readonly PriceSet[]): (readonly PriceSet[])[] {
  const periods = new Map<BillingPeriod | undefined, PriceSet[]>()
  for (const set of sets) {
    const period = set[0]?.billingPeriod
    const known = periods.get(period)
    if (known) known.push(set)
    else periods.set(period, [set])
  }
  return [...periods.values()]
}

/** A consumer whose level is unknown is priced as one of low voltage, and by other rows only if none are left. */
const fallbackLevels = ({ voltageLevel }: PriceQuery): readonly (VoltageLevel | null)[] => {
  if (voltageLevel === null) return [null, 'AG', 'OG', 'YG']
  return voltageLevel === 'AG' ? ['AG', null] : [voltageLevel, null, 'AG']
}

type Key = readonly [TimeSegment | null, number | null]

/** The exact key, then the row without step, then single-time rows, then rows without a segment. */
const fallbackKeys = ({ segment, stepNo }: PriceQuery): readonly Key[] => [
  [segment, stepNo],
  [segment, null],
  ['tek', stepNo],
  ['tek', null],
  [null, stepNo],
  [null, null],
]

/** Local clock hours of the multi-time tariff: day 06-17, peak 17-22, night 22-06. */
const SEGMENT_STARTS: readonly (readonly [number, TimeSegment])[] = [
  [22, 'gece'],
  [17, 'puant'],
  [6, 'gunduz'],
]

export function segmentOf(hour: number): TimeSegment {
  const clock = localHour(hour)
  return SEGMENT_STARTS.find(([start]) => clock >= start)?.[1] ?? 'gece'
}

/**
 * [inferred] The date that determines the prices of a residential month: its first day, or, where the tariff
 * begins later in the month, the first day on which homes have a tariff.
 */
export const monthPriceDate = (book: PriceBook, billingPeriod: BillingPeriod): LocalDate =>
  firstPriceDate(book, billingPeriod, new Set(['mesken']))

/**
 * The first day of the period on which one of the subscriber groups has a related tariff; without any its
 * first.
 */
export function firstPriceDate(
  book: PriceBook,
  billingPeriod: BillingPeriod,
  groups: ReadonlySet<AboneGrubu>,
): LocalDate {
  const lastDate = localDate(periodEnd(billingPeriod) - 1)
  const starts = book
    .setsOf('mahsuplasma_related_tariff')
    .flat()
    .filter((row) => groups.has(row.aboneGrubu) && row.validFrom <= lastDate)
    .filter((row) => row.validTo === null || row.validTo >= billingPeriod)
    .map((row) => (row.validFrom < billingPeriod ? billingPeriod : row.validFrom))
  return starts.sort(compareText)[0] ?? billingPeriod
}
