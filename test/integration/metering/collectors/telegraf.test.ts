import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createGzip, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../support/api.ts'
import { createTenant, type TestTenant } from '../../../support/tenants.ts'

const NOW = '2026-11-23T08:30:00Z'
let api: TestApi
let tenant: TestTenant
let payload: Buffer
beforeAll(async () => {
  api = await startApi({ now: NOW })
  payload = await readFile('test/data/collectors/telegraf-modbus.lp')
})
afterAll(() => api.close())
beforeEach(async () => {
  tenant = await createTenant(api)
})

const createDevice = async (name: string): Promise<string> => {
  const fields = { name, device_type: 'energy_analyzer' }
  const created = await api.call('POST', '/api/devices', { token: tenant.admin.token, body: fields })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}
const createKey = async (): Promise<string> => {
  const fields = { name: 'telegraf', permissions: ['write:measurement'], expires_in_days: 30 }
  return (await api.call('POST', '/api/machine-keys', { token: tenant.admin.token, body: fields })).body.key
}
async function samplesOf(id: string) {
  const range = 'from=2026-11-23T00:00:00Z&to=2026-11-24T00:00:00Z'
  const path = `/api/measurements/devices/${id}/samples?${range}`
  const { body } = await api.call('GET', path, { token: tenant.viewer.token })
  return body.map(({ timestamp, values }: { timestamp: string; values: object }) => [timestamp, values])
}

/** Sends a batch with the headers of the output influxdb_v2: gzip is streamed, so its length is not announced. */
function flush(key: string, body: Buffer, query: string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = {
      'user-agent': 'Telegraf/1.30.0 Go/1.22.1',
      authorization: `Token ${key}`,
      'content-type': 'text/plain; charset=utf-8',
      'content-encoding': 'gzip',
    }
    const sent = request(
      `${api.url}/api/v2/write?${query}`,
      { method: 'POST', headers },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, text })
      },
    )
    sent.on('error', reject)
    const gzip = createGzip()
    gzip.pipe(sent)
    gzip.end(body)
  })
}

it('a batch of Telegraf is stored through a mapping that ignores the metrics of Telegraf itself', async () => {
  const devices = [await createDevice('roof'), await createDevice('east wing, 1')]
  const mapping = { name: 'plant', ignore_unknown: true }
  await api.call('POST', '/api/collector-mappings', { token: tenant.admin.token, body: mapping })
  const key = await createKey()
  expect(await flush(key, payload, 'bucket=plant&org=any')).toEqual({ status: 204, text: '' })
  // Telegraf repeats a batch whose response it has not received.
  expect(await flush(key, payload, 'bucket=plant&org=any')).toEqual({ status: 204, text: '' })
  const [roof, wing] = await Promise.all(devices.map(samplesOf))
  expect(roof).toMatchObject([
    ['2026-11-23T08:29:00.000Z', { active_power: 4.25, import_active_energy: 1234.567891, voltage: 229 }],
    ['2026-11-23T08:29:10.000Z', { active_power: 4.5, import_active_energy: 1234.571456, voltage: 230 }],
  ])
  expect(wing).toMatchObject([['2026-11-23T08:29:10.000Z', { active_power: 0.75 }]])
})

it('without a mapping the response names the metrics of Telegraf itself, and the others are stored', async () => {
  const device = await createDevice('roof')
  await createDevice('east wing, 1')
  const { status, text } = await flush(await createKey(), payload, 'bucket=&org=')
  expect([status, JSON.parse(text).code]).toEqual([400, 'invalid'])
  expect(JSON.parse(text).message).toContain('line 4: ')
  expect(await samplesOf(device)).toHaveLength(2)
})

it.each([
  ['en', 'precision', 'ns, us, ms, s'],
  ['tr', 'precision', 'ns, us, ms, s'],
])('an invalid precision is answered with 400 and the parameter in the message (%s)', async (...expected) => {
  const [language, parameter, values] = expected
  const response = await fetch(`${api.url}/api/v2/write?precision=hours`, {
    method: 'POST',
    headers: { authorization: `Token ${await createKey()}`, 'accept-language': language },
    body: gzipSync('a b=1'),
  })
  const body = JSON.parse(await response.text())
  expect(response.status).toBe(400)
  expect(body).toMatchObject({ code: 'invalid', error_code: 'VALIDATION_ERROR' })
  expect(body.message).toContain(parameter)
  expect(body.message).toContain(values)
})
