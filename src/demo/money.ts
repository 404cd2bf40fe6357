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
  /** The energy that was matched hour by hour. */
  readonly matchedByHourKwh: Kwh
  /** estimated_savings per matched kWh: the amount that a matched kWh saves its consumers. */
  readonly savedTryPerKwh: TryPerKwh
  readonly paidTryPerKwh: TryPerKwh
  readonly feeTryPerKwh: TryPerKwh
  /** The remaining limits at the beginning of the month; null: surplus is paid without limit. */
  readonly limitKwh: Kwh | null
}

export interface Comparison {
  readonly matchedLessKwh: Kwh
  readonly costTry: Try
}

/**
 * Compares hourly with monthly netting: the same month once with the energy that its hours matched, once as
 * one slice. In both, a matched kWh has the mean saving of the month; surplus earns the price of paid
 * surplus within the limit and owes the fee beyond it.
 */
export function compareNetting(month: MonthFigures): Comparison {
  const monthly = smaller(month.productionKwh, month.consumptionKwh)
  return {
    matchedLessKwh: subtract(monthly, month.matchedByHourKwh),
    costTry: subtract(valueOfMonth(month, monthly), valueOfMonth(month, month.matchedByHourKwh)),
  }
}

function valueOfMonth(month: MonthFigures, matchedKwh: Kwh): Try {
  const surplusKwh = subtract(month.productionKwh, matchedKwh)
  const leftKwh =
    month.limitKwh === null ? surplusKwh : larger(subtract(month.limitKwh, matchedKwh), ZERO_KWH)
  const paidKwh = smaller(surplusKwh, leftKwh)
  const earned = add(mulPrice(matchedKwh, month.savedTryPerKwh), mulPrice(paidKwh, month.paidTryPerKwh))
  return subtract(earned, mulPrice(subtract(surplusKwh, paidKwh), month.feeTryPerKwh))
}

/** Returns a mean price; zero where there is no quantity. */
export const meanPrice = (amount: Try, quantity: Kwh): TryPerKwh =>
  quantity === 0n ? parsePrice('0') : (roundDiv(amount * 1000n, quantity) as TryPerKwh)
