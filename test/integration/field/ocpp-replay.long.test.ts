import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { makeTag } from '../../support/charging/charging.ts'
import { dumpTenant } from '../../support/dump.ts'
import { connectStation, createCharger, startOcppApi, type TestStation } from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const HOUR = 3_600_000
let api: TestApi

beforeAll(async () => {
  api = await startOcppApi({ now: new Date(NOW).toISOString() })
})
afterAll(() => api.close())

/**
 * Fields of the socket and of the time of receipt, which differ between runs. Everything else is compared.
 */
const OF_THE_MOMENT = [
  'charger.connection_id',
  'charger.connected_at',
  'charger.disconnected_at',
  'charger.last_message_at',
  'charger.last_heartbeat',
  // A boot has no timestamp.
  'charger.booted_at',
]

type Payload = Readonly<Record<string, unknown>>
/**
 * A message. A number in place of a transactionId refers to the response to the start at that position of the
 * log.
 */
type Message = readonly [action: string, payload: Payload]
interface Played {
  readonly log: readonly Message[]
  readonly answers: readonly Payload[]
}

const START_AT = 'start at'

/** Sends the messages in order. `START_AT` in a payload is replaced by the transactionId of that response. */
async function play(station: TestStation, log: readonly Message[]): Promise<Played> {
  const sent: Message[] = []
  const responses: Payload[] = []
  for (const [action, { [START_AT]: startIndex, ...rest }] of log) {
    const transactionId =
      typeof startIndex === 'number' ? responses[startIndex]?.['transactionId'] : undefined
    const payload = transactionId === undefined ? rest : { ...rest, transactionId }
    sent.push([action, payload])
    responses.push(await station.call(action, payload))
  }
  return { log: sent, answers: responses }
}

/**
 * Replays a log, and again an hour later over another socket. The responses and the rows must be the same.
 */
async function playTwice(
  tenant: TestTenant,
  log: readonly Message[],
): Promise<ReadonlyMap<string, string[]>> {
  api.clock.set(NOW)
  const charger = await createCharger(api, tenant)
  const station = await connectStation(api, charger)
  const first = await play(station, log)
  const before = await dumpTenant(api, tenant.id, OF_THE_MOMENT)
  await station.end()
  api.clock.set(NOW + HOUR)
  const again = await connectStation(api, charger)
  const second = await play(again, first.log)
  const after = await dumpTenant(api, tenant.id, OF_THE_MOMENT)
  await again.end()
  const startResponses = ({ answers: responses }: Played) =>
    responses.filter((_, index) => log[index]?.[0] === 'StartTransaction')
  expect(startResponses(second).map(({ transactionId }) => transactionId)).toEqual(
    startResponses(first).map(({ transactionId }) => transactionId),
  )
  expect(Object.fromEntries(after)).toEqual(Object.fromEntries(before))
  return after
}

const at = (time: string) => `2026-11-20T${time}Z`
const status = (connectorId: number, word: string, time: string): Message => [
  'StatusNotification',
  { connectorId, status: word, errorCode: 'NoError', timestamp: at(time) },
]
const meter = (connectorId: number, time: string, wh: number, more: Payload = {}): Message => [
  'MeterValues',
  {
    connectorId,
    ...more,
    meterValue: [
      {
        timestamp: at(time),
        sampledValue: [
          { value: String(wh) },
          { value: '7360', measurand: 'Power.Active.Import', unit: 'W' },
          { value: '32', measurand: 'Current.Import', unit: 'A', phase: 'L1' },
          { value: 'n/a', measurand: 'Voltage', unit: 'V' },
        ],
      },
    ],
  },
]
const start = (connectorId: number, idTag: string, time: string, meterStart: number): Message => [
  'StartTransaction',
  { connectorId, idTag, meterStart, timestamp: at(time) },
]
const stop = (id: Payload, time: string, meterStop: number, more: Payload = {}): Message => [
  'StopTransaction',
  { ...id, meterStop, timestamp: at(time), ...more },
]

