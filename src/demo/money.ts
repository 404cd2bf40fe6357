import {
  add,
  type Kwh,
  larger,
  mulPrice,
  parsePrice,
  roundDiv,
  smaller,
  subtract,
  type Try,
  type TryPerKwh,
  ZERO_KWH,
} from '../kernel/decimal.ts'

/** A month of a group as the public API returns it. */
export interface MonthFigures {
  readonly productionKwh: Kwh
  readonly consumptionKwh: Kwh
  /** What the hours matched, one by one. */
  readonly matchedByHourKwh: Kwh
  /** Sum of estimated_savings over what was matched: what a matched kWh spares its consumers. */
  readonly savedTryPerKwh: TryPerKwh
  readonly paidTryPerKwh: TryPerKwh
  readonly feeTryPerKwh: TryPerKwh
  /** What was left of the limits when the month began; null: surplus is paid without limit. */
  readonly limitKwh: Kwh | null
}

export interface Comparison {
  readonly matchedLessKwh: Kwh
  readonly costTry: Try
}

/**
 * What hourly netting cost against monthly netting: the same month once with what its hours matched, once as one
 * slice. In both, a matched kWh is worth the mean saving of the month, surplus earns the paid price as far as the
 * limit goes, and owes the fee beyond it.
 */
export function compareNetting(month: MonthFigures): Comparison {
  const monthly = smaller(month.productionKwh, month.consumptionKwh)
  return {
    matchedLessKwh: subtract(monthly, month.matchedByHourKwh),
    costTry: subtract(valueOf(month, monthly), valueOf(month, month.matchedByHourKwh)),
  }
}

function valueOf(month: MonthFigures, matchedKwh: Kwh): Try {
  const surplusKwh = subtract(month.productionKwh, matchedKwh)
  const leftKwh =
    month.limitKwh === null ? surplusKwh : larger(subtract(month.limitKwh, matchedKwh), ZERO_KWH)
  const paidKwh = smaller(surplusKwh, leftKwh)
  const earned = add(mulPrice(matchedKwh, month.savedTryPerKwh), mulPrice(paidKwh, month.paidTryPerKwh))
  return subtract(earned, mulPrice(subtract(surplusKwh, paidKwh), month.feeTryPerKwh))
}

/** A mean price; zero where there is no quantity. */
export const meanPrice = (amount: Try, quantity: Kwh): TryPerKwh =>
  quantity === 0n ? parsePrice('0') : (roundDiv(amount * 1000n, quantity) as TryPerKwh)
