import { describe, expect, test } from 'vitest'
import { makePrices, type PriceText } from '../../../../test/support/netting/netting-input.ts'
import { dayStart, HOUR_MS } from '../../../kernel/time.ts'
import type { PriceRowInput, TimeSegment, VoltageLevel } from '../types.ts'
import { monthPriceDate, openPriceBook, type PriceQuery, segmentOf } from './price-choice.ts'
import { luClassOf, systemUsagePrice } from './system-usage-price.ts'

const PERIOD = '2026-06-01'
const DATE = '2026-06-10'
const row = (own: Partial<PriceText>, set: Partial<PriceRowInput> = {}): PriceRowInput[] =>
  makePrices([{ abone: 'sanayi', purpose: 'mahsuplasma_related_tariff', price: '1', ...own }], {
    id: `${set.setId ?? 'set'} ${own.segment ?? '-'} ${own.step ?? '-'}`,
    ...set,
  })
const findRow = (
  rows: PriceRowInput[],
  query: Pick<PriceQuery, 'segment' | 'stepNo' | 'voltageLevel'>,
  date: string,
) =>
  openPriceBook(rows, PERIOD).resolve(
    { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'sanayi', ...query },
    date,
  )?.id
const resolve = (rows: PriceRowInput[], segment: TimeSegment | null, stepNo: number | null, date = DATE) =>
  findRow(rows, { segment, stepNo, voltageLevel: null }, date)

describe('price within a set', () => {
  test('is found by the exact key, then without a step, then single-time, then without a segment', () => {
    const chain = [
      row({ segment: 'puant', step: 2 }),
      row({ segment: 'puant' }),
      row({ segment: 'tek', step: 2 }),
      row({ segment: 'tek' }),
      row({ step: 2 }),
      row({}),
    ].flat()
    for (const [index, expected] of chain.entries()) {
      expect(resolve(chain.slice(index).toReversed(), 'puant', 2)).toBe(expected.id)
    }
    expect(resolve(row({ segment: 'gece' }), 'puant', 2)).toBeUndefined()
    expect(resolve(row({ segment: 'tek', step: 1 }), 'tek', 2)).toBeUndefined()
  })
})

describe('price from several sets', () => {
  const old = { setId: 'old', billingPeriod: '2026-05-01', approvedAt: 9 }
  const current = { setId: 'current', billingPeriod: PERIOD, approvedAt: 1 }

  test('is of the newer period, then the later approval; every key is tried in a set before the next', () => {
    expect(resolve([...row({ segment: 'tek' }, old), ...row({}, current)], 'tek', null)).toBe('current - -')
    const again = { setId: 'again', billingPeriod: PERIOD, approvedAt: 2 }
    expect(resolve([...row({ segment: 'tek' }, current), ...row({}, again)], 'tek', null)).toBe('again - -')
  })

  test('may be of an older set while it is valid, last day included; never of a later one', () => {
    expect(resolve(row({}, { ...old, validTo: DATE }), 'tek', null)).toBe('old - -')
    expect(resolve(row({}, { ...old, validTo: '2026-06-09' }), 'tek', null)).toBeUndefined()
    expect(resolve(row({}, { ...current, validFrom: '2026-06-11' }), 'tek', null)).toBeUndefined()
    expect(resolve(row({}, { setId: 'next', billingPeriod: '2026-07-01' }), 'tek', null)).toBeUndefined()
  })

  test('of an archived set applies to the hours of its own period only', () => {
    expect(resolve(row({}, { ...current, setStatus: 'archived' }), 'tek', null)).toBe('current - -')
    expect(resolve(row({}, { ...old, setStatus: 'archived' }), 'tek', null)).toBeUndefined()
  })
})

