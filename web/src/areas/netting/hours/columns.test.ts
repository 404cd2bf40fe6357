import { describe, expect, it } from 'vitest'
import { HOUR_MS, iso } from '../../../../../src/kernel/time.ts'
import type { HourlyRow } from '../hour-provenance.tsx'
import { columnsOf } from './columns.ts'

const MAY = Date.parse('2026-05-01T00:00:00+03:00')

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
    const columns = columnsOf(rows, day, [{ from: MAY, to: MAY + HOUR_MS }])
    expect(columns.length).toBe(24)
    expect(columns.slice(0, 3).map(({ state, values }) => [state, values.production_kwh])).toEqual([
      ['known', '2.000'],
      ['unknown', null],
      ['not_calculated', null],
    ])
    expect(columns.slice(0, 3).map(({ marks }) => [...marks])).toEqual([['stale'], ['suspect'], []])
  })

  it('are one for each local day of a long range, with exact sums of the known hours', () => {
    const rows = [row(0, { production_kwh: '0.100' }), row(1, { production_kwh: '0.200' }), row(24, {})]
    const columns = columnsOf(rows, { from: MAY, to: MAY + 63 * 24 * HOUR_MS }, [])
    expect(columns.length).toBe(63)
    expect(columns.slice(0, 3).map(({ values }) => values.production_kwh)).toEqual(['0.300', '2.000', null])
    expect(columns[0]?.from).toBe(MAY)
  })
})
