import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { makeTag } from '../../support/charging/charging.ts'
import { dumpTenant } from '../../support/dump.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { openStation } from '../../support/field/ocpp201.ts'
import { createTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
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

const at = (time: string) => `2026-11-20T${time}Z`
const token = (idToken: string) => ({ idToken, type: 'ISO14443' })
const values = (time: string, wh: number, context = 'Sample.Periodic') => [
  {
    timestamp: at(time),
    sampledValue: [
      { value: wh, context },
      { value: 7_360, measurand: 'Power.Active.Import', context },
      { value: 3, measurand: 'Voltage', unitOfMeasure: { unit: 'furlong' }, context },
    ],
  },
]
const status = (evseId: number, connectorStatus: string, time: string) =>
  ['StatusNotification', { timestamp: at(time), connectorStatus, evseId, connectorId: 1 }] as const
const event = (transactionId: string, seqNo: number, fields: object) =>
  [
    'TransactionEvent',
    {
      eventType: 'Updated',
      triggerReason: 'MeterValuePeriodic',
      seqNo,
      transactionInfo: { transactionId },
      ...fields,
    },
  ] as const
const variable = (name: string, value: string) => ({
  component: { name: 'EVSE', evse: { id: 1 } },
  variable: { name },
  variableAttribute: [{ value }],
})

/** A morning of a station: a session, an offline one of last night, one without an end, and its reports. */
const morning = (tag: string) =>
  [
    ['BootNotification', { reason: 'PowerUp', chargingStation: { model: 'M', vendorName: 'V' } }],
    ['Heartbeat', {}],
    status(1, 'Available', '08:00:00'),
    status(1, 'Occupied', '08:30:00'),
    ['Authorize', { idToken: token(tag) }],
    event('T-1', 0, {
      eventType: 'Started',
      timestamp: at('08:31:00'),
      evse: { id: 1, connectorId: 1 },
      idToken: token(tag),
      meterValue: values('08:31:00', 1_000, 'Transaction.Begin'),
    }),
    event('T-1', 2, { timestamp: at('08:50:00'), meterValue: values('08:50:00', 3_000) }),
    event('T-1', 1, { timestamp: at('08:40:00'), meterValue: values('08:40:00', 2_000), offline: true }),
    ['MeterValues', { evseId: 0, meterValue: values('08:45:00', 777_000) }],
    event('T-1', 3, {
      eventType: 'Ended',
      timestamp: at('09:00:00'),
      transactionInfo: { transactionId: 'T-1', stoppedReason: 'EVDisconnected' },
      meterValue: values('09:00:00', 4_000, 'Transaction.End'),
    }),
    status(1, 'Available', '09:00:05'),
    status(1, 'Occupied', '02:00:00'),
    event('T-0', 4, { timestamp: at('03:00:00'), offline: true, meterValue: values('03:00:00', 900) }),
    event('T-0', 3, {
      timestamp: at('02:00:00'),
      offline: true,
      evse: { id: 2, connectorId: 1 },
      idToken: token('never-seen'),
    }),
    event('T-2', 0, { eventType: 'Started', timestamp: at('09:05:00'), evse: { id: 1 } }),
    event('T-3', 0, {
      eventType: 'Started',
      timestamp: at('09:10:00'),
      evse: { id: 1 },
      idToken: token(tag),
    }),
    [
      'NotifyReport',
      {
        requestId: 1,
        generatedAt: at('09:11:00'),
        seqNo: 0,
        tbc: true,
        reportData: [variable('Power', '0'), variable('Available', 'true')],
      },
    ],
    [
      'NotifyEvent',
      {
        generatedAt: at('09:12:00'),
        seqNo: 0,
        eventData: [
          {
            eventId: 1,
            timestamp: at('09:12:00'),
            trigger: 'Delta',
            actualValue: '7360',
            eventNotificationType: 'HardWiredMonitor',
            component: { name: 'EVSE', evse: { id: 1 } },
            variable: { name: 'Power' },
          },
        ],
      },
    ],
    ['SecurityEventNotification', { type: 'SettingSystemTime', timestamp: at('09:13:00') }],
    ['DataTransfer', { vendorId: 'org.example', data: 'text' }],
    ['ReservationStatusUpdate', { reservationId: 5, reservationUpdateStatus: 'Expired' }],
  ] as const satisfies readonly (readonly [string, object])[]

async function play(charger: TestCharger, tag: string): Promise<void> {
  const station = await openStation(api, charger)
  for (const [action, payload] of morning(tag)) await station.call(action, payload)
  await station.end()
}

it('the complete log of a 2.0.1 station gives the same database when replayed', async () => {
  const tenant = await createTenant(api)
  const { tag } = await makeTag(api, tenant)
  const charger = await createCharger(api, tenant)
  await play(charger, tag)
  const before = await dumpTenant(api, tenant.id, OF_THE_MOMENT)
  api.clock.set(NOW + 3_600_000)
  await play(charger, tag)
  const after = await dumpTenant(api, tenant.id, OF_THE_MOMENT)
  expect(Object.fromEntries(after)).toEqual(Object.fromEntries(before))
  const rows = (table: string) => after.get(table)?.length ?? 0
  expect({
    sessions: rows('charging_session'),
    variables: rows('charger_variable'),
    reports: rows('charger_report'),
    connectors: rows('charger_connector'),
  }).toEqual({ sessions: 4, variables: 2, reports: 1, connectors: 3 })
  expect(rows('measurement')).toBe(6)
})
