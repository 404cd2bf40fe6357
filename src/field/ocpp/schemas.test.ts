import { describe, expect, it } from 'vitest'
import { OcppCallError } from './errors.ts'
import { type ChangedProperties, readSchemas, type Schemas } from './schemas.ts'

const v16: Schemas = readSchemas('1.6')
const v201: Schemas = readSchemas('2.0.1')

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof OcppCallError) return error.code
    throw error
  }
  return 'taken'
}

const started = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: '2026-11-20T10:00:00Z' }
const meter = (sampled: object, timestamp: unknown = '2026-11-20T10:00:00Z') => ({
  connectorId: 1,
  meterValue: [{ timestamp, sampledValue: [sampled] }],
})

describe('register in whole Wh', () => {
  it.each([
    [1_234.4, 1_234],
    ['1234.6', 1_235],
    [-0.6, -1],
  ])('of %j is %d', (meterStart, rounded) => {
    expect(v16.request('StartTransaction', { ...started, meterStart })).toEqual({
      ...started,
      meterStart: rounded,
    })
    const stopped = { transactionId: 1, meterStop: meterStart, timestamp: started.timestamp }
    expect(v16.request('StopTransaction', stopped)).toMatchObject({ meterStop: rounded })
  })
})

describe('schema violation', () => {
  it.each([
    ['StartTransaction', { ...started, connectorId: 'one' }, 'TypeConstraintViolation'],
    ['StartTransaction', { ...started, connectorId: 1.5 }, 'TypeConstraintViolation'],
    ['StartTransaction', { ...started, idTag: 12 }, 'TypeConstraintViolation'],
    ['StartTransaction', { ...started, idTag: 'A'.repeat(21) }, 'PropertyConstraintViolation'],
    ['StartTransaction', { ...started, idTag: undefined }, 'OccurrenceConstraintViolation'],
    ['StartTransaction', { ...started, idTag: null }, 'OccurrenceConstraintViolation'],
    ['StartTransaction', { ...started, timestamp: 'noon' }, 'PropertyConstraintViolation'],
    [
      'StartTransaction',
      { ...started, colour: 'red', meterStart: undefined },
      'OccurrenceConstraintViolation',
    ],
    [
      'StatusNotification',
      { connectorId: 1, errorCode: 'NoError', status: 'Busy' },
      'PropertyConstraintViolation',
    ],
    ['Heartbeat', [], 'FormationViolation'],
    ['Heartbeat', 'now', 'FormationViolation'],
    ['Heartbeat', null, 'FormationViolation'],
    ['MakeCoffee', {}, 'NotImplemented'],
    ['__proto__', {}, 'NotImplemented'],
  ])('%s %j', (action, payload, code) => {
    expect(codeOf(() => v16.request(action, payload))).toBe(code)
  })

  it('is named with its path and without its value', () => {
    const secret = { ...started, idTag: 'hunter2'.repeat(9) }
    expect(() => v16.request('StartTransaction', secret)).toThrow(/: idTag must NOT have more than 20/)
    expect(() => v16.request('StartTransaction', secret)).not.toThrow('hunter2')
  })

  it('may be nested to any depth', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    expect(codeOf(() => v201.request('DataTransfer', { vendorId: 'V', data: deep }))).toBe(
      'FormationViolation',
    )
  })
})

