import type { Kwh } from '../../../kernel/decimal.ts'
import { iso } from '../../../kernel/time.ts'
import { lowestPrice, lowestPriceOf } from '../amounts/lowest-price.ts'
import type { Pricing } from '../amounts/pricing.ts'
import { luClassOf, systemUsagePrice } from '../amounts/system-usage-price.ts'
import type { ConsumerShare, NettedSlice } from '../match.ts'
import { valueOfBill } from '../scenario/bills.ts'
import type { StepRoom } from '../steps.ts'
import { OPTIMISATION_FAULTS, OptimisationFault } from './messages.ts'

/** Energy whose bill gives a price with all its digits. */
const PROBE_KWH = 1_000_000n as Kwh
const MICRO = 1e6
const PROBE_IN_KWH = Number(PROBE_KWH) / 1_000

/** The lowest and the highest fee of surplus over the limit, TRY/kWh, as numbers for a model. */
interface HourFees {
  readonly fee: number
  readonly feeMax: number
}

export interface HourPrices extends HourFees {
  /** Paid surplus. 0 where there is none to pay. */
  readonly paid: number
}

export interface PriceContext {
  readonly groupId: string
  readonly pricing: Pricing
}

export const kwhNumber = (value: Kwh): number => Number(value) / 1_000

function missingPrice({ groupId }: PriceContext, { slice }: NettedSlice): OptimisationFault {
  const text = OPTIMISATION_FAULTS.OPTIMISATION_PRICE_MISSING({ group: groupId, hour: iso(slice.hour) })
  return new OptimisationFault('group_ids', text)
}

/** The prices of the surplus of a slice. Throws OptimisationFault where production has none. */
export function surplusPrices(context: PriceContext, netted: NettedSlice): HourPrices {
  if (netted.productionKwh === 0n) return { paid: 0, fee: 0, feeMax: 0 }
  const paid = lowestPrice(context.pricing, netted.slice)
  if (!paid) throw missingPrice(context, netted)
  return { paid: Number(paid.priceTryPerKwh) / MICRO, ...surplusFees(context, netted) }
}

/** The fees of the producers of a slice with production. Throws OptimisationFault where one has none. */
export function surplusFees(context: PriceContext, netted: NettedSlice): HourFees {
  const { slice } = netted
  const fees = slice.producers.map(({ member }) =>
    systemUsagePrice(context.pricing.book, luClassOf(member).luClass, slice.date),
  )
  if (fees.includes(null)) throw missingPrice(context, netted)
  const known = fees.flatMap((row) => (row ? [Number(row.priceTryPerKwh) / MICRO] : []))
  return { fee: Math.min(...known), feeMax: Math.max(...known) }
}

/** The highest price that paid surplus could have, whichever of the consumers are together. */
export const highestPaidPrice = ({ pricing }: PriceContext, { slice }: NettedSlice): number =>
  Math.max(
    0,
    ...slice.consumers.map(
      ({ member }) => Number(lowestPriceOf(pricing, [member], slice.date)?.priceTryPerKwh ?? 0n) / MICRO,
    ),
  )

/**
 * The lowest price of the bill of a consumer in a slice: where its month can be on either side of a step, that of the
 * cheaper step. `moreKwh` is what a change may add to its consumption. Without a price throws OptimisationFault.
 */
export function billPrice(
  context: PriceContext,
  netted: NettedSlice,
  { share, moreKwh, isStepOpen }: BillPriceOf,
): number {
  const rooms = stepRooms(share, moreKwh, isStepOpen)
  const prices = rooms.map((stepRoom) => {
    const party = { ...share.party, stepRoom, selfConsumptionKwh: null }
    return valueOfBill(context.pricing, netted, { party, consumptionKwh: PROBE_KWH, matchedKwh: PROBE_KWH })
  })
  if (prices.includes(null)) throw missingPrice(context, netted)
  return Math.min(...prices.map((price) => Number(price) / MICRO / PROBE_IN_KWH))
}

interface BillPriceOf {
  readonly share: ConsumerShare
  readonly moreKwh: Kwh
  /** The consumption of the month so far may change in both directions. */
  readonly isStepOpen: boolean
}

function stepRooms({ party, consumptionKwh }: ConsumerShare, moreKwh: Kwh, isStepOpen: boolean): StepRoom[] {
  const { stepRoom } = party
  if (stepRoom === 'none' || stepRoom === null) return [stepRoom]
  const none = 0n as Kwh
  if (isStepOpen) return [none, PROBE_KWH]
  if (stepRoom === 0n) return [none]
  return stepRoom >= consumptionKwh + moreKwh ? [PROBE_KWH] : [none, PROBE_KWH]
}
