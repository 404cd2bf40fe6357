import { add, type Kwh, subtract } from '../../kernel/decimal.ts'
import type { NettedSlice } from './match.ts'
import type { Figures } from './types.ts'

/**
 * The figures of a netted slice. The netting counts an unknown value as 0; a figure that depends on such a value alone
 * is unknown and not 0. Production is unknown when the slice has producers and none of them has a value; without
 * producers it is 0. The same applies to consumption. Matched energy and the classes of surplus are parts of the
 * production. Where only the consumption is unknown, they follow from a rule (the production is free), so they are
 * known; only the net import is not.
 */
export function figuresOf(netted: NettedSlice): Figures {
  const { producers, consumers } = netted.slice
  const isEmpty = producers.length + consumers.length === 0
  const knowsProduction = !isEmpty && isKnown(producers, ({ productionKwh }) => productionKwh !== null)
  const knowsConsumption = !isEmpty && isKnown(consumers, ({ consumptionKwh }) => consumptionKwh !== null)
  const ofProduction = (kwh: Kwh): Kwh | null => (knowsProduction ? kwh : null)
  const { productionKwh, consumptionKwh, matchedKwh } = netted
  return {
    productionKwh: ofProduction(productionKwh),
    consumptionKwh: knowsConsumption ? consumptionKwh : null,
    matchedKwh: ofProduction(matchedKwh),
    surplusKwh: ofProduction(subtract(productionKwh, matchedKwh)),
    netImportKwh: knowsProduction && knowsConsumption ? subtract(consumptionKwh, matchedKwh) : null,
    bedelliKwh: ofProduction(netted.bedelliKwh),
    skbKwh: ofProduction(netted.skbKwh),
    bedelsizKwh: ofProduction(netted.bedelsizKwh),
    matchedOverLimitKwh: ofProduction(netted.matchedOverLimitKwh),
  }
}

const isKnown = <T>(parts: readonly T[], hasValue: (part: T) => boolean): boolean =>
  parts.length === 0 || parts.some(hasValue)

/** The sum of the known values; null without any. */
export const sumOfKnown = (values: Iterable<Kwh | null>): Kwh | null => {
  let sum: Kwh | null = null
  for (const value of values) {
    if (value !== null) sum = sum === null ? value : add(sum, value)
  }
  return sum
}
