import { describe, expect, it } from 'vitest'
import { formatKwh, formatTry, parseKwh, parsePrice, parseTry } from '../kernel/decimal.ts'
import { compareNetting, type MonthFigures, meanPrice } from './money.ts'

const month = (rest: Partial<MonthFigures> = {}): MonthFigures => ({
  productionKwh: parseKwh('100'),
  consumptionKwh: parseKwh('80'),
  matchedByHourKwh: parseKwh('50'),
  savedTryPerKwh: parsePrice('3'),
  paidTryPerKwh: parsePrice('2'),
  feeTryPerKwh: parsePrice('0.5'),
  limitKwh: null,
  ...rest,
})
const shown = (figures: MonthFigures): string[] => {
  const { matchedLessKwh, costTry } = compareNetting(figures)
  return [formatKwh(matchedLessKwh), formatTry(costTry)]
}

describe('hourly against monthly netting', () => {
  it('costs the difference between the saving and the paid price where no limit applies', () => {
    // Monthly: 80 x 3 + 20 x 2 = 280. Hourly: 50 x 3 + 50 x 2 = 250.
    expect(shown(month())).toEqual(['30.000', '30.000000'])
  })

  it('charges the fee for energy beyond the limit', () => {
    // Monthly: 80 x 3 + 10 x 2 - 10 x 0.5 = 255. Hourly: 50 x 3 + 40 x 2 - 10 x 0.5 = 225.
    expect(shown(month({ limitKwh: parseKwh('90') }))).toEqual(['30.000', '30.000000'])
    // No limit left: monthly 240 - 10 = 230, hourly 150 - 25 = 125.
    expect(shown(month({ limitKwh: parseKwh('0') }))).toEqual(['30.000', '105.000000'])
  })

  it('is zero where every hour matched as the month does', () => {
    expect(shown(month({ matchedByHourKwh: parseKwh('80') }))).toEqual(['0.000', '0.000000'])
  })

  it('uses a mean price, and null without energy', () => {
    expect(meanPrice(parseTry('10'), parseKwh('4'))).toBe(parsePrice('2.5'))
    expect(meanPrice(parseTry('0'), parseKwh('0'))).toBe(0n)
  })
})
