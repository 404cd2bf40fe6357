import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OcppVersion } from '../../../src/kernel/ocpp.ts'
import type { TestApi } from '../../support/api.ts'
import { makeTag } from '../../support/charging/charging.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { type BareStation, openStation } from '../../support/field/ocpp201.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let tag: string
beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
  tag = (await makeTag(api, tenant)).tag
})
afterAll(() => api.close())

async function open(version: OcppVersion): Promise<{ charger: TestCharger; station: BareStation }> {
  const charger = await createCharger(api, tenant)
  return { charger, station: await openStation(api, charger, version) }
}

async function list(path: string) {
  const { body } = await api.call('GET', path, { token: tenant.viewer.token })
  return body.items
}
const eventsOf = ({ id }: TestCharger, type: string) =>
  list(`/api/ocpp/chargers/${id}/events?event_type=${type}`)

/** Adds a property that no specification has to every object of the payload. */
function withOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwn)
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value).map(([key, item]) => [key, withOwn(item)])
  return { ...Object.fromEntries(own), vendor_own: { any: ['thing'] } }
}

const AT = '2026-11-20T10:00:00Z'
const MESSAGES: Readonly<Record<OcppVersion, readonly (readonly [string, object])[]>> = {
  '1.6': [
    ['BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }],
    ['Heartbeat', {}],
    ['StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp: AT }],
    ['Authorize', { idTag: 'A' }],
    ['StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: AT }],
    ['MeterValues', { connectorId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: '1' }] }] }],
    [
      'StopTransaction',
      {
        ...{ transactionId: 1, meterStop: 1, timestamp: AT },
        transactionData: [{ timestamp: AT, sampledValue: [{ value: '1' }] }],
      },
    ],
    ['DataTransfer', { vendorId: 'V', messageId: 'm', data: 'd' }],
    ['FirmwareStatusNotification', { status: 'Idle' }],
    ['DiagnosticsStatusNotification', { status: 'Idle' }],
    ['SecurityEventNotification', { type: 'StartupOfTheDevice', timestamp: AT }],
    ['LogStatusNotification', { status: 'Idle' }],
    ['SignedFirmwareStatusNotification', { status: 'Idle' }],
    ['SignCertificate', { csr: 'nonsense' }],
  ],
  '2.0.1': [
    ['BootNotification', { reason: 'PowerUp', chargingStation: { model: 'M', vendorName: 'V' } }],
    ['Heartbeat', {}],
    ['StatusNotification', { timestamp: AT, connectorStatus: 'Available', evseId: 1, connectorId: 1 }],
    ['Authorize', { idToken: { idToken: 'A', type: 'ISO14443' } }],
    [
      'TransactionEvent',
      {
        ...{ eventType: 'Started', timestamp: AT, triggerReason: 'Authorized', seqNo: 0 },
        transactionInfo: { transactionId: 'T' },
        evse: { id: 1, connectorId: 1 },
        idToken: { idToken: 'A', type: 'ISO14443' },
        meterValue: [{ timestamp: AT, sampledValue: [{ value: 1, unitOfMeasure: { unit: 'Wh' } }] }],
      },
    ],
    ['MeterValues', { evseId: 1, meterValue: [{ timestamp: AT, sampledValue: [{ value: 1 }] }] }],
    [
      'NotifyReport',
      {
        ...{ requestId: 1, generatedAt: AT, seqNo: 0 },
        reportData: [{ component: { name: 'C' }, variable: { name: 'V' }, variableAttribute: [{}] }],
      },
    ],
    [
      'NotifyEvent',
      {
        ...{ generatedAt: AT, seqNo: 0 },
        eventData: [
          {
            ...{ eventId: 1, timestamp: AT, trigger: 'Alerting', actualValue: '1' },
            ...{
              eventNotificationType: 'HardWiredMonitor',
              component: { name: 'C' },
              variable: { name: 'V' },
            },
          },
        ],
      },
    ],
    ['SecurityEventNotification', { type: 'StartupOfTheDevice', timestamp: AT }],
    ['FirmwareStatusNotification', { status: 'Idle' }],
    ['LogStatusNotification', { status: 'Idle' }],
    ['DataTransfer', { vendorId: 'V', messageId: 'm', data: 'd' }],
    ['SignCertificate', { csr: 'nonsense' }],
    ['ReservationStatusUpdate', { reservationId: 1, reservationUpdateStatus: 'Expired' }],
    ['NotifyMonitoringReport', { requestId: 1, seqNo: 0, generatedAt: AT }],
    ['NotifyCustomerInformation', { requestId: 1, seqNo: 0, generatedAt: AT, data: 'd' }],
    ['ClearedChargingLimit', { chargingLimitSource: 'EMS' }],
  ],
}

