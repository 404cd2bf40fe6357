import { describe, expect, it } from 'vitest'
import { call, clientOf, create, createMeter, createSubregion, uniqueName } from './client.ts'

describe('exports and dashboards', () => {
  it('return samples as a table', async () => {
    const deviceId = await createMeter()
    const timestamp = new Date(Date.now() - 60_000).toISOString()
    const client = clientOf('operator')
    await client.post('/api/measurements', {
      body: { samples: [{ device_id: deviceId, timestamp, values: { voltage: 231.5 } }] },
    })
    const { data } = await client.post('/api/measurements/export', {
      body: {
        device_ids: [deviceId],
        start: new Date(Date.now() - 3_600_000).toISOString(),
        end: new Date(Date.now() + 60_000).toISOString(),
        format: 'csv',
        interval: 'raw',
      },
    })
    expect(data).toBeInstanceOf(ReadableStream)
    expect(await new Response(data as ReadableStream<Uint8Array>).text()).toContain('231')
  })

  it('return the data of a widget of a subregion', async () => {
    const subregionId = await createSubregion()
    const widget = await create('admin', '/api/widgets', {
      subregion_id: subregionId,
      widget_type: 'alarm_summary',
      title: uniqueName('alarms'),
    })
    const data = await call('viewer', 'GET', `/api/widgets/${widget.id}/data/alarm-summary`)
    expect(data.status, data.text).toBe(200)
  })
})
