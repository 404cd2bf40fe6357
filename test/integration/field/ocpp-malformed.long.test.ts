import { once } from 'node:events'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { OCPP_MESSAGE_BYTES_MAX } from '../../../src/field/ocpp/limits.ts'
import type { OcppVersion } from '../../../src/kernel/ocpp.ts'
import type { TestApi } from '../../support/api.ts'
import {
  connectStation,
  createCharger,
  startOcppApi,
  type TestCharger,
  type TestStation,
} from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let hostile: TestCharger
let otherStation: TestStation

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
  hostile = await createCharger(api, tenant)
  otherStation = await connectStation(api, await createCharger(api, tenant))
})
afterAll(async () => {
  await otherStation.end()
  await api.close()
})

/** A bare WebSocket with the right password that ignores the protocol. */
async function openHostile(version: OcppVersion): Promise<WebSocket> {
  const authorization = `Basic ${Buffer.from(`${hostile.cpid}:${hostile.password}`).toString('base64')}`
  const url = `${api.url.replace('http', 'ws')}/ocpp/${version}/${hostile.cpid}`
  const socket = new WebSocket(url, [`ocpp${version}`], { headers: { authorization } })
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}

/** Written as text, as bytes of a binary message, or below the WebSocket. */
type Frame = { readonly text: string } | { readonly binary: Buffer } | { readonly raw: Buffer }

const AT = '2026-11-20T10:00:00Z'
const METER = [{ timestamp: AT, sampledValue: [{ value: '1', unit: 'Wh', phase: 'L1' }] }]
/** Valid messages of both versions, to be corrupted. */
const GOOD: readonly (readonly [string, Readonly<Record<string, fc.JsonValue>>])[] = [
  ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1' }],
  ['BootNotification', { reason: 'PowerUp', chargingStation: { model: 'M', vendorName: 'V' } }],
  ['Heartbeat', {}],
  [
    'StatusNotification',
    { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp: AT, info: 'i' },
  ],
  ['StatusNotification', { timestamp: AT, connectorStatus: 'Available', evseId: 1, connectorId: 1 }],
  ['Authorize', { idTag: 'A' }],
  ['Authorize', { idToken: { idToken: 'A', type: 'ISO14443' } }],
  ['StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: AT }],
  ['StopTransaction', { transactionId: 1, meterStop: 1, timestamp: AT, idTag: 'A', transactionData: METER }],
  ['MeterValues', { connectorId: 1, transactionId: 1, meterValue: METER }],
  ['MeterValues', { evseId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: 1 }] }] }],
  [
    'TransactionEvent',
    {
      ...{ eventType: 'Started', timestamp: AT, triggerReason: 'Authorized', seqNo: 0 },
      transactionInfo: { transactionId: 'T' },
      evse: { id: 1, connectorId: 1 },
      idToken: { idToken: 'A', type: 'ISO14443' },
    },
  ],
  ['DataTransfer', { vendorId: 'V', messageId: 'm', data: 'd' }],
  ['SecurityEventNotification', { type: 'StartupOfTheDevice', timestamp: AT }],
  ['FirmwareStatusNotification', { status: 'Installed' }],
  ['DiagnosticsStatusNotification', { status: 'Uploaded' }],
  ['LogStatusNotification', { status: 'Uploaded', requestId: 1 }],
  ['SignCertificate', { csr: 'nonsense' }],
  ['NotifyReport', { requestId: 1, generatedAt: AT, seqNo: 0 }],
]
const ODD_ACTIONS = ['Reset', 'toString', '__proto__', 'constructor', 'heartbeat', '', 'x'.repeat(300)]

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<fc.JsonValue>(
    1,
    0,
    -1,
    1e300,
    2 ** 53,
    2 ** 31,
    0.5,
    '1',
    '\0',
    '\ud800',
    '',
    AT,
    '0001-01-01T00:00:00Z',
  ),
  fc.constantFrom<fc.JsonValue>(
    '9999-12-31T23:59:59Z',
    '2026-11-20',
    'NaN',
    null,
    true,
    [],
    {},
    [{}],
    'x'.repeat(2_000),
  ),
)
const corrupted = fc
  .tuple(fc.constantFrom(...GOOD), fc.nat(20), value, fc.boolean())
  .map(([good, at, inserted, isInside]) => {
    const [action, payload] = structuredClone(good) as [string, Record<string, fc.JsonValue>]
    const keys = Object.keys(payload)
    const key = keys[at % Math.max(1, keys.length)] ?? 'extra'
    const inner = payload[key]
    if (isInside && Array.isArray(inner)) inner.push(inserted)
    else if (isInside && typeof inner === 'object' && inner !== null)
      Object.assign(inner, { [keys[0] ?? 'a']: inserted })
    else payload[key] = inserted
    return [2, `${at}`, action, payload] as fc.JsonValue
  })
