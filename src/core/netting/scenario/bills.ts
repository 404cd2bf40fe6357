import { type Kwh, type Try, total } from '../../../kernel/decimal.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { savingsValue } from '../amounts/estimated-savings.ts'
import type { Pricing } from '../amounts/pricing.ts'
import type { ConsumerShare, NettedSlice } from '../match.ts'
import type { AmountRow, PeriodInput } from '../types.ts'

/** The value of the whole consumption of an hour; null where a part of it has no price. */
export type BillOf = (slice: NettedSlice, share: ConsumerShare) => Try | null

interface Bill extends Pick<ConsumerShare, 'party' | 'consumptionKwh'> {
  readonly value: Try | null
}

interface WindowBills {
  readonly prices: PeriodInput['prices']
  readonly hourlyBillPrices: PeriodInput['hourlyBillPrices'] | undefined
  /** By facility, then by hour of the window. */
  readonly byFacility: Map<string, (Bill | undefined)[]>
}

/**
 * Bills that the runs of a window share: the value of a consumption does not depend on what it is matched with, so a
 * larger plant or another limit leaves it as it is. The first bill of a facility and hour is kept. It serves every run
 * in which all that it depends on is the same; any other run computes its own.
 */
export class BillCache {
  private readonly windows = new Map<string, WindowBills>()

  /** The bills of one run. */
  open(input: PeriodInput, pricing: Pricing): BillOf {
    // A month has one bill for each consumer.
    if (pricing.isMonthly) return (slice, share) => valueOfBill(pricing, slice, share)
    const { prices, hourlyBillPrices, window, groupId } = input
    const key = `${groupId} ${window.from} ${window.to}`
    const known: WindowBills = this.windows.get(key) ?? { prices, hourlyBillPrices, byFacility: new Map() }
    this.windows.set(key, known)
    if (known.prices !== prices || known.hourlyBillPrices !== hourlyBillPrices)
      return (slice, share) => valueOfBill(pricing, slice, share)
    return (slice, share) => {
      const { facilityId } = share.party.member
      const bills = known.byFacility.get(facilityId) ?? []
      known.byFacility.set(facilityId, bills)
      const index = (slice.slice.hour - window.from) / HOUR_MS
      const kept = bills[index]
      if (kept && isSameBill(kept, share)) return kept.value
      const value = valueOfBill(pricing, slice, share)
      if (!kept) bills[index] = { party: share.party, consumptionKwh: share.consumptionKwh, value }
      return value
    }
  }
}

function isSameBill(kept: Bill, { party, consumptionKwh }: ConsumerShare): boolean {
  return (
    kept.consumptionKwh === consumptionKwh &&
    kept.party.member === party.member &&
    kept.party.selfConsumptionKwh === party.selfConsumptionKwh &&
    kept.party.stepRoom === party.stepRoom
  )
}

/**
 * The bill of an hour is the value of the whole consumption by the rule that values matched energy, so that a step or a
 * market price counts once. What is bought costs the bill less the savings.
 */
export function valueOfBill(pricing: Pricing, slice: NettedSlice, share: ConsumerShare): Try | null {
  const { party, consumptionKwh } = share
  return savingsValue(pricing, slice, { party, consumptionKwh, matchedKwh: consumptionKwh })
}

/** The amount of a quantity; null where a part of it has no price. */
export function amountOf(rows: readonly AmountRow[], quantityKwh: Kwh): Try | null {
  const priced = rows.filter((row) => row.amountTry !== null)
  if (total(priced.map((row) => row.quantityKwh)) !== quantityKwh) return null
  return total(priced.flatMap((row) => row.amountTry ?? [])) as Try
}
