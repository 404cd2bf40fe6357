import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { type BareStation, openStation } from '../../support/field/ocpp201.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let charger: TestCharger
let station: BareStation

beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
  charger = await createCharger(api, tenant)
  station = await openStation(api, charger)
})
afterAll(async () => {
  await station.end()
  await api.close()
})

const get = async (path: string) => {
  const response = await api.call('GET', path, { token: tenant.admin.token })
  expect(response.status, response.text).toBe(200)
  return response.body
}
const chargerPath = (path = '') => `/api/ocpp/chargers/${charger.id}${path}`
const events = async (type: string) => (await get(chargerPath(`/events?event_type=${type}&limit=100`))).items
const samplesOf = (deviceId: string, from = '2026-11-20T00:00:00Z', to = '2026-11-21T00:00:00Z') =>
  get(`/api/measurements/devices/${deviceId}/samples?from=${from}&to=${to}&limit=100`)

describe('boot, heartbeat and status', () => {
  it('are accepted and stored with the charger', async () => {
    const boot = await station.call('BootNotification', {
      reason: 'PowerUp',
      chargingStation: {
        model: 'Wallbox 2',
        vendorName: 'Vendör',
        serialNumber: 'SN-7',
        firmwareVersion: '3.1.4',
        modem: { iccid: '8990', imsi: '286' },
      },
    })
    expect(boot).toEqual({ currentTime: '2026-11-20T09:30:00Z', interval: 300, status: 'Accepted' })
    expect(await station.call('Heartbeat', {})).toEqual({ currentTime: '2026-11-20T09:30:00Z' })
    expect(await get(chargerPath())).toMatchObject({
      vendor: 'Vendör',
      model: 'Wallbox 2',
      serial_number: 'SN-7',
      firmware_version: '3.1.4',
      ocpp_version: '2.0.1',
      booted_at: '2026-11-20T09:30:00.000Z',
      is_online: true,
    })
  })

  it('a connector is identified by its EVSE and connector id, and an older status changes nothing', async () => {
    const status = (evseId: number, connectorId: number, connectorStatus: string, timestamp: string) =>
      station.call('StatusNotification', { evseId, connectorId, connectorStatus, timestamp })
    await status(1, 1, 'Available', '2026-11-20T09:00:00Z')
    await status(2, 1, 'Occupied', '2026-11-20T09:01:00.250Z')
    await status(2, 2, 'Unavailable', '2026-11-20T12:01:00+03:00')
    await status(2, 1, 'Available', '2026-11-20T08:00:00Z')
    const { connectors } = await get(chargerPath())
    expect(connectors).toMatchObject([
      { connector_id: 1, evse_connector_id: 1, status: 'Available', device_id: charger.device_id },
      { connector_id: 2, evse_connector_id: 1, status: 'Occupied', status_at: '2026-11-20T09:01:00.250Z' },
      { connector_id: 2, evse_connector_id: 2, status: 'Unavailable', status_at: '2026-11-20T09:01:00.000Z' },
    ])
    expect(connectors[1].device_id).toBe(connectors[2].device_id)
    expect(connectors[1].device_id).not.toBe(charger.device_id)
  })
})

describe('Authorize', () => {
  const tag = async (body: object) => {
    const response = await api.call('POST', '/api/ocpp/id-tags', { token: tenant.admin.token, body })
    expect(response.status, response.text).toBe(201)
    return response.body
  }
  const authorize = async (idToken: string, type = 'ISO14443') =>
    (await station.call('Authorize', { idToken: { idToken, type } })).idTokenInfo

  it('returns the authorization status of the tag', async () => {
    const parent = await tag({ tag: 'FLEET' })
    await tag({ tag: 'CARD-1', parent_id: parent.id })
    await tag({ tag: 'CARD-2', status: 'blocked' })
    await tag({ tag: 'CARD-3', expires_at: '2026-11-20T09:29:59Z' })
    await tag({ tag: 'CARD-4', expires_at: '2026-12-01T00:00:00Z' })
    expect(await authorize('card-1')).toEqual({
      status: 'Accepted',
      groupIdToken: { idToken: 'FLEET', type: 'Central' },
    })
    expect(await authorize('CARD-2')).toEqual({ status: 'Blocked' })
    expect(await authorize('CARD-3')).toMatchObject({ status: 'Expired' })
    expect(await authorize('CARD-4')).toEqual({
      status: 'Accepted',
      cacheExpiryDateTime: '2026-12-01T00:00:00.000Z',
    })
    expect(await authorize('NOBODY')).toEqual({ status: 'Unknown' })
  })

  it('accepts anyone at a station that starts with a button', async () => {
    expect(await authorize('', 'NoAuthorization')).toEqual({ status: 'Accepted' })
  })
})

