import fc from 'fast-check'
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

const timestamp = '2026-11-20T09:00:00Z'
const component = { name: 'EVSE', instance: 'a', evse: { id: 1, connectorId: 1 } }
const variable = { name: 'Power', instance: 'b' }

/** One of every message that a station sends, with arbitrary valid content. */
const MESSAGES: Readonly<Record<string, object>> = {
  BootNotification: {
    reason: 'PowerUp',
    chargingStation: { model: 'M', vendorName: 'V', serialNumber: 'S', firmwareVersion: 'F' },
  },
  StatusNotification: { timestamp, connectorStatus: 'Available', evseId: 1, connectorId: 1 },
  Authorize: { idToken: { idToken: 'CARD', type: 'ISO14443' } },
  TransactionEvent: {
    eventType: 'Updated',
    timestamp,
    triggerReason: 'MeterValuePeriodic',
    seqNo: 1,
    offline: true,
    reservationId: 3,
    transactionInfo: {
      transactionId: 'T',
      chargingState: 'Charging',
      stoppedReason: 'Local',
      remoteStartId: 4,
    },
    evse: { id: 1, connectorId: 1 },
    idToken: { idToken: 'CARD', type: 'ISO14443' },
    meterValue: [
      {
        timestamp,
        sampledValue: [
          {
            value: 1,
            context: 'Sample.Periodic',
            measurand: 'Voltage',
            phase: 'L1',
            location: 'Outlet',
            unitOfMeasure: { unit: 'V', multiplier: 1 },
          },
        ],
      },
    ],
  },
  MeterValues: { evseId: 1, meterValue: [{ timestamp, sampledValue: [{ value: 1 }] }] },
  NotifyReport: {
    requestId: 1,
    generatedAt: timestamp,
    seqNo: 0,
    tbc: true,
    reportData: [
      {
        component,
        variable,
        variableAttribute: [{ type: 'Actual', value: 'x', mutability: 'ReadOnly' }],
        variableCharacteristics: {
          dataType: 'string',
          unit: 'W',
          minLimit: 0,
          maxLimit: 1,
          valuesList: 'a,b',
          supportsMonitoring: true,
        },
      },
    ],
  },
  NotifyEvent: {
    generatedAt: timestamp,
    seqNo: 0,
    eventData: [
      {
        eventId: 1,
        timestamp,
        trigger: 'Delta',
        actualValue: 'x',
        eventNotificationType: 'CustomMonitor',
        component,
        variable,
        cause: 1,
        techInfo: 'x',
        transactionId: 'T',
      },
    ],
  },
  SecurityEventNotification: { type: 'FirmwareUpdated', timestamp, techInfo: 'x' },
  FirmwareStatusNotification: { status: 'Downloading', requestId: 1 },
  LogStatusNotification: { status: 'Uploading', requestId: 1 },
  DataTransfer: { vendorId: 'v', messageId: 'm', data: { a: 1 } },
  SignCertificate: { csr: 'x', certificateType: 'ChargingStationCertificate' },
  ReservationStatusUpdate: { reservationId: 1, reservationUpdateStatus: 'Expired' },
  NotifyCustomerInformation: { data: 'x', seqNo: 0, generatedAt: timestamp, requestId: 1 },
}

const NASTY = [
  ...[
    null,
    '',
    ' ',
    '\0',
    '\ud800',
    '1',
    'null',
    '-1',
    '1e999',
    'x'.repeat(3_000),
    "'; drop table charger; --",
  ],
  ...[-1, 0, 0.5, 255, 256, 32_768, 2 ** 31, 2 ** 53, -(2 ** 31), 1e300, -1e300],
  ...[true, [], {}, [[]], { a: { b: {} } }, '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ...['2026-11-20T09:00:00', '2026-06-30T23:59:60Z', '+275760-09-13T00:00:00Z', '1970-01-01T00:00:00Z'],
]

type Path = readonly (string | number)[]
const pathsOf = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}
const replaced = (value: unknown, [key, ...rest]: Path, by: unknown): unknown => {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

const mutated = fc.constantFrom(...Object.entries(MESSAGES)).chain(([action, message]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...pathsOf(message)), fc.constantFrom(...NASTY)), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) => ({
      action,
      payload: changes.reduce<unknown>((value, [path, by]) => {
        try {
          return replaced(value, path, by)
        } catch {
          return value
        }
      }, message),
    })),
)

describe('random messages of 2.0.1', () => {
  it('are accepted when valid', async () => {
    for (const [action, message] of Object.entries(MESSAGES)) {
      expect({ action, error: (await station.send(action, message)).error }).toEqual({
        action,
        error: undefined,
      })
    }
  })

  it('are accepted or rejected with the reason when corrupted, and never cause an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async ({ action, payload }) => {
        const { error } = await station.send(action, payload as object)
        expect(error?.code).not.toBe('InternalError')
        expect(station.socket.readyState).toBe(station.socket.OPEN)
      }),
      { numRuns: 500 },
    )
    expect(await station.call('Heartbeat', {})).toBeDefined()
  })
})
