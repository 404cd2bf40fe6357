import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../../kernel/time.ts'
import { WIDGET_BUCKETS_AT_ONCE, WIDGET_DEVICES_MAX } from '../limits.ts'
import type { Plan } from './plan.ts'
import { bucketsIn, inPortionsOf, portionsOf } from './portions.ts'

const YEAR = { from: Date.parse('2025-11-30T21:00:00Z'), to: Date.parse('2026-11-30T21:00:00Z') }
const device = (name: string) => ({
  id: name,
  key: 1,
  name,
  reporting_interval_s: null,
  offline_threshold_s: 3600,
  last_seen: null,
  created_at: new Date(0),
})

/** A widget over a year with the maximum number of devices. */
function plan(widgetType: Plan['widget']['widget_type'], site: string, config = {}): Plan {
  return {
    widget: { id: 'w', subregion_id: 's', widget_type: widgetType, title: 't', config },
    period: { period: '1y', label: 'Last 12 months', interval: 'monthly', range: YEAR },
    devices: Array.from({ length: WIDGET_DEVICES_MAX }, (_, index) => device(`${site} ${index}`)),
  }
}

describe('batches in which a dashboard is read', () => {
  it('contain at most a year of hours of the devices of one widget', () => {
    const costs = ['north', 'south', 'east'].map((site) => plan('cost_numeric', site))
    expect(portionsOf(costs)).toEqual(costs.map((one) => [one]))
  })

  it('count data that several widgets share only once', () => {
    const costs = Array.from({ length: 100 }, () => plan('cost_chart', 'north'))
    expect(portionsOf(costs)).toEqual([costs])
  })

  it('read a usual dashboard in one batch', () => {
    const screen = Array.from({ length: 100 }, (_, index) => plan('consumption_chart', `site ${index}`))
    expect(portionsOf(screen)).toEqual([screen])
    const byDay = Array.from({ length: 20 }, (_, index) =>
      plan('cost_numeric', `site ${index}`, { is_multi_time: false }),
    )
    expect(portionsOf(byDay)).toEqual([byDay])
  })

  it('use the maximum number of buckets in the response as the size of a request', () => {
    const range = { from: 0, to: 31 * DAY_MS }
    const request = { deviceId: 'd', range }
    expect(bucketsIn({ ...request, interval: 'hourly' })).toBe(744)
    expect(bucketsIn({ ...request, interval: 'daily' })).toBe(31)
    expect(bucketsIn({ ...request, interval: 'monthly' })).toBe(2)
    expect(plan('cost_chart', 'x').devices.length * 366 * 24).toBe(WIDGET_BUCKETS_AT_ONCE)
  })

  it('keep the order of items, and exceed the limit only with a single item', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 60 }), (weights, limit) => {
        const portions = inPortionsOf(weights, limit, (weight) => weight)
        expect(portions.flat()).toEqual(weights)
        for (const portion of portions) {
          if (portion.length > 1) expect(portion.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })
})
