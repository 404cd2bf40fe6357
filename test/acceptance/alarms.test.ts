import { describe, expect, it } from 'vitest'
import { call, create, createMeter, eventually, uniqueName } from './client.ts'

describe('alarms', () => {
  it('open an incident when a value exceeds its threshold, and keep its trail', async () => {
    const deviceId = await createMeter()
    await create('admin', '/api/alarms', {
      name: uniqueName('overload'),
      alarm_type: 'threshold',
      device_id: deviceId,
      metric: 'active_power',
      operator: 'gt',
      threshold: 10,
      clear_threshold: 8,
      severity: 'warning',
    })
    await call('operator', 'POST', '/api/measurements', {
      samples: [{ device_id: deviceId, timestamp: new Date().toISOString(), values: { active_power: 25 } }],
    })
    const path = `/api/alarms/incidents?device_id=${deviceId}`
    const { body } = await eventually(
      () => call('viewer', 'GET', path),
      (response) => response.body.items?.length === 1,
    )
    const [incident] = body.items
    expect(incident).toMatchObject({ severity: 'warning', status: 'active', device_id: deviceId })
    const acknowledged = await call('operator', 'POST', `/api/alarms/incidents/${incident.id}/ack`, {})
    expect([acknowledged.status, acknowledged.body.status]).toEqual([200, 'acknowledged'])
    const events = await call('viewer', 'GET', `/api/alarms/incidents/${incident.id}/events`)
    expect(JSON.stringify(events.body)).toMatch(/raised.*acknowledged/)
  })
})
