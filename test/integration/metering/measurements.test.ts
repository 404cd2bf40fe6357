import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LAST_SEEN_EVERY_MS } from '../../../src/kernel/limits.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let ownTenant: TestTenant
let otherTenant: TestTenant
let meter: TestDevice

beforeAll(async () => {
  api = await startApi()
  ownTenant = await createTenant(api)
  otherTenant = await createTenant(api)
  meter = await createDevice(api, ownTenant)
})
afterAll(() => api.close())

const post = (samples: unknown, token = ownTenant.operator.token) =>
  api.call('POST', '/api/measurements', { token, body: { samples } })
const readBack = async (device: TestDevice, query = '') =>
  (
    await api.call('GET', `/api/measurements/devices/${device.id}/samples${query}`, {
      token: ownTenant.viewer.token,
    })
  ).body

describe('POST /api/measurements', () => {
  it('stores samples and returns them as they were sent', async () => {
    const device = await createDevice(api, ownTenant)
    const values = {
      import_active_energy: 1234.567891,
      voltage: 231.4,
      power_factor: -0.98,
      rssi: -71,
      'Ölçüm "1"': 0.1,
    }
    const response = await post([
      { device_id: device.id.toUpperCase(), timestamp: '2026-11-20T12:00:00.125+03:00', values },
      { device_id: device.id, timestamp: '2026-11-20T12:01:00', values: { export_active_energy: 0 } },
    ])
    expect(response.status).toBe(201)
    expect(response.body).toEqual({ accepted: 2, duplicates: 0, set_aside: [] })
    expect(await readBack(device)).toEqual([
      { timestamp: '2026-11-20T09:00:00.125Z', values },
      { timestamp: '2026-11-20T09:01:00.000Z', values: { export_active_energy: 0 } },
    ])
  })

  it('rounds a register to six decimals, half up', async () => {
    const device = await createDevice(api, ownTenant)
    await post([
      sample(device, '2026-11-20T09:00:00Z', { import_active_energy: 1.0000005, voltage: 1.0000005 }),
    ])
    expect((await readBack(device))[0].values).toEqual({ import_active_energy: 1.000001, voltage: 1.0000005 })
  })

  it('changes nothing when samples are sent again', async () => {
    const device = await createDevice(api, ownTenant)
    const samples = [0, 1, 2].map((minute) =>
      sample(device, Date.parse('2026-11-20T08:00:00Z') + minute * 60_000, { voltage: 230 + minute }),
    )
    await post(samples)
    const version = () =>
      api.deps.database.pool.query(
        'select xmin, ctid, (select count(*) from rollup_dirty_range where device_key = $1) from ' +
          'measurement where device_key = $1 order by ts',
        [device.key],
      )
    const before = (await version()).rows
    const again = await post([...samples, ...samples])
    expect(again.body).toEqual({ accepted: 0, duplicates: 6, set_aside: [] })
    expect((await version()).rows).toEqual(before)
  })

  it('stores each sample once, however many concurrent requests contain it', async () => {
    const devices = await Promise.all([1, 2, 3].map(() => createDevice(api, ownTenant)))
    const from = Date.parse('2026-11-20T07:00:00Z')
    // Each window shares half of its minutes with the next, and both connections of the service are busy.
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, window) =>
        post(
          devices.flatMap((device) =>
            Array.from({ length: 20 }, (_, index) => {
              const minute = window * 10 + index
              return sample(device, from + minute * 60_000, { import_active_energy: minute, voltage: 230 })
            }),
          ),
        ),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201))
    const sum = (count: 'accepted' | 'duplicates') =>
      responses.reduce((total, { body }) => total + body[count], 0)
    expect([sum('accepted'), sum('duplicates')]).toEqual([3 * 130, 3 * 110])
    for (const device of devices) {
      const { rows } = await api.deps.database.pool.query(
        'select count(*)::int as n, min(voltage) as low, max(import_active_energy)::float8 as high ' +
          'from measurement where device_key = $1',
        [device.key],
      )
      expect(rows).toEqual([{ n: 130, low: 230, high: 129e6 }])
    }
  })

  it('merges additional metrics of the same instant, and quarantines contradicting values', async () => {
    const device = await createDevice(api, ownTenant)
    const at = '2026-11-20T09:10:00Z'
    await post([sample(device, at, { voltage: 230, import_active_energy: 5 })])
    const response = await post([
      sample(device, at, { current: 4, import_active_energy: 5 }),
      sample(device, at, { voltage: 231, temperature: 20 }),
      sample(device, at, { soil: 3 }),
      sample(device, at, { current: 4 }),
      sample(device, at, { current: 5 }),
    ])
    expect(response.body).toEqual({
      accepted: 2,
      duplicates: 1,
      set_aside: [
        { index: 1, reason: 'conflicts_with_stored' },
        { index: 4, reason: 'conflicts_with_stored' },
      ],
    })
    expect((await readBack(device))[0].values).toEqual({
      voltage: 230,
      import_active_energy: 5,
      current: 4,
      soil: 3,
    })
  })

  it('quarantines impossible values once, with the reason', async () => {
    const device = await createDevice(api, ownTenant)
    const samples = [
      sample(device, '2026-11-20T09:35:00Z', { voltage: 230 }),
      sample(device, '2026-11-20T09:35:00.001Z', { voltage: 230 }),
      sample(device, '2009-12-31T23:59:59Z', { voltage: 230 }),
      sample(device, '1970-01-01T00:00:07Z', { voltage: 230 }),
      sample(device, '2026-11-20T09:00:00Z', { import_active_energy: -1 }),
    ]
    const setAside = ['future_timestamp', 'epoch_timestamp', 'epoch_timestamp', 'negative_register'].map(
      (reason, index) => ({ index: index + 1, reason }),
    )
    expect((await post(samples)).body).toEqual({ accepted: 1, duplicates: 0, set_aside: setAside })
    expect((await post(samples)).body).toEqual({ accepted: 0, duplicates: 1, set_aside: setAside })
    const list = await api.call(
      'GET',
      `/api/measurements/set-aside?device_id=${device.id}&sort_by=timestamp&sort_order=asc`,
      { token: ownTenant.viewer.token },
    )
    expect(list.body.total).toBe(4)
    expect(list.body.items[0]).toMatchObject({
      device_id: device.id,
      timestamp: '1970-01-01T00:00:07.000Z',
      reason: 'epoch_timestamp',
      values: { voltage: 230 },
      received_at: '2026-11-20T09:30:00.000Z',
    })
    const negative = await api.call(
      'GET',
      `/api/measurements/set-aside?device_id=${device.id}&reason=negative_register`,
      { token: ownTenant.viewer.token },
    )
    expect(negative.body.total).toBe(1)
    const foreign = await api.call('GET', '/api/measurements/set-aside', { token: otherTenant.viewer.token })
    expect(foreign.body.total).toBe(0)
  })

  it('rejects a whole request with a sample of a foreign or unknown device', async () => {
    const device = await createDevice(api, ownTenant)
    const foreign = await createDevice(api, otherTenant)
    const good = sample(device, '2026-11-20T09:00:00Z', { voltage: 230 })
    const response = await post([
      good,
      sample(foreign, '2026-11-20T09:00:00Z', { voltage: 1 }),
      { ...good, device_id: randomUUID() },
    ])
    expect(response.status).toBe(422)
    expect(response.body.detail).toMatchObject(
      [1, 2].map((index) => ({
        loc: ['body', 'samples', index, 'device_id'],
        msg: 'does not refer to an existing device',
        type: 'invalid_reference',
      })),
    )
    expect(await readBack(device)).toEqual([])
  })

  it('lists every failure of the body like any other schema failure', async () => {
    const response = await post([
      { device_id: 'meter', timestamp: 'noon', values: {} },
      { device_id: 7, timestamp: 1763600000, values: { voltage: '230', current: null } },
      { values: [] },
      'sample',
      { device_id: meter.id, timestamp: '2026-02-30T00:00:00Z', values: { import_active_energy: 1e10 } },
    ])
    expect(response.status).toBe(422)
    expect(
      response.body.detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [loc.join('.'), type]),
    ).toEqual([
      ['body.samples.0.device_id', 'format'],
      ['body.samples.0.timestamp', 'format'],
      ['body.samples.0.values', 'minProperties'],
      ['body.samples.1.device_id', 'type'],
      ['body.samples.1.timestamp', 'type'],
      ['body.samples.1.values.voltage', 'type'],
      ['body.samples.1.values.current', 'type'],
      ['body.samples.2.device_id', 'missing'],
      ['body.samples.2.timestamp', 'missing'],
      ['body.samples.2.values', 'type'],
      ['body.samples.3', 'type'],
      ['body.samples.4.timestamp', 'format'],
      ['body.samples.4.values.import_active_energy', 'maximum'],
    ])
    for (const body of [undefined, '[]', '{}', '{"samples":[]}', '{"samples":{}}']) {
      const { status } = await api.call('POST', '/api/measurements', {
        token: ownTenant.operator.token,
        body,
      })
      expect([body, status]).toEqual([body, 422])
    }
    const infinite = `{"samples":[{"device_id":"${meter.id}","timestamp":"2026-11-20T09:00:00Z","values":{"a":1e999}}]}`
    const refused = await api.call('POST', '/api/measurements', {
      token: ownTenant.operator.token,
      body: infinite,
    })
    expect(refused.status).toBe(422)
  })

  it('requires write:measurement, which a viewer does not have', async () => {
    expect((await post([], ownTenant.viewer.token)).status).toBe(403)
  })

  it('accepts 10,000 samples in a request, and no more', async () => {
    const device = await createDevice(api, ownTenant)
    const start = Date.parse('2026-11-13T00:00:00Z')
    const samples = Array.from({ length: 10_001 }, (_, index) =>
      sample(device, start + index * 60_000, {
        import_active_energy: index / 100,
        voltage: 230 + (index % 7),
        current: index % 30,
      }),
    )
    expect((await post(samples)).status).toBe(422)
    const response = await post(samples.slice(1).reverse())
    expect(response.body).toEqual({ accepted: 10_000, duplicates: 0, set_aside: [] })
    const page = await api.call(
      'GET',
      `/api/measurements/devices/${device.id}/samples?from=2026-11-01&limit=2000`,
      { token: ownTenant.viewer.token },
    )
    expect(page.headers.get('x-total-count')).toBe('10000')
    expect(page.body).toHaveLength(2000)
    expect(page.body[1999]).toEqual({
      timestamp: new Date(start + 2000 * 60_000).toISOString(),
      values: { import_active_energy: 20, voltage: 230 + (2000 % 7), current: 2000 % 30 },
    })
  })

  it('moves last_seen forward and never back', async () => {
    const device = await createDevice(api, ownTenant)
    const lastSeen = async () =>
      (
        await api.deps.database.kysely
          .selectFrom('device')
          .select('last_seen')
          .where('id', '=', device.id)
          .executeTakeFirstOrThrow()
      ).last_seen?.toISOString()
    await post([sample(device, '2026-11-20T09:20:00Z', { voltage: 230 })])
    await post([sample(device, '2026-11-20T07:20:00Z', { voltage: 230 })])
    expect(await lastSeen()).toBe('2026-11-20T09:20:00.000Z')
    api.clock.advance(LAST_SEEN_EVERY_MS)
    await post([sample(device, '2026-11-20T09:21:00Z', { voltage: 230 })])
    expect(await lastSeen()).toBe('2026-11-20T09:21:00.000Z')
  })

  it('returns nothing of a foreign device, with the response for an unknown one', async () => {
    const path = (id: string) => `/api/measurements/devices/${id}/samples`
    const foreign = await api.call('GET', path(meter.id), { token: otherTenant.viewer.token })
    const unknown = await api.call('GET', path(randomUUID()), { token: otherTenant.viewer.token })
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(unknown.text)
  })

  it('marks adjacent ended hours dirty with one range, and the running hour not at all', async () => {
    const device = await createDevice(api, ownTenant)
    await postSamples(
      api,
      ownTenant,
      ['02:10', '03:10', '03:50', '06:00', '09:05'].map((clock) =>
        sample(device, `2026-11-20T${clock}:00Z`, { voltage: 230 }),
      ),
    )
    const marks = await api.deps.database.kysely
      .selectFrom('rollup_dirty_range')
      .select(['from_hour', 'to_hour'])
      .where('device_key', '=', device.key)
      .orderBy('from_hour')
      .execute()
    expect(marks.map(({ from_hour, to_hour }) => [from_hour.toISOString(), to_hour.toISOString()])).toEqual([
      ['2026-11-20T02:00:00.000Z', '2026-11-20T04:00:00.000Z'],
      ['2026-11-20T06:00:00.000Z', '2026-11-20T07:00:00.000Z'],
    ])
  })
})