describe.each(['1.6', '2.0.1'] as const)('properties outside of OCPP %s', (version) => {
  it.each(MESSAGES[version])(
    'are ignored in %s, which is accepted, and recorded once',
    async (action, payload) => {
      const { charger, station } = await open(version)
      for (const message of [withOwn(payload), withOwn(payload)])
        expect(await station.send(action, message as object)).toHaveProperty('result')
      const [noted, ...more] = await eventsOf(charger, 'unknown_properties')
      expect(more).toEqual([])
      expect(noted.details).toMatchObject({ action, properties: expect.arrayContaining(['vendor_own']) })
      expect(await eventsOf(charger, 'message_refused')).toEqual([])
      await station.end()
    },
  )
})

describe('messages with vendor properties', () => {
  it('give the same session as without them', async () => {
    const { charger, station } = await open('1.6')
    const start = { connectorId: 1, idTag: tag, meterStart: 100, timestamp: AT, connectorType: 'CCS2' }
    const { transactionId, idTagInfo } = await station.call('StartTransaction', start)
    expect(idTagInfo).toEqual({ status: 'Accepted' })
    await station.call('StopTransaction', {
      ...{ transactionId, meterStop: 1_600, timestamp: '2026-11-20T11:00:00Z' },
      totalCost: '12.50',
    })
    const [session] = await list(`/api/ocpp/sessions?charger_id=${charger.id}`)
    expect(session).toMatchObject({ transaction_number: transactionId, energy_kwh: '1.500' })
    const notes = await eventsOf(charger, 'unknown_properties')
    // Both at the same instant of a fixed clock.
    expect(notes).toHaveLength(2)
    expect(notes.map(({ details }: { details: object }) => details)).toEqual(
      expect.arrayContaining([
        { action: 'StopTransaction', properties: ['totalCost'] },
        { action: 'StartTransaction', properties: ['connectorType'] },
      ]),
    )
    await station.end()
  })

  it('are rejected with their code when a field is missing or of a wrong type', async () => {
    const { station } = await open('1.6')
    const start = { connectorId: 1, idTag: tag, meterStart: 100, timestamp: AT, connectorType: 'CCS2' }
    const codeOf = async (payload: object) => (await station.send('StartTransaction', payload)).error?.code
    expect(await codeOf({ ...start, idTag: undefined })).toBe('OccurenceConstraintViolation')
    expect(await codeOf({ ...start, connectorId: true })).toBe('TypeConstraintViolation')
    expect(await codeOf({ ...start, timestamp: 'noon' })).toBe('PropertyConstraintViolation')
    await station.end()
  })

  it('are recorded for a limited number of message kinds per connection', async () => {
    const { charger, station } = await open('1.6')
    for (let at = 0; at < 40; at += 1)
      expect(await station.call('Heartbeat', { [`own_${at}`]: at })).toHaveProperty('currentTime')
    expect(await eventsOf(charger, 'unknown_properties')).toHaveLength(20)
    await station.end()
  })
})

describe.each([
  [
    '1.6',
    { chargePointVendor: 'V'.repeat(30), chargePointModel: 'A model with a long name' },
    ['chargePointModel', 'chargePointVendor'],
  ],
  [
    '2.0.1',
    { reason: 'PowerUp', chargingStation: { model: 'A model with a long name', vendorName: 'V' } },
    ['chargingStation.model'],
  ],
] as const)('a boot over OCPP %s with descriptions that are too long', (version, boot, properties) => {
  it('is accepted; the descriptions are cut, and an event names them once', async () => {
    const { charger, station } = await open(version)
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await station.call('BootNotification', boot)).toMatchObject({ status: 'Accepted' })
    const { body } = await api.call('GET', `/api/ocpp/chargers/${charger.id}`, { token: tenant.viewer.token })
    expect(body.model).toBe('A model with a long ')
    const events = await eventsOf(charger, 'truncated_properties')
    expect(events.map(({ details }: { details: object }) => details)).toEqual([
      { action: 'BootNotification', properties },
    ])
    await station.end()
  })
})
