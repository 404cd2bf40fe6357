import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { baseUrl, call, createMeter, tokenOf } from './client.ts'

const MINUTE_MS = 60_000

describe('measurements', () => {
  it('are stored once, read back, and summed by the hour', async () => {
    const deviceId = await createMeter()
    // Two full hours in the past, with a reading every 15 minutes.
    const start = Math.floor(Date.now() / 3_600_000 - 4) * 3_600_000
    const samples = Array.from({ length: 9 }, (_, quarter) => ({
      device_id: deviceId,
      timestamp: new Date(start + quarter * 15 * MINUTE_MS).toISOString(),
      values: { import_active_energy: 1_000 + quarter * 2.5, voltage: 230 },
    }))
    const stored = await call('operator', 'POST', '/api/measurements', { samples })
    expect([stored.status, stored.body]).toEqual([201, { accepted: 9, duplicates: 0, set_aside: [] }])
    const again = await call('operator', 'POST', '/api/measurements', { samples })
    expect(again.body).toEqual({ accepted: 0, duplicates: 9, set_aside: [] })
    const range = `start_time=${new Date(start).toISOString()}&end_time=${new Date(start + 7_200_000).toISOString()}`
    const read = await call('viewer', 'GET', `/api/measurements/devices/${deviceId}/samples?${range}`)
    expect(read.body.length).toBeGreaterThanOrEqual(8)
    const hours = await call(
      'viewer',
      'GET',
      `/api/measurements/devices/${deviceId}/aggregated?interval=hourly&${range}`,
    )
    expect(hours.status).toBe(200)
    const energies = hours.body.data.map((row: { total_energy: number }) => row.total_energy)
    expect(energies.slice(0, 2)).toEqual([10, 10])
  })

  it('are rejected with the index of a sample of an unknown device', async () => {
    const samples = [
      {
        device_id: '00000000-0000-4000-8000-000000000000',
        timestamp: new Date().toISOString(),
        values: { voltage: 230 },
      },
    ]
    const { status, body } = await call('operator', 'POST', '/api/measurements', { samples })
    expect(status).toBe(422)
    expect(body.detail[0]).toMatchObject({
      loc: ['body', 'samples', 0, 'device_id'],
      type: 'invalid_reference',
    })
  })

  it('reach a live socket after they are stored', async () => {
    const deviceId = await createMeter()
    const url = new URL('/ws/telemetry', baseUrl().replace(/^http/, 'ws'))
    url.searchParams.set('token', tokenOf('viewer'))
    url.searchParams.set('devices', deviceId)
    const socket = new WebSocket(url)
    const messages: { type: string; device_id?: string; values?: unknown }[] = []
    const received = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const message = JSON.parse(String(data))
        messages.push(message)
        if (message.type === 'sample') resolve()
      })
    })
    await once(socket, 'open')
    await expect.poll(() => messages.some(({ type }) => type === 'hello')).toBe(true)
    const timestamp = new Date(Date.now() - 1_000).toISOString()
    await call('operator', 'POST', '/api/measurements', {
      samples: [{ device_id: deviceId, timestamp, values: { active_power: 12.5 } }],
    })
    await received
    expect(messages.find(({ type }) => type === 'sample')).toMatchObject({
      device_id: deviceId,
      values: { active_power: 12.5 },
    })
    socket.close()
  })
})