const id = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('1', '', '-1', 'x'.repeat(300)), value)
const action = fc.constantFrom(...GOOD.map(([name]) => name), ...ODD_ACTIONS)
const json = fc.oneof(
  { weight: 5, arbitrary: corrupted },
  { weight: 3, arbitrary: fc.tuple(fc.constant(2), id, action, value) },
  { weight: 1, arbitrary: fc.tuple(fc.integer({ min: -1, max: 9 }), id, fc.oneof(action, value), value) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(3, 4), id, value, value, value) },
)
const text = fc.oneof(
  { weight: 8, arbitrary: json.map((frame) => JSON.stringify(frame)) },
  // Truncated, or with something inserted.
  fc.tuple(json, fc.nat(200), fc.string({ maxLength: 3 })).map(([frame, at, inserted]) => {
    const written = JSON.stringify(frame)
    return written.slice(0, at) + inserted + (inserted === '' ? '' : written.slice(at))
  }),
  fc.oneof(
    fc.string(),
    fc.constantFrom(
      '[',
      '{}',
      'null',
      '['.repeat(5_000),
      `[2,"1","DataTransfer",${'['.repeat(900)}${']'.repeat(900)}]`,
    ),
  ),
)
const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array))
const frame: fc.Arbitrary<Frame> = fc.oneof(
  { weight: 20, arbitrary: text.map((written) => ({ text: written })) },
  { weight: 2, arbitrary: bytes.map((binary) => ({ binary })) },
)
/** Bytes below the WebSocket end its socket or start a message that never ends, so they come last. */
const burst = fc.tuple(
  fc.array(frame, { minLength: 100, maxLength: 100 }),
  fc.option(bytes.map((raw) => ({ raw }))),
)

function write(socket: WebSocket, sent: Frame): void {
  if ('text' in sent) socket.send(sent.text)
  else if ('binary' in sent) socket.send(sent.binary)
  else (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(sent.raw)
}

/** Resolves when everything sent before is answered, or when the socket is closed for it. */
async function untilProcessed(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => String(data).includes('"the end"') && resolve())
    socket.once('close', () => resolve())
    if (socket.readyState === WebSocket.OPEN) socket.send('[2,"the end","Heartbeat",{}]')
    else if (socket.readyState === WebSocket.CLOSED) resolve()
  })
}

/** Messages of stations by result. */
async function countOutcomes() {
  const counts: Record<string, number> = { malformed: 0, refused: 0, answered: 0 }
  const metric = await api.deps.metrics.registry.getSingleMetric('netsaat_ocpp_messages_total')?.get()
  for (const { labels, value: count } of metric?.values ?? []) {
    const outcome = String((labels as Record<string, unknown>)['outcome'])
    counts[outcome] = (counts[outcome] ?? 0) + count
  }
  return counts as Record<'malformed' | 'refused' | 'answered', number>
}

