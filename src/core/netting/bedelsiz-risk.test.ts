import { expect, test } from 'vitest'
import { makePrices } from '../../../test/support/netting/netting-input.ts'
import { formatTry, parseKwh } from '../../kernel/decimal.ts'
import { type Risk, type RiskInput, riskOf } from './bedelsiz-risk.ts'

const lowest = (price: string, own: Parameters<typeof makePrices>[1]) =>
  makePrices([{ abone: 'sanayi', purpose: 'mahsuplasma_lowest_related_tariff', price, segment: 'tek' }], own)
const may = lowest('2.500000', { id: 'may', billingPeriod: '2026-05-01', validFrom: '2026-05-01' })
const june = lowest('2.909687', { id: 'june', validFrom: '2026-06-11' })
const factory = { facilityId: 'f', aboneGrubu: 'sanayi', validFrom: '2020-01-01', validTo: null } as const

const risk = (free: Record<string, string>, own: Partial<RiskInput> = {}): Risk =>
  riskOf({
    groupId: 'g',
    groupName: 'Group',
    billingPeriod: '2026-06-01',
    prices: [...may, ...june],
    consumers: [factory],
    freeKwh: new Map(Object.entries(free).map(([date, kwh]) => [date, parseKwh(kwh)])),
    ...own,
  })
const amount = ({ amountTry }: Risk) => (amountTry === null ? null : formatTry(amountTry))

test('a single price gives quantity times price, rounded once', () => {
  const result = risk({ '2026-06-12': '0.001', '2026-06-13': '0.001', '2026-06-14': '10.000' })
  // 10.002 x 2.909687. With rounding by day it would be a millionth more.
  expect(amount(result)).toBe('29.102689')
  expect(result).toMatchObject({ tariffPriceId: 'june', warnings: [] })
})

test('several prices apply to their own parts, and the largest part determines the id', () => {
  const result = risk({ '2026-06-10': '4.000', '2026-06-11': '3.000' })
  expect(amount(result)).toBe('18.729061')
  expect(result.tariffPriceId).toBe('may')
  expect(risk({ '2026-06-10': '3.000', '2026-06-11': '4.000' }).tariffPriceId).toBe('june')
})

test('a day without a price makes the total null with a reason', () => {
  const result = risk({ '2026-06-10': '4.000', '2026-06-11': '3.000' }, { prices: june })
  expect(result).toMatchObject({ amountTry: null, tariffPriceId: null })
  expect(result.warnings.map((warning) => warning.code)).toEqual(['TARIFF_NONE_RESOLVED'])
})

test('only the consumers of the day determine the price', () => {
  const left = { ...factory, validTo: '2026-06-12' }
  expect(amount(risk({ '2026-06-11': '1.000' }, { consumers: [left] }))).toBe('2.909687')
  expect(amount(risk({ '2026-06-12': '1.000' }, { consumers: [left] }))).toBeNull()
})

test('without free energy nothing is at risk', () => {
  expect(amount(risk({}, { prices: [], consumers: [] }))).toBe('0.000000')
  expect(risk({ '2026-06-12': '0.000' }, { prices: [] })).toMatchObject({ tariffPriceId: null, warnings: [] })
})
