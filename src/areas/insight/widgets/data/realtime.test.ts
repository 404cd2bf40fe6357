import { expect, it } from 'vitest'
import type { Plan } from './plan.ts'
import { realtimeValue } from './realtime.ts'
import type { Sources } from './sources.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const nothing = () => {
  throw new Error('a live card asks for values alone')
}
const sources: Sources = {
  energy: nothing,
  consumption: nothing,
  value: () => ({ at: NOW, value: 5 }),
  tariffs: nothing,
  prices: nothing,
  incidents: nothing,
  contractedPower: nothing,
}
const device = {
  id: 'd',
  key: 1,
  name: 'meter',
  reporting_interval_s: null,
  offline_threshold_s: 3600,
  last_seen: null,
  created_at: new Date(0),
}

it.each(['active_power', '__proto__', 'constructor'])('realtime card shows a metric named %s', (metric) => {
  const plan: Plan = {
    widget: {
      id: 'w',
      subregion_id: 's',
      widget_type: 'realtime_value',
      title: 't',
      config: { device_id: 'd', metric },
    },
    period: { period: '7d', label: 'Last 7 days', interval: 'daily', range: { from: 0, to: NOW } },
    devices: [device],
  }
  expect(realtimeValue(plan, sources, NOW)).toMatchObject({ metric, value: 5, device_status: 'online' })
})
