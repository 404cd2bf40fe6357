import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureSystemTemplates } from '../../../src/areas/equipment/device-templates/index.ts'
import { type Poller, startPoller } from '../../../src/field/modbus/index.ts'
import { makeClock } from '../../../src/platform/runtime/clock.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import {
  framed,
  respondWithException,
  serveModbus,
  spanOf,
  type TestServer,
  wordsPdu,
} from '../../support/field/modbus-server.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A file of tools/make-template-frames.py: frames that pymodbus encoded, and the values to be stored. */
interface GoldenFrames {
  readonly template: string
  readonly exchanges: readonly { readonly request: string; readonly response: string }[]
  readonly expect: Readonly<Record<string, number | null>>
}
interface Seed {
  readonly id: string
  readonly device_type: string
  readonly register_map: { readonly vendor: string; readonly source: { readonly url: string | null } }
}

const FRAMES = new URL('../../data/device-templates/', import.meta.url)
const SEEDS = new URL('../../../seed/device-templates/', import.meta.url)
const readJson = (folder: URL, file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
const goldenFrames = readdirSync(FRAMES).map((file): GoldenFrames => readJson(FRAMES, file))
const seedOf = (template: string): Seed => readJson(SEEDS, `${template}.json`)

/** The words of a device by function and address, as its response frames contain them. */
function wordsOf({ exchanges }: GoldenFrames): Map<string, number> {
  const words = new Map<string, number>()
  for (const { request, response } of exchanges) {
    const [asked, sent] = [Buffer.from(request, 'hex'), Buffer.from(response, 'hex')]
    const [fn, address, count] = [asked[7] ?? 0, asked.readUInt16BE(8), asked.readUInt16BE(10)]
    expect([sent[7], sent[8]]).toEqual([fn, count * 2])
    for (let index = 0; index < count; index += 1)
      words.set(`${fn}:${address + index}`, sent.readUInt16BE(9 + index * 2))
  }
  return words
}

const ILLEGAL_ADDRESS = 2
const MAKERS = ['Entes', 'GoodWe', 'Growatt', 'Huawei', 'SMA', 'SolarEdge', 'Sungrow']

let api: TestApi
let tenant: TestTenant
let server: TestServer
let poller: Poller
const refused: string[] = []
const devices = new Map<string, string>()

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: tenant.admin.token, ...(body !== undefined && { body }) })

async function createGateway(name: string): Promise<string> {
  const body = { name, gateway_type: 'modbus', host: '127.0.0.1', port: server.port }
  const created = await call('POST', '/api/gateways', body)
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

async function createDevice(gatewayId: string, template: string, unit: number | null): Promise<string> {
  const { id, device_type } = seedOf(template)
  const body = { name: template, device_type, device_source: 'modbus', gateway_id: gatewayId }
  const created = await call('POST', '/api/devices', { ...body, slave_id: unit, template_id: id })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

/** The values of a device by metric. */
async function storedValues(deviceId: string): Promise<Record<string, number>> {
  const { body } = await call('GET', `/api/measurements/latest?device_ids=${deviceId}`)
  const values: readonly { metric: string; value: number }[] = body.devices[0].values
  return Object.fromEntries(values.map(({ metric, value }) => [metric, value]))
}

/** Unit number of the device of a template: a unit of its own for each template. */
const unitOf = (template: string) => goldenFrames.findIndex((frames) => frames.template === template) + 1
/** Three templates of one hybrid inverter, whose devices have no slave_id and use the unit of their maps. */
const HYBRID = ['goodwe-et', 'goodwe-et-battery', 'goodwe-et-meter']
const HYBRID_UNIT = 247

beforeAll(async () => {
  api = await startApi({ now: new Date().toISOString() })
  tenant = await createTenant(api)
  await ensureSystemTemplates(api.deps)
  const units = new Map(goldenFrames.map((frames) => [unitOf(frames.template), wordsOf(frames)]))
  const hybrid = goldenFrames.filter(({ template }) => HYBRID.includes(template))
  units.set(HYBRID_UNIT, new Map(hybrid.flatMap((frames) => [...wordsOf(frames)])))
  server = await serveModbus((request) => {
    const { fn, address, count } = spanOf(request)
    const words = Array.from({ length: count }, (_, index) =>
      units.get(request.unit)?.get(`${fn}:${address + index}`),
    )
    if (words.every((word) => word !== undefined))
      return void request.socket.write(framed(request.transaction, request.unit, wordsPdu(fn, words)))
    refused.push(`${goldenFrames[request.unit - 1]?.template} ${fn}:${address}+${count}`)
    respondWithException(request, ILLEGAL_ADDRESS)
  })
  const gateway = await createGateway('one unit for each template')
  for (const { template } of goldenFrames)
    devices.set(template, await createDevice(gateway, template, unitOf(template)))
  const shared = await createGateway('one unit for three templates')
  for (const template of HYBRID) devices.set(`shared ${template}`, await createDevice(shared, template, null))
  // The lines do not use the clock of the test.
  poller = startPoller({ ...api.deps, clock: makeClock(Date.now) }, { beatMs: 100, reloadMs: 100 })
})
afterAll(async () => {
  await poller?.stop()
  await server?.stop()
  await api?.close()
})

async function expectValues(device: string, { expect: expected }: GoldenFrames): Promise<void> {
  const deviceId = devices.get(device) ?? ''
  const known = Object.entries(expected).filter(([, value]) => value !== null)
  await waitFor(async () => {
    const values = await storedValues(deviceId)
    return known.every(([metric]) => metric in values)
  }, 60_000)
  const values = await storedValues(deviceId)
  const stored = Object.fromEntries(Object.keys(expected).map((metric) => [metric, values[metric] ?? null]))
  expect(stored).toEqual(expected)
}

describe('golden frames of system templates, read by the Modbus poller', () => {
  it.each(goldenFrames.map((frames) => [frames.template, frames] as const))(
    '%s stores exactly the expected values',
    async (template, frames) => expectValues(template, frames),
    70_000,
  )

  it.each(HYBRID)(
    '%s stores its values beside the other templates of the same unit',
    async (template) => {
      const frames = goldenFrames.find((one) => one.template === template)
      if (frames) await expectValues(`shared ${template}`, frames)
    },
    70_000,
  )

  it('need no register outside the documented frames', () => {
    expect(refused).toEqual([])
  })

  it('exist for every template of these makers, and each template names the URL of its source', () => {
    const seeds = readdirSync(SEEDS).map((file): [string, Seed] => [
      file.replace('.json', ''),
      readJson(SEEDS, file),
    ])
    const ofMakers = seeds.filter(([, { register_map }]) => MAKERS.includes(register_map.vendor))
    expect(ofMakers.map(([template]) => template).sort()).toEqual(
      goldenFrames.map(({ template }) => template).sort(),
    )
    expect(new Set(ofMakers.map(([, { register_map }]) => register_map.vendor))).toEqual(new Set(MAKERS))
    for (const [template, { register_map }] of ofMakers)
      expect(register_map.source.url, template).toMatch(/^https?:/)
  })
})