describe('message log of a session', () => {
  it('gives the same database when replayed', async () => {
    const tenant = await createTenant(api)
    const { tag } = await makeTag(api, tenant)
    const other = (await makeTag(api, tenant, { status: 'blocked' })).tag
    const log: Message[] = [
      ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1.2.3' }],
      ['Heartbeat', {}],
      status(0, 'Available', '08:00:00'),
      status(1, 'Available', '08:00:00'),
      status(1, 'Preparing', '08:30:00'),
      ['Authorize', { idTag: tag }],
      start(1, tag, '08:31:00', 1_000),
      status(1, 'Charging', '08:31:05'),
      meter(1, '08:40:00', 2_000, { [START_AT]: 6 }),
      meter(1, '08:45:00', 2_500),
      meter(1, '08:50:00', 3_000, { transactionId: 0 }),
      meter(1, '08:55:00', 3_500, { transactionId: -1 }),
      // Sent again because the response was lost.
      meter(1, '08:55:00', 3_500, { transactionId: -1 }),
      start(1, tag, '08:31:00', 1_000),
      stop({ [START_AT]: 6 }, '09:00:00', 4_000, {
        idTag: tag,
        reason: 'EVDisconnected',
        transactionData: [{ timestamp: at('08:58:00'), sampledValue: [{ value: '3.9', unit: 'kWh' }] }],
      }),
      status(1, 'Available', '09:00:05'),
      // From last night, while it was offline: an unknown tag, and a status older than the known one.
      status(1, 'Charging', '02:00:05'),
      start(1, 'never-seen', '02:00:00', 100),
      meter(1, '02:30:00', 500, { [START_AT]: 17 }),
      stop({ [START_AT]: 17 }, '03:00:00', 900, { reason: 'PowerLoss' }),
      // The end of the first is lost and arrives after the second has started.
      start(2, other, '09:05:00', 50),
      meter(2, '09:10:00', 250, { [START_AT]: 20 }),
      start(2, tag, '09:20:00', 300),
      stop({ [START_AT]: 20 }, '09:15:00', 290),
      stop({ [START_AT]: 20 }, '09:16:00', 295),
      stop({ [START_AT]: 22 }, '09:25:00', 200),
      stop({ transactionId: 2_000_000_000 }, '09:26:00', 1, { idTag: other }),
      meter(0, '09:15:00', 123_456),
      // A clock that is ahead.
      meter(1, '23:00:00', 9_999),
    ]
    const rows = await playTwice(tenant, log)
    const counts = Object.fromEntries([...rows].map(([name, list]) => [name, list.length]))
    expect(counts).toMatchObject({ charging_session: 4, measurement_set_aside: 1, charger_connector: 3 })
  })

  it('gives the same database when replayed with random messages', async () => {
    const minute = fc.integer({ min: 0, max: 89 }).map((minutes) => {
      const hour = String(8 + Math.floor(minutes / 60)).padStart(2, '0')
      return `${hour}:${String(minutes % 60).padStart(2, '0')}:00`
    })
    const connector = fc.integer({ min: 1, max: 2 })
    const wh = fc.integer({ min: 0, max: 5 }).map((kwh) => kwh * 1_000)
    const tag = fc.constantFrom('known-tag', 'KNOWN-TAG', 'group-tag', 'blocked-tag', 'unknown-tag')
    const id = fc.oneof(
      { weight: 4, arbitrary: fc.nat({ max: 11 }).map((index): Payload => ({ [START_AT]: index })) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Payload>({ transactionId: -1 }, { transactionId: 2_000_000_000 }),
      },
    )
    const message: fc.Arbitrary<Message> = fc.oneof(
      fc.tuple(connector, tag, minute, wh).map((all) => start(...all)),
      fc.tuple(connector, tag, minute, wh).map((all) => start(...all)),
      fc
        .tuple(id, minute, wh, fc.option(tag))
        .map(([which, time, end, who]) =>
          stop(START_AT in which ? which : { ...which }, time, end, who === null ? {} : { idTag: who }),
        ),
      fc.tuple(connector, minute, wh).map((all) => meter(...all)),
      fc
        .tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom('Available', 'Charging', 'Faulted'), minute)
        .map(([which, word, time]) => status(which, word, time)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 4, maxLength: 24 }), async (messages) => {
        const tenant = await createTenant(api)
        const parent = await makeTag(api, tenant, { tag: 'group-tag' })
        await makeTag(api, tenant, { tag: 'known-tag', parent_id: parent.id })
        await makeTag(api, tenant, { tag: 'blocked-tag', status: 'blocked' })
        // An end refers to an earlier start or to an unknown transaction.
        const log = messages.map(([action, payload], position): Message => {
          const of = payload[START_AT]
          if (typeof of !== 'number') return [action, payload]
          const starts = messages
            .slice(0, position)
            .flatMap(([name], index) => (name === 'StartTransaction' ? [index] : []))
          const { [START_AT]: _, ...rest } = payload
          const chosen = starts[of % Math.max(1, starts.length)]
          return [
            action,
            chosen === undefined ? { ...rest, transactionId: 0 } : { ...rest, [START_AT]: chosen },
          ]
        })
        await playTwice(tenant, log)
      }),
      { numRuns: 10, endOnFailure: true },
    )
  })
})
