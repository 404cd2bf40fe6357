import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  COLLECTOR_BODY_BYTES_MAX,
  COLLECTOR_MAPPINGS_MAX,
  COLLECTOR_POINTS_MAX,
} from '../../../../src/areas/metering/collectors/limits.ts'
import { startApi, type TestApi } from '../../../support/api.ts'
import { createTenant, type TestTenant } from '../../../support/tenants.ts'

/** Just after the recorded requests of Prometheus. */
const NOW = Date.parse('2026-11-23T08:30:00Z')
const LINES = '/api/v2/write'
const SERIES = '/api/v1/write'
let api: TestApi
let tenant: TestTenant
let device: string
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  api.clock.set(NOW)
  tenant = await createTenant(api)
  device = await createDevice('roof')
})

async function createDevice(name: string, fields: object = {}): Promise<string> {
  const { body, text } = await api.call('POST', '/api/devices', {
    token: tenant.admin.token,
    body: { name, device_type: 'energy_analyzer', ...fields },
  })
  expect(body.id, text).toBeDefined()
  return body.id
}
const createMapping = (body: object, user = tenant.admin) =>
  api.call('POST', '/api/collector-mappings', { token: user.token, body })

interface Sent {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly authorization?: string
}
async function send(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  { query = '', headers = {}, authorization }: Sent = {},
) {
  const response = await fetch(api.url + path + query, {
    method: 'POST',
    headers: { authorization: authorization ?? `Bearer ${tenant.operator.token}`, ...headers },
    body,
  })
  const text = await response.text()
  const json = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, body: json, headers: response.headers }
}
const sendLines = (body: string | Uint8Array<ArrayBuffer>, sent?: Sent) => send(LINES, body, sent)

interface StoredValue {
  readonly at: number
  readonly [metric: string]: unknown
}
/** The stored samples with the values that are not null. */
async function stored(id = device): Promise<StoredValue[]> {
  const { body, text } = await api.call(
    'GET',
    `/api/measurements/devices/${id}/samples?from=2026-11-01T00:00:00Z&to=2026-12-31T00:00:00Z`,
    { token: tenant.viewer.token },
  )
  expect(Array.isArray(body), text).toBe(true)
  return body.map(({ timestamp, values }: { timestamp: string; values: object }) => ({
    at: Date.parse(timestamp),
    ...values,
  }))
}
const AT = NOW - 60_000
const NS = `${AT}000000`