describe('tolerated deviation from the schema', () => {
  it('is a number as text, null for absent, or a time without an offset', () => {
    const sent = {
      ...started,
      connectorId: '1',
      meterStart: '17',
      reservationId: null,
      timestamp: '2026-11-20T10:00:00',
    }
    expect(v16.request('StartTransaction', sent)).toEqual({ ...started, meterStart: 17 })
    expect(v16.request('StartTransaction', { ...started, timestamp: '2026-11-20 10:00:00,25' })).toEqual({
      ...started,
      timestamp: '2026-11-20 10:00:00.25Z',
    })
  })

  it('is a fraction of a second or any offset', () => {
    for (const timestamp of ['2026-11-20T10:00:00.123456Z', '2026-11-20T13:00:00.1+03:00']) {
      expect(v16.request('StartTransaction', { ...started, timestamp })).toMatchObject({ timestamp })
    }
  })

  it('is a meter value as a number in 1.6 or as text in 2.0.1', () => {
    expect(v16.request('MeterValues', meter({ value: 1.5 }))).toEqual(meter({ value: '1.5' }))
    const { meterValue } = meter({ value: '1.5' })
    expect(v201.request('MeterValues', { evseId: 1, meterValue })).toEqual({
      evseId: 1,
      meterValue: meter({ value: 1.5 }).meterValue,
    })
  })

  it('is a measurand or unit of the vendor', () => {
    const own = {
      value: '1',
      measurand: 'Power.Cooling',
      unit: 'BTU',
      phase: 'L4',
      location: 'Roof',
      context: 'X',
    }
    expect(v16.request('MeterValues', meter(own))).toEqual(meter(own))
    const own201 = { value: 1, measurand: 'Power.Cooling', phase: 'L4', location: 'Roof', context: 'X' }
    const { meterValue } = meter(own201)
    expect(v201.request('MeterValues', { evseId: 1, meterValue })).toMatchObject({ meterValue })
    const transactionData = meter(own).meterValue
    const stopped = { transactionId: 1, meterStop: 2, timestamp: started.timestamp, transactionData }
    expect(v16.request('StopTransaction', stopped)).toEqual(stopped)
  })

  it('is text that no database can store', () => {
    const sent = { chargePointVendor: 'V\0\0', chargePointModel: 'M\ud800' }
    expect(v16.request('BootNotification', sent)).toEqual({
      chargePointVendor: 'V',
      chargePointModel: 'M\ufffd',
    })
  })

  it('is a vendor property, which is omitted and reported', () => {
    const named: (readonly string[])[] = []
    const onUnknown = ({ unknown }: ChangedProperties) => void named.push(unknown)
    const sent = { ...started, colour: 'red', connector_type: { plug: 2 }, toString: 1 }
    expect(v16.request('StartTransaction', sent, onUnknown)).toEqual(started)
    const values = [1, 2].map((value) => ({ value: `${value}`, quality: 'good', unit: 'Wh' }))
    const meters = {
      connectorId: 1,
      meterValue: [{ timestamp: started.timestamp, sampledValue: values, id: 7 }],
    }
    expect(v16.request('MeterValues', meters, onUnknown)).toEqual({
      connectorId: 1,
      meterValue: [
        {
          timestamp: started.timestamp,
          sampledValue: [
            { value: '1', unit: 'Wh' },
            { value: '2', unit: 'Wh' },
          ],
        },
      ],
    })
    const evse = { id: 1, colour: 'red', customData: { vendorId: 'V', own: 1 } }
    const begun = {
      ...{ eventType: 'Started', timestamp: started.timestamp, triggerReason: 'Authorized', seqNo: 0 },
      transactionInfo: { transactionId: 'T' },
    }
    expect(v201.request('TransactionEvent', { ...begun, evse }, onUnknown)).toEqual({
      ...begun,
      evse: { id: 1, customData: { vendorId: 'V', own: 1 } },
    })
    expect(v16.request('Heartbeat', JSON.parse('{"__proto__": {"a": 1}, "uptime": 5}'), onUnknown)).toEqual(
      {},
    )
    expect(named).toEqual([
      ['colour', 'connector_type', 'toString'],
      ['meterValue.sampledValue.quality', 'meterValue.id'],
      ['evse.colour'],
      ['__proto__', 'uptime'],
    ])
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`own${at}`, at]))
    expect(v16.request('Heartbeat', many, onUnknown)).toEqual({})
    expect(named.at(-1)).toHaveLength(20)
    expect(v16.response('ClearCache', { status: 'Accepted', reason: 'ok' })).toEqual({ status: 'Accepted' })
    expect(codeOf(() => v16.ownRequest('ClearCache', { reason: 'ok' }))).toBe('FormationViolation')
  })

  it('is a descriptive text that is too long, which is cut and reported', () => {
    const changed: ChangedProperties[] = []
    const onChanged = (properties: ChangedProperties) => void changed.push(properties)
    const long = 'Model \u{1f50c} '.repeat(10)
    const boot = { chargePointVendor: 'V', chargePointModel: long, firmwareVersion: '1'.repeat(51) }
    expect(v16.request('BootNotification', boot, onChanged)).toEqual({
      ...boot,
      chargePointModel: [...long].slice(0, 20).join(''),
      firmwareVersion: '1'.repeat(50),
    })
    const chargingStation = { model: 'm'.repeat(21), vendorName: 'V', modem: { iccid: '8'.repeat(25) } }
    expect(v201.request('BootNotification', { reason: 'PowerUp', chargingStation }, onChanged)).toEqual({
      reason: 'PowerUp',
      chargingStation: { model: 'm'.repeat(20), vendorName: 'V', modem: { iccid: '8'.repeat(20) } },
    })
    expect(changed).toEqual([
      { unknown: [], truncated: ['chargePointModel', 'firmwareVersion'] },
      { unknown: [], truncated: ['chargingStation.model', 'chargingStation.modem.iccid'] },
    ])
    const idTag = 'x'.repeat(21)
    expect(codeOf(() => v16.request('Authorize', { idTag }))).toBe('PropertyConstraintViolation')
  })

  it('does not change the received message', () => {
    const sent = Object.freeze({ ...started, meterStart: '17' })
    v16.request('StartTransaction', sent)
    expect(sent.meterStart).toBe('17')
  })
})