describe('malformed frames', () => {
  it('10,000 of them, close no socket but their own', async () => {
    let sent = 0
    await fc.assert(
      fc.asyncProperty(
        burst,
        fc.constantFrom<OcppVersion>('1.6', '2.0.1'),
        async ([frames, last], version) => {
          const socket = await openHostile(version)
          for (const one of frames) write(socket, one)
          sent += frames.length
          // Other stations are answered while these are processed.
          expect(await otherStation.call('Heartbeat')).toHaveProperty('currentTime')
          await untilProcessed(socket)
          if (last && socket.readyState === WebSocket.OPEN) write(socket, last)
          expect(await otherStation.call('Heartbeat')).toHaveProperty('currentTime')
          socket.terminate()
        },
      ),
      // The seed is fixed: new findings belong to a fuzzing run, not to a build.
      { numRuns: 100, seed: 20_261_120, endOnFailure: true },
    )
    expect(sent).toBe(10_000)
    const outcomes = await countOutcomes()
    // Messages after fifty malformed ones in a row are not processed any more.
    expect(outcomes.malformed + outcomes.refused + outcomes.answered).toBeGreaterThan(9_000)
    expect(outcomes).not.toHaveProperty('failed')
    expect(otherStation.client.state).toBe(WebSocket.OPEN)
    expect((await api.call('GET', '/health')).status).toBe(200)
  })

  it('are answered with the error and without internal details', async () => {
    const socket = await openHostile('1.6')
    const responses: unknown[] = []
    socket.on('message', (data) => void responses.push(JSON.parse(String(data))))
    const ask = async (written: string) => {
      socket.send(written)
      socket.send('[2,"end","Heartbeat",{}]')
      while (!responses.some((response) => (response as unknown[])[1] === 'end'))
        await once(socket, 'message')
      return responses.splice(0).slice(0, -1)
    }
    const errorFrames = (mid: string, code: string) => [[4, mid, code, expect.any(String), {}]]
    expect(await ask('not JSON')).toEqual(errorFrames('-1', 'FormationViolation'))
    expect(await ask('{}')).toEqual(errorFrames('-1', 'FormationViolation'))
    expect(await ask('[2,17,"Heartbeat",{}]')).toEqual(errorFrames('-1', 'FormationViolation'))
    expect(await ask('[2,"a",{},{}]')).toEqual(errorFrames('a', 'FormationViolation'))
    expect(await ask('[9,"a","Heartbeat",{}]')).toEqual([])
    expect(await ask('[3,"a",{}]')).toEqual([])
    expect(await ask('')).toEqual([])
    expect(await ask('[2,"a","MakeCoffee",{}]')).toEqual(errorFrames('a', 'NotImplemented'))
    expect(await ask('[2,"a","Reset",{"type":"Hard"}]')).toEqual(errorFrames('a', 'NotSupported'))
    expect(await ask('[2,"a","Authorize",{}]')).toEqual(errorFrames('a', 'OccurenceConstraintViolation'))
    expect(await ask('[2,"a","Authorize",{"idTag":[]}]')).toEqual(errorFrames('a', 'TypeConstraintViolation'))
    expect(await ask('[2,"a","Heartbeat"]')).toEqual([[3, 'a', { currentTime: expect.any(String) }]])
    socket.terminate()
    const newer = await openHostile('2.0.1')
    newer.send('not JSON')
    const [first] = await once(newer, 'message')
    expect(JSON.parse(String(first))).toEqual([4, '-1', 'RpcFrameworkError', expect.any(String), {}])
    newer.terminate()
  })

  it.each<OcppVersion>(['1.6', '2.0.1'])(
    'nested to the maximum depth are rejected, in OCPP %s',
    async (version) => {
      const deep = '['.repeat(OCPP_MESSAGE_BYTES_MAX / 2 - 100)
      const socket = await openHostile(version)
      const responses: unknown[][] = []
      socket.on('message', (data) => void responses.push(JSON.parse(String(data))))
      for (const payload of [
        `${deep}1${deep.replaceAll('[', ']')}`,
        `{"vendorId":"V","data":${deep}${deep.replaceAll('[', ']')}}`,
      ])
        socket.send(`[2,"a","DataTransfer",${payload}]`)
      await untilProcessed(socket)
      const code = version === '1.6' ? 'FormationViolation' : 'FormatViolation'
      expect(responses.slice(0, 2)).toEqual([1, 2].map(() => [4, 'a', code, 'nested too deep', {}]))
      expect(await otherStation.call('Heartbeat')).toHaveProperty('currentTime')
      socket.terminate()
    },
  )

  it('in response to a command end the command', async () => {
    const socket = await openHostile('1.6')
    const path = `/api/ocpp/chargers/${hostile.id}/commands`
    const order = () =>
      api.call('POST', `${path}?wait=10`, { token: tenant.admin.token, body: { action: 'clear_cache' } })
    const error = ['X\\u0000\\ud800', `\\u0000no${'x'.repeat(5_000)}`].map((text) => `"${text}"`).join(',')
    socket.on('message', (data) => {
      const [, id] = JSON.parse(String(data)) as string[]
      socket.send(`[4,"${id}",${error},{}]`)
    })
    for (let time = 0; time < 2; time += 1) {
      const { body } = await order()
      expect(body).toMatchObject({ state: 'failed', error: expect.stringMatching(/^X\ufffd: nox+$/) })
      expect(body.error.length).toBeLessThan(2_010)
    }
    socket.terminate()
  })

  it('that are too large close their own socket', async () => {
    const socket = await openHostile('1.6')
    socket.send(`[2,"1","DataTransfer",{"vendorId":"${'x'.repeat(OCPP_MESSAGE_BYTES_MAX)}"}]`)
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1009)
    expect(await otherStation.call('Heartbeat')).toHaveProperty('currentTime')
  })

  it('are recorded among the events of the charger, with a limit', async () => {
    const { database } = api.deps
    const { rows } = await database.pool.query(
      `select count(*)::int as count, max(length(details::text)) as longest from charger_event
       where charger_id = $1 and event_type = 'message_refused'`,
      [hostile.id],
    )
    expect(rows[0].count).toBeGreaterThan(0)
    // Ten a minute for each socket.
    expect(rows[0].count).toBeLessThanOrEqual(110 * 10)
    expect(rows[0].longest).toBeLessThan(4_000)
  })
})