describe('price by voltage level', () => {
  const resolveAt = (rows: PriceRowInput[], level: VoltageLevel | null) =>
    findRow(rows, { segment: 'tek', stepNo: null, voltageLevel: level }, DATE)
  const at = (level: VoltageLevel | null, set: Partial<PriceRowInput> = {}) =>
    row({ segment: 'tek' }, { id: level ?? 'none', setId: `set ${level}`, voltageLevel: level, ...set })

  test('is of the level in any set of the period, then without a level, then low voltage', () => {
    const all = [...at('AG', { approvedAt: 9 }), ...at(null), ...at('OG'), ...at('YG')]
    const levels = ['AG', 'OG', 'YG', null] as const
    expect(levels.map((level) => resolveAt(all, level))).toEqual(['AG', 'OG', 'YG', 'none'])
    const marked = all.filter(({ voltageLevel }) => voltageLevel === 'AG' || voltageLevel === 'YG')
    expect(levels.map((level) => resolveAt(marked, level))).toEqual(['AG', 'AG', 'YG', 'AG'])
    expect(levels.map((level) => resolveAt(at('OG'), level))).toEqual([undefined, 'OG', undefined, 'OG'])
  })

  test('is of a newer period before the level counts', () => {
    const older = at('OG', { billingPeriod: '2026-05-01', approvedAt: 9 })
    expect(resolveAt([...older, ...at('AG')], 'OG')).toBe('AG')
    expect(resolveAt(older, 'OG')).toBe('OG')
  })
})

test('segments are day from 6, peak from 17, night from 22 local time', () => {
  const segments = [0, 5, 6, 16, 17, 21, 22, 23].map((hour) => segmentOf(dayStart(DATE) + hour * HOUR_MS))
  expect(segments).toEqual(['gece', 'gece', 'gunduz', 'gunduz', 'puant', 'puant', 'gece', 'gece'])
})

test('of a residential month is that of its first day, or of the first day of a later tariff', () => {
  const date = (validFrom: string) =>
    monthPriceDate(openPriceBook(row({ abone: 'mesken' }, { validFrom }), PERIOD), PERIOD)
  expect(date('2026-04-04')).toBe(PERIOD)
  expect(date('2026-06-04')).toBe('2026-06-04')
  expect(date('2026-07-01')).toBe(PERIOD)
})

describe('system usage price', () => {
  const usage = (own: Partial<PriceText>, set: Partial<PriceRowInput> = {}) =>
    row({ abone: 'other', purpose: 'system_usage', ...own }, set)
  const price = (rows: PriceRowInput[]) =>
    (['lisanssiz_uretici_1', 'lisanssiz_uretici_2'] as const).map(
      (luClass) => systemUsagePrice(openPriceBook(rows, PERIOD), luClass, DATE)?.id ?? null,
    )

  test('is found by class or code, else by step number, else as the only plain row', () => {
    const one = usage({ class: 'lisanssiz_uretici_1', step: 2 }, { id: 'one' })
    const two = usage({ step: 1 }, { id: 'two', tariffCode: 'lisanssiz_uretici_2' })
    expect(price([...one, ...two])).toEqual(['one', 'two'])
    expect(price([...usage({ step: 1 }, { id: 's1' }), ...usage({ step: 2 }, { id: 's2' })])).toEqual([
      's1',
      's2',
    ])
    expect(price(usage({}, { id: 'plain' }))).toEqual(['plain', 'plain'])
    expect(price([...usage({}, { id: 'x' }), ...usage({ segment: 'tek' }, { id: 'y' })])).toEqual([
      null,
      null,
    ])
    expect(price(one)).toEqual(['one', null])
  })
})

test('uses the declared class of a producer, the one derived from its source, or the default', () => {
  const warning = (sourceType: Parameters<typeof luClassOf>[0]['sourceType']) => {
    const choice = luClassOf({ producerTariffGroup: null, sourceType })
    return `${choice.luClass.at(-1)} ${choice.warning}`
  }
  expect(luClassOf({ producerTariffGroup: 'lisanssiz_uretici_1', sourceType: 'solar' }).warning).toBeNull()
  expect(warning('solar')).toBe('2 SKB_LU_GROUP_DERIVED')
  expect(warning('cogeneration')).toBe('1 SKB_LU_GROUP_DERIVED')
  for (const unknown of ['hybrid', 'unknown', null] as const) {
    expect(warning(unknown)).toBe('2 SKB_LU_GROUP_UNKNOWN_DEFAULT')
  }
})