describe('MeterValues', () => {
  it('are stored as measurements of the EVSE at their own times, in our units', async () => {
    const sampledValue = [
      { value: 1.5, unitOfMeasure: { unit: 'Wh', multiplier: 3 } },
      { value: 7_200, measurand: 'Power.Active.Import' },
      { value: 231.5, measurand: 'Voltage', phase: 'L1-N' },
      { value: 64, measurand: 'SoC', location: 'EV' },
    ]
    expect(
      await station.call('MeterValues', {
        evseId: 1,
        meterValue: [{ timestamp: '2026-11-20T09:15:00Z', sampledValue }],
      }),
    ).toEqual({})
    expect(await samplesOf(charger.device_id)).toMatchObject([
      {
        timestamp: '2026-11-20T09:15:00.000Z',
        values: { import_active_energy: 1.5, active_power: 7.2, voltage_l1: 231.5, state_of_charge: 64 },
      },
    ])
  })

  it('of EVSE 0 belong to the main meter, which is a separate device', async () => {
    const timestamp = '2026-11-20T09:16:00Z'
    await station.call('MeterValues', {
      evseId: 0,
      meterValue: [{ timestamp, sampledValue: [{ value: 5 }] }],
    })
    const { rows } = await api.deps.database.pool.query(
      'select device_id from charger_connector where charger_id = $1 and connector_id = 0',
      [charger.id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].device_id).not.toBe(charger.device_id)
    expect(await samplesOf(rows[0].device_id)).toHaveLength(1)
  })
})

describe('device model', () => {
  const heartbeat = {
    component: { name: 'OCPPCommCtrlr' },
    variable: { name: 'HeartbeatInterval' },
    variableAttribute: [{ value: '300', persistent: true }],
    variableCharacteristics: {
      dataType: 'integer',
      unit: 's',
      minLimit: 1,
      maxLimit: 86_400,
      supportsMonitoring: false,
    },
  }
  const power = {
    component: { name: 'EVSE', evse: { id: 1 } },
    variable: { name: 'Power' },
    variableAttribute: [
      { type: 'Actual', value: '0', mutability: 'ReadOnly' },
      { type: 'MaxSet', value: '22000', mutability: 'ReadOnly' },
    ],
  }
  const password = {
    component: { name: 'SecurityCtrlr' },
    variable: { name: 'BasicAuthPassword' },
    variableAttribute: [{ value: 'never to be seen', mutability: 'WriteOnly' }],
  }
  const part = (seqNo: number, reportData: object[], tbc: boolean) =>
    station.call('NotifyReport', {
      requestId: 77,
      generatedAt: '2026-11-20T09:20:00Z',
      seqNo,
      tbc,
      reportData,
    })
  const variables = (query = '') => get(chargerPath(`/variables?sort_order=asc${query}`))

  it('is received in parts, in any order and with repetitions', async () => {
    expect(await part(2, [password], false)).toEqual({})
    const report = async () => (await get(chargerPath('/reports'))).items[0]
    expect(await report()).toMatchObject({ request_id: 77, parts: [2], last_part: 2, is_complete: false })
    await part(0, [heartbeat], true)
    await part(0, [heartbeat], true)
    await part(1, [power], true)
    expect(await report()).toMatchObject({ parts: [0, 1, 2], is_complete: true })
    const { items, total } = await variables()
    expect(total).toBe(4)
    expect(items.map(({ key, value }: { key: string; value: string }) => [key, value])).toEqual(
      expect.arrayContaining([
        ['OCPPCommCtrlr.HeartbeatInterval', '300'],
        ['EVSE@1.Power', '0'],
        ['EVSE@1.Power#MaxSet', '22000'],
        ['SecurityCtrlr.BasicAuthPassword', null],
      ]),
    )
    expect((await variables('&component=ocppcommctrlr')).items).toMatchObject([
      {
        mutability: 'ReadWrite',
        is_persistent: true,
        is_constant: false,
        data_type: 'integer',
        unit: 's',
        min_limit: 1,
        max_limit: 86_400,
        supports_monitoring: false,
        told_at: '2026-11-20T09:20:00.000Z',
      },
    ])
    expect((await variables('&evse_id=1&attribute_type=MaxSet')).total).toBe(1)
  })

  it('takes over later reports of a station and ignores older ones', async () => {
    const event = (eventId: number, timestamp: string, actualValue: string) => ({
      eventId,
      timestamp,
      trigger: 'Delta',
      actualValue,
      eventNotificationType: 'HardWiredNotification',
      component: { name: 'evse', evse: { id: 1 } },
      variable: { name: 'POWER' },
      techInfo: 'x',
    })
    const notify = {
      generatedAt: '2026-11-20T09:25:00Z',
      seqNo: 0,
      eventData: [event(1, '2026-11-20T09:24:00Z', '7400'), event(2, '2026-11-20T09:23:00Z', '11000')],
    }
    expect(await station.call('NotifyEvent', notify)).toEqual({})
    await station.call('NotifyEvent', notify)
    expect((await variables('&evse_id=1&attribute_type=Actual')).items).toMatchObject([{ value: '7400' }])
    await part(1, [power], true)
    expect((await variables('&evse_id=1&attribute_type=Actual')).items).toMatchObject([
      { value: '7400', mutability: 'ReadOnly' },
    ])
    const variableEvents = await events('variable')
    expect(variableEvents).toHaveLength(2)
    expect(variableEvents[0]).toMatchObject({
      occurred_at: '2026-11-20T09:24:00.000Z',
      connector_id: 1,
      details: { event_id: 1, key: 'evse@1.POWER', value: '7400', trigger: 'Delta', tech_info: 'x' },
    })
  })

  it('is limited in size, and the excess is left out and reported', async () => {
    const many = (from: number) =>
      Array.from({ length: 1_000 }, (_, n) => ({
        component: { name: `C${from + n}` },
        variable: { name: 'V' },
        variableAttribute: [{ value: 'x', mutability: 'ReadOnly' }],
      }))
    for (let n = 0; n < 10; n += 1) await part(n, many(1_000 * n), true)
    expect((await variables()).total).toBe(10_000)
    expect(await events('variables_beyond_limit')).toMatchObject([{ details: { count: 4 } }])
  })
})

