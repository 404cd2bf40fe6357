import { type Kwh, total, ZERO_KWH } from '../../kernel/decimal.ts'
import type { LocalDate } from '../../kernel/time.ts'
import { figuresOf } from './figures.ts'
import { type NettedSlice, netSlice } from './match.ts'
import type { ConsumerPart, ProducerPart, Slice } from './slices.ts'
import { stepThreshold } from './steps.ts'
import { sortedBy } from './text-order.ts'
import type { HourRow, PeriodInput } from './types.ts'

/**
 * Residential netting: the month as one slice, production and consumption of each home summed, surplus paid
 * without limit; `date` chooses the prices. An unknown hour counts as 0; only a month in which no home has
 * any consumption value is free.
 *
 * [inferred] Storage export stays out of it: it is a share of an hour's surplus, and a month has only its
 * own.
 */
export function netMonth(hours: readonly Slice[], input: PeriodInput, date: LocalDate): NettedSlice {
  const { producers, ...month } = monthSlice(hours, input, date)
  const netted = netSlice({
    ...month,
    producers: producers.map((producer) => ({ ...producer, storageExportKwh: ZERO_KWH })),
  })
  return { ...netted, bedelliReason: 'mesken_monthly' }
}

/** The hours as one slice; an unknown hour counts as 0. */
export const monthSlice = (hours: readonly Slice[], input: PeriodInput, date: LocalDate): Slice => ({
  hour: input.window.from,
  date,
  producers: sumProducers(hours),
  consumers: sumConsumers(hours, input),
  dataQuality: 'complete',
})

/** Groups the parts of one facility over the hours; its latest membership speaks for it. */
function byFacility<P extends ProducerPart | ConsumerPart>(parts: Iterable<P>): P[][] {
  const groups = new Map<string, P[]>()
  for (const part of parts) {
    const known = groups.get(part.member.facilityId)
    if (known) known.push(part)
    else groups.set(part.member.facilityId, [part])
  }
  return sortedBy([...groups.entries()], ([facilityId]) => facilityId).map(([, group]) => group)
}

function sumProducers(hours: readonly Slice[]): ProducerPart[] {
  return byFacility(hours.flatMap((hour) => hour.producers)).flatMap((parts) => {
    const last = parts.at(-1)
    if (!last) return []
    const productionKwh = sumKnown(parts.map((part) => part.productionKwh))
    const storageExportKwh = total(parts.map((part) => part.storageExportKwh))
    const isDischargeUnknown = parts.some((part) => part.isDischargeUnknown === true)
    return [{ member: last.member, productionKwh, storageExportKwh, isDischargeUnknown }]
  })
}

function sumConsumers(hours: readonly Slice[], input: PeriodInput): ConsumerPart[] {
  return byFacility(hours.flatMap((hour) => hour.consumers)).flatMap((parts) => {
    const last = parts.at(-1)
    if (!last) return []
    const hasMissingHour = parts.some((part) => part.consumptionKwh === null)
    const threshold = stepThreshold(last.member, input.members, input.billingPeriod)
    return [
      {
        member: last.member,
        accountId: last.accountId,
        consumptionKwh: sumKnown(parts.map((part) => part.consumptionKwh)),
        selfConsumptionKwh: sumKnown(parts.map((part) => part.selfConsumptionKwh)),
        stepRoom: threshold === undefined ? 'none' : hasMissingHour ? null : threshold,
      },
    ]
  })
}

/** The sum of the known values; null when none is known. */
function sumKnown(values: readonly (Kwh | null)[]): Kwh | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : total(known)
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
