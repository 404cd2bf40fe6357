import { expect, test } from 'vitest'
import { makeFact } from '../../../test/support/netting/netting-input.ts'
import { wh } from '../../kernel/decimal.ts'
import { HOUR_MS } from '../../kernel/time.ts'
import { ACTIVE_SOURCES, chooseValues, QUALITY_ORDER, SOURCE_PRIORITY, worseQuality } from './sources.ts'
import type { FactInput, FactSource } from './types.ts'

const window = { from: 0, to: 2 * HOUR_MS }
const fact = (source: FactSource, value: bigint | null, own: Partial<FactInput> = {}) =>
  makeFact('f', 0, {
    role: 'main_production',
    source,
    productionKwh: value === null ? null : wh(value),
    ...own,
  })
const chosen = (facts: FactInput[]) =>
  chooseValues(facts, window, () => true)
    .get('f')
    ?.production?.at(0)

test('the strongest source with a value is used, for any order of the rows', () => {
  const rows = [fact('customer_declared', 3n), fact('osos_official_meter', 1n), fact('zeus_meter', 2n)]
  expect(chosen(rows)?.valueKwh).toBe(1n)
  expect(chosen(rows.toReversed())?.valueKwh).toBe(1n)
  for (const [rank, source] of SOURCE_PRIORITY.entries()) {
    const weaker = SOURCE_PRIORITY[rank + 1]
    if (weaker) expect(chosen([fact(weaker, 9n), fact(source, 1n)])?.source).toBe(source)
  }
})

test('a row without a value is skipped for the next source, also one with source missing', () => {
  expect(chosen([fact('osos_official_meter', null), fact('zeus_meter', 2n)])?.source).toBe('zeus_meter')
  expect(chosen([fact('missing', null)])).toBeUndefined()
  expect(ACTIVE_SOURCES.every((source) => SOURCE_PRIORITY.includes(source))).toBe(true)
})

test('import and export of one boundary row may come from different sources', () => {
  const boundary = (source: FactSource, imported: bigint | null, exported: bigint | null) =>
    makeFact('f', 0, {
      role: 'pcc_import_export',
      source,
      importKwh: imported === null ? null : wh(imported),
      exportKwh: exported === null ? null : wh(exported),
    })
  const readings = chooseValues(
    [boundary('osos_official_meter', 5n, null), boundary('zeus_meter', 6n, 7n)],
    window,
    () => true,
  ).get('f')
  expect([readings?.import?.at(0)?.valueKwh, readings?.export?.at(0)?.valueKwh]).toEqual([5n, 7n])
})

test('facts outside the window, of unwanted hours and of check meters are excluded', () => {
  const outside = fact('zeus_meter', 1n, { hour: 2 * HOUR_MS })
  expect(chooseValues([outside], window, () => true).size).toBe(0)
  expect(chooseValues([fact('zeus_meter', 1n)], window, () => false).size).toBe(0)
  expect(chooseValues([fact('zeus_meter', 1n, { role: 'check_meter' })], window, () => true).size).toBe(0)
})

test('the hour has the worst quality of its inputs', () => {
  expect(QUALITY_ORDER.reduce(worseQuality)).toBe('missing')
  expect(worseQuality('corrected', 'complete')).toBe('corrected')
  expect(worseQuality('partial', 'suspect')).toBe('suspect')
})