describe('messages that are only recorded', () => {
  it('security notifications are events, stored once also when repeated', async () => {
    const message = { type: 'FailedToAuthenticateAtCsms', timestamp: '2026-11-20T09:10:00Z', techInfo: 'tls' }
    expect(await station.call('SecurityEventNotification', message)).toEqual({})
    await station.call('SecurityEventNotification', message)
    expect(await events('security')).toMatchObject([
      {
        occurred_at: '2026-11-20T09:10:00.000Z',
        details: { type: 'FailedToAuthenticateAtCsms', tech_info: 'tls' },
      },
    ])
  })

  it('vendor messages, profiles and customer information are events', async () => {
    expect(
      await station.call('DataTransfer', { vendorId: 'org.example', messageId: 'm', data: { a: [1] } }),
    ).toEqual({ status: 'UnknownVendorId' })
    expect(await events('data_transfer')).toMatchObject([
      { details: { vendor_id: 'org.example', message_id: 'm', data: { a: [1] } } },
    ])
    const info = { data: 'a customer', seqNo: 0, generatedAt: '2026-11-20T09:26:00Z', requestId: 5 }
    expect(await station.call('NotifyCustomerInformation', info)).toEqual({})
    await station.call('NotifyCustomerInformation', info)
    expect(await events('customer_information')).toMatchObject([{ details: info }])
    const profile = {
      requestId: 6,
      chargingLimitSource: 'CSO',
      evseId: 1,
      chargingProfile: [
        {
          id: 3,
          stackLevel: 0,
          chargingProfilePurpose: 'TxDefaultProfile',
          chargingProfileKind: 'Absolute',
          chargingSchedule: [
            { id: 3, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
          ],
        },
      ],
    }
    expect(await station.call('ReportChargingProfiles', profile)).toEqual({})
    expect(await events('charging_profiles')).toMatchObject([{ details: { requestId: 6, evseId: 1 } }])
  })
})

describe('invalid messages are rejected with the codes of 2.0.1 and change nothing', () => {
  const status = {
    evseId: 1,
    connectorId: 1,
    connectorStatus: 'Available',
    timestamp: '2026-11-20T09:00:00Z',
  }
  it.each([
    ['OccurrenceConstraintViolation', 'StatusNotification', { evseId: 1, connectorId: 1 }],
    ['TypeConstraintViolation', 'StatusNotification', { ...status, evseId: 'one' }],
    ['PropertyConstraintViolation', 'StatusNotification', { ...status, connectorStatus: 'Charging' }],
    ['PropertyConstraintViolation', 'StatusNotification', { ...status, evseId: 256 }],
    ['PropertyConstraintViolation', 'StatusNotification', { ...status, evseId: -1 }],
    ['PropertyConstraintViolation', 'StatusNotification', { ...status, timestamp: 'yesterday' }],
    ['OccurrenceConstraintViolation', 'StatusNotification', { colour: 'red' }],
    ['FormatViolation', 'StatusNotification', [status]],
    ['PropertyConstraintViolation', 'Authorize', { idToken: { idToken: 'x'.repeat(37), type: 'ISO14443' } }],
    ['OccurrenceConstraintViolation', 'MeterValues', { evseId: 1, meterValue: [] }],
    ['NotImplemented', 'MakeCoffee', {}],
    ['NotImplemented', 'constructor', {}],
    ['NotSupported', 'Get15118EVCertificate', {}],
  ])('%s: %s', async (code, action, payload) => {
    const { error } = await station.send(action, payload)
    expect(error?.code).toBe(code)
    expect(error?.details).toEqual({})
    expect((await station.call('Heartbeat', {})).currentTime).toBeDefined()
  })

  it('a malformed frame or one of an unknown type', async () => {
    const frames: string[] = []
    station.socket.on('message', (data) => frames.push(String(data)))
    station.raw('{"not": "a frame"}')
    station.raw('[2, "id-1"]')
    station.raw('[9, "id-2", "Heartbeat", {}]')
    await station.call('Heartbeat', {})
    expect(frames.slice(0, 3).map((frame) => JSON.parse(frame).slice(0, 3))).toEqual([
      [4, '-1', 'RpcFrameworkError'],
      [4, 'id-1', 'RpcFrameworkError'],
      [4, 'id-2', 'MessageTypeNotSupported'],
    ])
  })
})
