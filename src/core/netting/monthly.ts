import { add, type Kwh, ZERO_KWH } from '../../kernel/decimal.ts'
import type { LocalDate } from '../../kernel/time.ts'
import { figuresOf } from './figures.ts'
import { type NettedSlice, netSlice } from './match.ts'
import { groupByFacility } from './members.ts'
import type { ConsumerPart, ProducerPart, Slice } from './slices.ts'
import { stepThreshold } from './steps.ts'
import { sortedBy } from './text-order.ts'
import type { HourRow, PeriodInput } from './types.ts'

/**
 * Residential netting: the month as one slice, production and consumption of each home summed, surplus paid
 * without limit. An unknown hour counts as 0; only a month in which no home has
 * any consumption value is free.
 *
 * [inferred] Storage export stays out of it: it is a share of an hour's surplus, and a month has only its
 * own.
 */
export function netMonth({ producers, ...month }: Slice): NettedSlice {
  const netted = netSlice({
    ...month,
    producers: producers.map((producer) => ({ ...producer, storageExportKwh: ZERO_KWH })),
  })
  return { ...netted, bedelliReason: 'mesken_monthly' }
}

type MonthInput = Pick<PeriodInput, 'window' | 'members' | 'billingPeriod'>
type ConsumerSum = Omit<ConsumerPart, 'stepRoom'> & { readonly hasMissingHour: boolean }

/**
 * The sum of hours as one slice; an unknown hour counts as 0, and the latest membership of a facility speaks for it.
 * The slice of the month opens with its first hour; its prices are those of `date`.
 */
export class MonthSums {
  readonly #producers = new Map<string, ProducerPart>()
  readonly #consumers = new Map<string, ConsumerSum>()

  add({ producers, consumers }: Slice): void {
    for (const part of producers) {
      const { facilityId } = part.member
      const before = this.#producers.get(facilityId)
      this.#producers.set(facilityId, {
        member: part.member,
        productionKwh: addKnown(before?.productionKwh ?? null, part.productionKwh),
        storageExportKwh: add(before?.storageExportKwh ?? ZERO_KWH, part.storageExportKwh),
        isDischargeUnknown: before?.isDischargeUnknown === true || part.isDischargeUnknown === true,
      })
    }
    for (const part of consumers) {
      const { facilityId } = part.member
      const before = this.#consumers.get(facilityId)
      this.#consumers.set(facilityId, {
        member: part.member,
        accountId: part.accountId,
        consumptionKwh: addKnown(before?.consumptionKwh ?? null, part.consumptionKwh),
        selfConsumptionKwh: addKnown(before?.selfConsumptionKwh ?? null, part.selfConsumptionKwh),
        hasMissingHour: before?.hasMissingHour === true || part.consumptionKwh === null,
      })
    }
  }

  slice({ window, members, billingPeriod }: MonthInput, date: LocalDate): Slice {
    const memberships = groupByFacility(members)
    const consumers = inOrder(this.#consumers).map(({ hasMissingHour, ...sum }): ConsumerPart => {
      const own = memberships.get(sum.member.facilityId) ?? []
      const threshold = stepThreshold(sum.member, own, billingPeriod)
      return { ...sum, stepRoom: threshold === undefined ? 'none' : hasMissingHour ? null : threshold }
    })
    return {
      hour: window.from,
      date,
      producers: inOrder(this.#producers),
      consumers,
      dataQuality: 'complete',
    }
  }
}

const inOrder = <T>(sums: ReadonlyMap<string, T>): T[] =>
  sortedBy([...sums], ([facilityId]) => facilityId).map(([, sum]) => sum)

const addKnown = (a: Kwh | null, b: Kwh | null): Kwh | null => (a === null ? b : b === null ? a : add(a, b))

/** The hours as one slice. */
export function monthSlice(hours: readonly Slice[], input: MonthInput, date: LocalDate): Slice {
  const sums = new MonthSums()
  for (const hour of hours) sums.add(hour)
  return sums.slice(input, date)
}

/** The hour of a home, for information: hourly matching, the whole surplus shown as paid, no limit. */
export function informationalRow(slice: Slice): HourRow {
  const producers = slice.producers.map((party) => ({ ...party, storageExportKwh: ZERO_KWH }))
  const figures = figuresOf(netSlice({ ...slice, producers }))
  const isPaid = figures.productionKwh !== null
  return {
    hour: slice.hour,
    ...figures,
    bedelliKwh: figures.surplusKwh,
    bedelsizKwh: isPaid ? ZERO_KWH : null,
    matchedOverLimitKwh: isPaid ? ZERO_KWH : null,
    limitBeforeKwh: null,
    limitUsedKwh: null,
    limitAfterKwh: null,
    meskenInformational: true,
    dataQuality: slice.dataQuality,
  }
}
