import { describe, expect, it } from 'vitest'
import { iso } from '../../../../kernel/time.ts'
import { WIDGET_PERIODS, type WidgetPeriod } from '../../../../kernel/widget-periods.ts'
import { resolvePeriod } from './period.ts'

/** Friday, 12:30 in Turkey. */
const NOW = Date.parse('2026-11-20T09:30:00Z')
const resolve = (config: object, timeRange?: WidgetPeriod, now = NOW) =>
  resolvePeriod({ config: { ...config }, timeRange, now })
const span = (period: WidgetPeriod, now = NOW) => {
  const { range, interval } = resolve({ period }, undefined, now)
  return [iso(range.from).slice(0, 16), iso(range.to).slice(0, 16), interval]
}

describe('period of a widget', () => {
  it('is that of the config, else time_range, else 7d', () => {
    expect(resolve({ period: '30d' }, '24h').period).toBe('30d')
    expect(resolve({}, '24h').period).toBe('24h')
    expect(resolve({}).period).toBe('7d')
    expect(resolve({ time_range: '90d' }).period).toBe('90d')
    expect(resolve({ time_range: '90d' }, '24h').period).toBe('24h')
    expect(resolve({ time_range: 'for ever' }).period).toBe('7d')
  })

  it('is counted in Turkey-local days, weeks from Monday, months and years', () => {
    expect(WIDGET_PERIODS.map((period) => [period, ...span(period)])).toEqual([
      ['24h', '2026-11-19T10:00', '2026-11-20T10:00', 'hourly'],
      ['today', '2026-11-19T21:00', '2026-11-20T10:00', 'hourly'],
      ['yesterday', '2026-11-18T21:00', '2026-11-19T21:00', 'hourly'],
      ['7d', '2026-11-13T21:00', '2026-11-20T21:00', 'daily'],
      ['30d', '2026-10-21T21:00', '2026-11-20T21:00', 'daily'],
      ['90d', '2026-08-22T21:00', '2026-11-20T21:00', 'daily'],
      ['1y', '2025-11-30T21:00', '2026-11-30T21:00', 'monthly'],
      ['this_week', '2026-11-15T21:00', '2026-11-20T21:00', 'daily'],
      ['last_week', '2026-11-08T21:00', '2026-11-15T21:00', 'daily'],
      ['this_month', '2026-10-31T21:00', '2026-11-20T21:00', 'daily'],
      ['last_month', '2026-09-30T21:00', '2026-10-31T21:00', 'daily'],
      ['this_year', '2025-12-31T21:00', '2026-11-30T21:00', 'monthly'],
    ])
  })

  it('has a running bucket at the very start of a local day, which may be another day in UTC', () => {
    const midnight = Date.parse('2026-11-22T21:00:00Z')
    expect(span('today', midnight)).toEqual(['2026-11-22T21:00', '2026-11-22T22:00', 'hourly'])
    expect(span('this_week', midnight)).toEqual(['2026-11-22T21:00', '2026-11-23T21:00', 'daily'])
    expect(span('this_week', midnight - 1)).toEqual(['2026-11-15T21:00', '2026-11-22T21:00', 'daily'])
  })

  it('uses the interval of the config unless it would give too many points', () => {
    expect(resolve({ period: '7d', interval: 'hourly' }).interval).toBe('hourly')
    expect(resolve({ period: '30d', interval: 'hourly' }).interval).toBe('hourly')
    expect(resolve({ period: '90d', interval: 'hourly' }).interval).toBe('daily')
    expect(resolve({ period: '1y', interval: 'daily' }).interval).toBe('daily')
    expect(resolve({ period: '7d', interval: 'monthly' }).range).toEqual({
      from: Date.parse('2026-10-31T21:00:00Z'),
      to: Date.parse('2026-11-30T21:00:00Z'),
    })
  })
})
