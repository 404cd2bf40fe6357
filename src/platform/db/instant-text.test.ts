import fc from 'fast-check'
import pg from 'pg'
import { expect, it } from 'vitest'
import { parseInstantText } from './instant-text.ts'

const driverParse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text')

const dates = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
})
/** As the server writes microseconds: without zeros at the end. */
const fractions = fc
  .integer({ min: 0, max: 999_999 })
  .map((count) => (count === 0 ? '' : `.${String(count).padStart(6, '0').replace(/0+$/, '')}`))
const texts = fc
  .tuple(dates, fractions)
  .map(([date, fraction]) => `${date.toISOString().slice(0, 19).replace('T', ' ')}${fraction}+00`)

it('an instant of a row is that of the driver', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseInstantText(text)).toEqual(driverParse(text))
    }),
    { numRuns: 1_000 },
  )
})

it.each([
  'infinity',
  '-infinity',
  '0044-03-15 12:00:00+00 BC',
  '10000-01-01 00:00:00+00',
  '0050-01-01 00:00:00.5+00',
  '2026-11-29 07:15:00+03',
  '2026-11-29 07:15:00.25-03:30',
  '1880-01-01 00:00:00+01:56:56',
])('%s too, in any other form', (text) => {
  expect(parseInstantText(text)).toEqual(driverParse(text))
})
