import { type BillingPeriod, type LocalDate, localDate, localHour, periodEnd } from '../../../kernel/time.ts'
import { compareText } from '../text-order.ts'
import type { AboneGrubu, PricePurpose, PriceRowInput, TimeSegment } from '../types.ts'

interface PriceQuery {
  readonly purpose: PricePurpose
  readonly aboneGrubu: AboneGrubu
  readonly segment: TimeSegment | null
  readonly stepNo: number | null
}

/** Rows of one price set that share their billing period. */
export type PriceSet = readonly PriceRowInput[]

export interface PriceBook {
  /** The row that prices a quantity on a local date, or null. */
  resolve(query: PriceQuery, date: LocalDate): PriceRowInput | null
  /** The sets with rows of a purpose, newest first, for choices that `resolve` cannot express. */
  setsOf(purpose: PricePurpose): readonly PriceSet[]
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
      const { purpose, aboneGrubu, segment, stepNo } = query
      return remember(`${purpose}|${aboneGrubu}|${segment}|${stepNo}|${date}`, () => {
        const isPart = (row: PriceRowInput) => row.purpose === purpose && row.aboneGrubu === aboneGrubu
        return choosePrice(setsFor(`${purpose}|${aboneGrubu}`, isPart), query, date)
      })
    },
    setsOf: (purpose) => setsFor(purpose, (row) => row.purpose === purpose),
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

/**
 * [inferred] Every key is tried in the newest set before an older set is used. The voltage level is not part
 * of a row's key and selects nothing.
 */
function choosePrice(sets: readonly PriceSet[], query: PriceQuery, date: LocalDate): PriceRowInput | null {
  const keys = fallbackKeys(query)
  for (const set of sets) {
    for (const [segment, stepNo] of keys) {
      const row = set.find(
        (candidate) =>
          candidate.timeSegment === segment && candidate.stepNo === stepNo && isValidOn(candidate, date),
      )
      if (row) return row
    }
  }
  return null
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
