import type { Kwh } from '../../../kernel/decimal.ts'
import { iso } from '../../../kernel/time.ts'
import { lowestPrice } from '../amounts/lowest-price.ts'
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

/** Price of energy, TRY/kWh, as a number for a model. */
export interface HourPrices {
  /** Paid surplus. 0 where there is none to pay. */
  readonly paid: number
  /** The lowest fee of surplus over the limit. */
  readonly fee: number
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
  if (netted.productionKwh === 0n) return { paid: 0, fee: 0 }
  const { slice } = netted
  const paid = lowestPrice(context.pricing, slice)
  const fees = slice.producers.map(({ member }) =>
    systemUsagePrice(context.pricing.book, luClassOf(member).luClass, slice.date),
  )
  if (!paid || fees.includes(null)) throw missingPrice(context, netted)
  const known = fees.flatMap((row) => (row ? [Number(row.priceTryPerKwh) / MICRO] : []))
  return { paid: Number(paid.priceTryPerKwh) / MICRO, fee: Math.min(...known) }
}

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
