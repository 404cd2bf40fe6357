import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant } from '../../support/tenants.ts'

let api: TestApi
let token: string
let device: string
beforeAll(async () => {
  api = await startApi()
  token = (await createTenant(api)).admin.token
  const body = { name: 'meter', device_type: 'energy_analyzer' }
  device = (await api.call('POST', '/api/devices', { token, body })).body.id
})
afterAll(() => api.close())

/** Sends the text unchanged: `api.call` would make valid JSON of it. */
async function send(path: string, text: string, contentType = 'application/json') {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    body: text,
  })
  return { status: response.status, text: await response.text() }
}

describe('hostile request body', () => {
  it('of another type than JSON is 415, and an empty body counts as absent with any type', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'JSON',
    ]) {
      const response = await send('/api/regions', '{"name":"x"}', type)
      expect([type, response.status]).toEqual([type, 415])
      expect(response.text).toContain('"error_code":"UNSUPPORTED_MEDIA_TYPE"')
      if (type !== 'JSON') expect([type, (await send('/api/regions', '', type)).status]).toEqual([type, 422])
    }
  })

  it('with a lone surrogate is rejected in a text, a key or free-form JSON; a full pair is kept', async () => {
    const half = String.raw`\ud83d`
    for (const [path, body] of [
      ['/api/regions', `{"name":"${half}"}`],
      ['/api/gateways', `{"name":"g","gateway_type":"modbus","config":{"${half}":1}}`],
      ['/api/devices', `{"name":"d","device_type":"x","extra_metadata":{"a":["${half}"]}}`],
      [
        '/api/measurements',
        `{"samples":[{"device_id":"${device}","timestamp":"2026-05-01","values":{"${half}":1}}]}`,
      ],
    ] as const) {
      const response = await send(path, body)
      expect([path, response.status]).toEqual([path, 422])
      expect(JSON.parse(response.text)).toMatchObject({ detail: [{ loc: ['body'] }] })
    }
    const whole = await send('/api/regions', String.raw`{"name":"\ud83d\ude00"}`)
    expect(JSON.parse(whole.text)).toMatchObject({ name: '😀' })
  })

  it('with excessive nesting is rejected, also below a key that is not declared', async () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    const charger = await api.call('POST', '/api/ocpp/chargers', { token, body: { cpid: 'CP-deep' } })
    const path = `/api/ocpp/chargers/${charger.body.id}/composite-schedule`
    const response = await send(path, `{"duration_seconds":60,"unknown":${deep}}`)
    expect([response.status, response.text]).toEqual([422, expect.stringContaining('200 levels')])
    expect((await send('/api/regions', `{"name":"${'['.repeat(200)}"}`)).status).toBe(201)
  })

  it('with free-form JSON that is nested too deeply is rejected wherever it would be stored', async () => {
    const deep = `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`
    for (const [path, body] of [
      ['/api/gateways', `{"name":"g","gateway_type":"modbus","config":${deep}}`],
      ['/api/devices', `{"name":"d","device_type":"x","extra_metadata":${deep}}`],
      ['/api/devices/device-templates', `{"name":"t","device_type":"x","register_map":${deep}}`],
    ] as const) {
      const response = await send(path, body)
      expect([path, response.status]).toEqual([path, 422])
      expect(response.text).toContain('100 levels')
    }
  })
})

it('cannot grow the metadata of a device without a limit', async () => {
  const put = (extra_metadata: object) =>
    api.call('PUT', `/api/devices/${device}`, { token, body: { extra_metadata } })
  const keys = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'x'.repeat(1000)]))
  expect((await put(keys('a', 150))).status).toBe(200)
  expect((await put(keys('b', 51))).body.detail[0].msg).toContain('200 keys')
  expect((await put({ long: 'x'.repeat(200_000) })).body.detail[0].msg).toContain('bytes')
  expect((await put(keys('a', 150))).status).toBe(200)
  expect((await put({})).status).toBe(200)
})

describe('out-of-range instant', () => {
  const reading = (query: string) =>
    api.call('GET', `/api/measurements/devices/${device}/${query}`, { token })

  it('is rejected in a range parameter', async () => {
    for (const query of [
      'samples?from=0000-01-01',
      'samples?from=0001-01-01T00:00:00%2B14:00',
      'samples?to=9999-12-31T23:59:59-12:00',
      'aggregated?end=0001-01-01',
      'aggregated?start=1899-01-01&end=1899-01-02',
      'aggregated?start=9999-12-01&end=9999-12-31&interval=monthly',
    ]) {
      expect([query, (await reading(query)).status]).toEqual([query, 422])
    }
    expect((await reading('samples?from=1000-01-01&to=9999-12-31')).status).toBe(200)
    expect((await reading('aggregated?start=1970-01-01&end=1970-01-02')).body).toMatchObject({ data: [] })
  })

  it('is quarantined with its sample', async () => {
    const timestamps = ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59Z']
    const samples = timestamps.map((timestamp) => ({ device_id: device, timestamp, values: { voltage: 1 } }))
    const { status, body } = await api.call('POST', '/api/measurements', { token, body: { samples } })
    expect([status, body]).toMatchObject([201, { accepted: 0, set_aside: [{}, {}, {}] }])
    expect((await api.call('GET', '/api/measurements/set-aside', { token })).body).toMatchObject({ total: 3 })
  })
})

it('a measurement rejects a value that would overflow an average', async () => {
  const sample = { device_id: device, timestamp: '2026-05-01', values: { voltage: 1e101, other: -1e101 } }
  const { status, body } = await api.call('POST', '/api/measurements', { token, body: { samples: [sample] } })
  expect([status, body]).toMatchObject([422, { detail: [{ type: 'maximum' }, { type: 'minimum' }] }])
})

it('an aggregated response names the device like every other response', async () => {
  const path = `/api/measurements/aggregated?device_id=${device.toUpperCase()}`
  expect((await api.call('GET', path, { token })).body).toMatchObject({ device_id: device })
})