describe('line protocol', () => {
  it('is stored by the name of the device and acknowledged with 204', async () => {
    const body = `energy,device=roof active_power=4.25,import_active_energy=1234.567891 ${NS}\n`
    expect((await sendLines(body)).status).toBe(204)
    expect(await stored()).toEqual([{ at: AT, active_power: 4.25, import_active_energy: 1234.567891 }])
  })

  it('changes nothing when it is repeated', async () => {
    const body = `energy,device=roof active_power=4.25 ${NS}`
    for (let time = 0; time < 2; time++) expect((await sendLines(body)).status).toBe(204)
    expect(await stored()).toEqual([{ at: AT, active_power: 4.25 }])
  })

  it('accepts an API key with the scheme Token, which other endpoints refuse', async () => {
    const { body } = await api.call('POST', '/api/machine-keys', {
      token: tenant.admin.token,
      body: { name: 'telegraf', permissions: ['write:measurement'], expires_in_days: 30 },
    })
    const authorization = `Token ${body.key}`
    expect((await sendLines(`a,device=roof voltage=230 ${NS}`, { authorization })).status).toBe(204)
    const other = await send('/api/measurements', '{}', { authorization })
    expect(other.status).toBe(401)
  })

  it('accepts gzip and every precision', async () => {
    const gzip = { headers: { 'content-encoding': 'gzip' } }
    expect((await sendLines(gzipSync(`a,device=roof voltage=1 ${NS}`), gzip)).status).toBe(204)
    for (const [precision, time] of [
      ['s', Math.floor(AT / 1000) + 1],
      ['ms', AT + 2_000],
      ['us', (AT + 3_000) * 1_000],
    ] as const) {
      const { status } = await sendLines(`a,device=roof voltage=1 ${time}`, {
        query: `?precision=${precision}`,
      })
      expect(status).toBe(204)
    }
    expect((await stored()).map(({ at }) => at - AT)).toEqual([0, 1_000, 2_000, 3_000])
  })

  it('uses the time of the service for lines without a timestamp', async () => {
    expect((await sendLines('voltage,host=roof value=229i')).status).toBe(204)
    expect(await stored()).toEqual([{ at: NOW, voltage: 229 }])
  })

  it('stores the valid lines of a partial write and names the others in the format of InfluxDB', async () => {
    const { status, body } = await sendLines(
      [
        `energy,device=roof active_power=1 ${NS}`,
        `energy,device=cellar active_power=2 ${NS}`,
        'this is no line',
        `cpu,device=roof usage_idle=99 ${NS}`,
      ].join('\n'),
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid', error_code: 'PARTIAL_WRITE' })
    expect(body.message).toMatch(/^partial write: 3 of 4 values dropped: /)
    expect(body.message).toContain('line 2: there is no device with the name, external id or id "cellar"')
    expect(body.message).toContain('line 3: ')
    expect(body.message).toContain('line 4: the field "usage_idle" of "cpu" is not a metric')
    expect(await stored()).toEqual([{ at: AT, active_power: 1 }])
  })

  it('names samples that were set aside because they contradict stored ones', async () => {
    await sendLines(`a,device=roof voltage=230 ${NS}`)
    const { status, body } = await sendLines(`a,device=roof voltage=231 ${NS}`)
    expect(status).toBe(400)
    expect(body.message).toContain('line 1: the sample was set aside: conflicts_with_stored')
    expect(await stored()).toEqual([{ at: AT, voltage: 230 }])
  })

  it('translates labels, names and units by the mapping with the name of the bucket', async () => {
    const cellar = await createDevice('cellar', { extra_metadata: { external_id: 'SN-17' } })
    const { status, text } = await createMapping({
      name: 'plant',
      device_labels: ['serial'],
      metrics: [
        { measurement: 'inverter', field: 'p_ac', metric: 'active_power', factor: 0.001 },
        { field: 'p_ac', metric: 'p_ac_other' },
      ],
      ignore_unknown: true,
    })
    expect(status, text).toBe(201)
    const sent = await sendLines(`inverter,serial=SN-17 p_ac=612.4,noise=1,state="ok" ${NS}`, {
      query: '?org=any&bucket=plant',
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(204)
    expect(await stored(cellar)).toEqual([{ at: AT, active_power: 0.6124 }])
  })

  it('refuses a name that several devices have', async () => {
    await createDevice('roof')
    const { status, body } = await sendLines(`a,device=roof voltage=230 ${NS}`)
    expect(status).toBe(400)
    expect(body.message).toContain('several devices')
    expect((await sendLines(`a,device=${device} voltage=230 ${NS}`)).status).toBe(204)
  })

  it('does not find devices of another tenant', async () => {
    const other = await createTenant(api)
    const sent = await sendLines(`a,device=${device} voltage=230 ${NS}`, {
      authorization: `Bearer ${other.operator.token}`,
    })
    expect(sent.status).toBe(400)
    expect(await stored()).toEqual([])
  })

  it('has errors in the format of InfluxDB', async () => {
    const line = `a,device=roof voltage=230 ${NS}`
    const cases: [Sent, string | Uint8Array<ArrayBuffer>, number, string][] = [
      [{ authorization: 'Token nst_unknown' }, line, 401, 'unauthorized'],
      [{ authorization: `Bearer ${tenant.viewer.token}` }, line, 403, 'forbidden'],
      [{ query: '?precision=hours' }, line, 400, 'invalid'],
      [{ query: '?orgID=a%00b' }, line, 400, 'invalid'],
      [{ headers: { 'content-encoding': 'br' } }, line, 415, 'unsupported media type'],
      [{ headers: { 'content-encoding': 'gzip' } }, line, 400, 'invalid'],
      [{}, 'a'.repeat(COLLECTOR_BODY_BYTES_MAX + 1), 413, 'request too large'],
      [{}, `${line}\n`.repeat(COLLECTOR_POINTS_MAX + 1), 413, 'request too large'],
      [
        { headers: { 'content-encoding': 'gzip' } },
        gzipSync(Buffer.alloc(COLLECTOR_BODY_BYTES_MAX + 1)),
        ...([413, 'request too large'] as const),
      ],
    ]
    for (const [sent, body, status, code] of cases) {
      const answer = await sendLines(body, sent)
      expect(answer, JSON.stringify(sent)).toMatchObject({ status, body: { code } })
    }
    expect(await stored()).toEqual([])
  })

  it('refuses requests beyond the quota of samples with 429 and Retry-After', async () => {
    const set = await api.call('PUT', `/api/v1/admin/tenants/${tenant.uid}/quotas`, {
      token: tenant.superuser.token,
      body: { samples_per_day: 1 },
    })
    expect(set.status, set.text).toBe(200)
    expect((await sendLines(`a,device=roof voltage=1 ${NS}`)).status).toBe(204)
    const { status, body, headers } = await sendLines(`a,device=roof voltage=1 ${AT + 1}000000`)
    expect([status, body.code, body.error_code]).toEqual([429, 'too many requests', 'SAMPLE_QUOTA_EXCEEDED'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

const REMOTE_WRITE = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-write-version': '0.1.0',
}
const fixture = async (name: string) => new Uint8Array(await readFile(`test/data/collectors/${name}`))
const sendSeries = (
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = REMOTE_WRITE,
  query = '',
) => send(SERIES, body, { headers, query })

describe('remote write of Prometheus', () => {
  it('stores a recorded request by the labels and reports series that are no metrics', async () => {
    const body = await fixture('prometheus-2.42-samples.snappy')
    const { status, body: answer } = await sendSeries(body)
    expect(status).toBe(400)
    expect(answer).toMatchObject({ code: 'invalid', error_code: 'PARTIAL_WRITE' })
    expect(answer.message).toContain('meter_power_watts: ')
    const samples = await stored()
    expect(samples[0]).toMatchObject({ active_power: 4.25, import_active_energy: 1234.567891 })
    // Prometheus repeats a request that was not answered.
    await sendSeries(body)
    expect(await stored()).toEqual(samples)
  })

  it('stores it completely with a mapping', async () => {
    await createMapping({
      name: 'prometheus',
      metrics: [{ field: 'meter_power_watts', metric: 'apparent_power', factor: 0.001 }],
      ignore_unknown: true,
    })
    const query = '?mapping=prometheus'
    const { status } = await sendSeries(await fixture('prometheus-2.42-samples.snappy'), REMOTE_WRITE, query)
    expect(status).toBe(204)
    expect((await stored())[0]).toMatchObject({ active_power: 4.25, apparent_power: 4.25 })
    const stale = await sendSeries(await fixture('prometheus-2.42-stale.snappy'), REMOTE_WRITE, query)
    expect(stale.status).toBe(204)
  })

  it('answers 404 for an unknown mapping, so that Prometheus does not repeat the request', async () => {
    const body = await fixture('prometheus-2.42-samples.snappy')
    expect((await sendSeries(body, REMOTE_WRITE, '?mapping=none')).status).toBe(404)
  })

  it('refuses version 2.0 and other encodings with 415', async () => {
    const body = await fixture('prometheus-2.42-samples.snappy')
    const type = 'application/x-protobuf;proto=io.prometheus.write.v2.Request'
    expect((await sendSeries(body, { ...REMOTE_WRITE, 'content-type': type })).status).toBe(415)
    expect((await sendSeries(body, { ...REMOTE_WRITE, 'content-encoding': 'gzip' })).status).toBe(415)
  })

  it('refuses what cannot be decoded, and a block that announces too many bytes', async () => {
    expect((await sendSeries(Uint8Array.of(4, 12, 255, 255, 255, 255))).status).toBe(400)
    expect((await sendSeries(Uint8Array.of(255, 255, 255, 255, 15, 0, 0))).status).toBe(413)
    expect((await sendSeries(new Uint8Array())).status).toBe(400)
  })
})

describe('collector mappings', () => {
  it('can be created, read, changed and deleted', async () => {
    const created = (await createMapping({ name: 'plant' })).body
    expect(created).toMatchObject({
      ...{ name: 'plant', device_labels: ['device', 'host'], metrics: [], ignore_unknown: false },
    })
    const path = `/api/collector-mappings/${created.id}`
    const { token } = tenant.admin
    const metrics = [{ field: 'p', metric: 'active_power' }]
    const changed = await api.call('PUT', path, { token, body: { metrics } })
    expect(changed.body.metrics).toEqual([
      { measurement: null, field: 'p', metric: 'active_power', factor: 1 },
    ])
    expect((await api.call('GET', path, { token: tenant.viewer.token })).body).toEqual(changed.body)
    const list = await api.call('GET', '/api/collector-mappings?search=PLA', { token: tenant.viewer.token })
    expect(list.body).toMatchObject({ total: 1, items: [{ id: created.id }] })
    expect((await api.call('DELETE', path, { token })).status).toBe(204)
    expect((await api.call('GET', path, { token })).status).toBe(404)
  })

  it('have unique names and a limited number', async () => {
    for (let index = 0; index < COLLECTOR_MAPPINGS_MAX; index++)
      expect((await createMapping({ name: `mapping ${index}` })).status).toBe(201)
    const { status, body } = await createMapping({ name: 'one more' })
    expect([status, body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await api.deps.database.pool.query(
      `delete from collector_mapping where tenant_id = $1 and name = 'mapping 1'`,
      [tenant.id],
    )
    expect((await createMapping({ name: 'mapping 0' })).body.error_code).toBe('DUPLICATE_ENTRY')
    expect((await createMapping({ name: 'mine' }, tenant.viewer)).status).toBe(403)
  })
})
