/** The quality of energies that are read from the registers of devices. */
import { beforeAll, describe, expect, it } from 'vitest'
import { call, createMeter } from './client.ts'

const HOUR_MS = 3_600_000
const QUARTER_MS = HOUR_MS / 4

/** The running hour; the readings of a test begin some hours before it. */
const running = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const from = running - 4 * HOUR_MS
let deviceId: string

/** Stores a load of 12 kW every quarter of an hour, with a register that falls in the second hour. */
beforeAll(async () => {
  deviceId = await createMeter()
  const instants = Array.from({ length: 4 * 4 }, (_, quarter) => from + quarter * QUARTER_MS)
  const samples = [...instants, running].map((time, quarter) => ({
    device_id: deviceId,
    timestamp: new Date(time).toISOString(),
    values: {
      import_active_energy: (quarter < 6 ? 5_000 : 1_120.7) + quarter * 3,
      active_power: 12,
    },
  }))
  const stored = await call('operator', 'POST', '/api/measurements', { samples })
  expect(stored.body).toMatchObject({ accepted: 17, set_aside: [] })
})

/** The rows of a device from its first reading on. */
async function read(device: string, interval: string) {
  const range = `start=${new Date(from).toISOString()}&end=${new Date(running + 2 * HOUR_MS).toISOString()}`
  const path = `/api/measurements/devices/${device}/aggregated?interval=${interval}&${range}`
  const { status, body, text } = await call('viewer', 'GET', path)
  expect(status, text).toBe(200)
  return body.data as readonly { readonly total_energy: number; readonly data_quality: string }[]
}

describe('aggregated energy', () => {
  it('of a register that falls is limited by the power, and its hour and its day are suspect', async () => {
    const rows = await read(deviceId, 'hourly')
    expect(rows.slice(0, 4).map((row) => [row.total_energy, row.data_quality])).toEqual([
      [12, 'complete'],
      [9, 'suspect'],
      [12, 'complete'],
      [12, 'complete'],
    ])
    const days = await read(deviceId, 'daily')
    expect(days.map((row) => row.data_quality)).toContain('suspect')
  })

  it('of the running hour is partial', async () => {
    const meter = await createMeter()
    const samples = [from, Date.now()].map((time, index) => ({
      device_id: meter,
      timestamp: new Date(time).toISOString(),
      values: { import_active_energy: 100 + index },
    }))
    const stored = await call('operator', 'POST', '/api/measurements', { samples })
    expect(stored.body).toMatchObject({ accepted: 2, set_aside: [] })
    expect((await read(meter, 'hourly')).at(-1)?.data_quality).toBe('partial')
  })
})
