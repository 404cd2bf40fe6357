import { describe, expect, it } from 'vitest'
import { HOUR_MS, iso } from '../../../../../src/kernel/time.ts'
import type { HourlyRow } from '../hour-provenance.tsx'
import { columnsOf, summaryOf } from './columns.ts'

const MAY = Date.parse('2026-05-01T00:00:00+03:00')
const JUNE = MAY + 31 * 24 * HOUR_MS

const row = (hour: number, values: Partial<HourlyRow>): HourlyRow =>
  ({
    hour: iso(MAY + hour * HOUR_MS),
    production_kwh: '2.000',
    consumption_kwh: '1.000',
    matched_kwh: '1.000',
    bedelli_kwh: '1.000',
    skb_kwh: '0.000',
    bedelsiz_kwh: '0.000',
    data_quality: 'complete',
    ...values,
  }) as HourlyRow

describe('the columns of a chart', () => {
  const day = { from: MAY, to: MAY + 24 * HOUR_MS }

  it('are one for each hour, and an hour without a result or a value is never zero', () => {
    const rows = [row(0, {}), row(1, { production_kwh: null, data_quality: 'suspect' })]
    const columns = columnsOf([rows], day, [{ from: MAY, to: MAY + HOUR_MS }])
    expect(columns.length).toBe(24)
    expect(columns.slice(0, 3).map(({ state, lines }) => [state, lines])).toEqual([
      ['known', [2, 1]],
      ['unknown', [null, 1]],
      ['not_calculated', [null, null]],
    ])
    // Outdated and suspect, by their place in the list of marks.
    expect(columns.slice(0, 3).map(({ marks }) => marks)).toEqual([[2], [0], []])
  })

  it('of a year are its hours, also when months were read in another order or not at all', () => {
    const year = { from: JUNE - 365 * 24 * HOUR_MS, to: JUNE + HOUR_MS }
    const columns = columnsOf([[row(31 * 24, { production_kwh: '7.000' })], [row(0, {})]], year, [])
    expect(columns.length).toBe(8761)
    expect(columns.at(-1)?.values.production_kwh).toBe('7.000')
    expect(columns.filter(({ state }) => state === 'known').map(({ from }) => from)).toEqual([MAY, JUNE])
  })

  it('are made again when other hours are outdated', () => {
    const rows = [row(0, {})]
    expect(columnsOf([rows], day, [])[0]?.marks).toEqual([])
    expect(columnsOf([rows], day, [{ from: MAY, to: JUNE }])[0]?.marks).toEqual([2])
  })

  it('have exact sums of the known hours', () => {
    const rows = [
      row(0, { production_kwh: '0.100', data_quality: 'suspect' }),
      row(1, { production_kwh: '0.200', skb_kwh: null }),
      row(2, { production_kwh: null }),
    ]
    const { totals, states, marks } = summaryOf(columnsOf([rows], day, []))
    expect(totals).toMatchObject({ production_kwh: '0.300', skb_kwh: '0.000', consumption_kwh: '3.000' })
    expect(states).toEqual({ known: 2, unknown: 1, not_calculated: 21 })
    expect(marks).toEqual([1, 0, 0, 0])
    expect(summaryOf(columnsOf([], day, [])).totals.production_kwh).toBeNull()
  })
})
