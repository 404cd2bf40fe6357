import { REGISTER_MAX } from '../../../kernel/metrics.ts'
import {
  deviceOfConnector,
  noteSessionEvent,
  type RegisterReading,
  recordEvent,
  waitingStored,
} from '../../../modules/chargers/index.ts'
import { type MeterReading, type MeterValue, readMeterValues } from '../readings.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'
import { type Evse, evseId, type IdToken, inStationTx, instant, integer } from './fields.ts'
import { idTokenInfo, tagOf } from './id-token.ts'

interface TransactionEvent {
  readonly eventType: 'Started' | 'Updated' | 'Ended'
  readonly timestamp: string
  readonly triggerReason: string
  readonly seqNo: number
  readonly offline?: boolean
  readonly reservationId?: number
  readonly transactionInfo: {
    readonly transactionId: string
    readonly chargingState?: string
    readonly stoppedReason?: string
    readonly remoteStartId?: number
  }
  readonly evse?: Evse
  readonly idToken?: IdToken
  readonly meterValue?: readonly MeterValue[]
}

const KINDS = { Started: 'started', Updated: 'updated', Ended: 'ended' } as const
const MOMENTS: Readonly<Record<string, RegisterReading['moment']>> = {
  'Transaction.Begin': 'begin',
  'Transaction.End': 'end',
}

function registerOf({ at, values, context = '' }: MeterReading): RegisterReading[] {
  const kwh = values['import_active_energy']
  if (kwh === undefined || kwh < 0 || kwh > REGISTER_MAX) return []
  return [{ at, wh: Math.round(kwh * 1_000), moment: MOMENTS[context] ?? 'during' }]
}

function eventOf(message: TransactionEvent, readings: readonly MeterReading[], now: Date) {
  const { transactionInfo: transaction, evse, idToken } = message
  const { remoteStartId, chargingState, stoppedReason } = transaction
  // EVSE 0 is the station as a whole, where nobody charges.
  const connectorId = evse && evse.id !== 0 ? evseId(evse.id) : undefined
  return {
    transactionId: transaction.transactionId,
    kind: KINDS[message.eventType],
    seqNo: integer(message.seqNo, 'seqNo'),
    at: instant(message.timestamp),
    isOffline: message.offline === true,
    connectorId,
    tag: idToken && tagOf(idToken),
    chargingState,
    stopReason: message.eventType === 'Ended' ? (stoppedReason ?? 'Local') : stoppedReason,
    remoteStart: remoteStartId === undefined ? undefined : integer(remoteStartId, 'remoteStartId'),
    reservation:
      message.reservationId === undefined ? undefined : integer(message.reservationId, 'reservationId'),
    register: readings.flatMap(registerOf),
    samples: readings.map(({ at, values }) => ({ at, values })),
    now,
  }
}

/** Sessions and the values of meters, in a session or not. */
export function transactionHandlers(deps: OcppDeps): Handlers {
  const { clock, ingest } = deps
  const now = () => new Date(clock.now())

  /** What cannot be read is noted with the station's events; it does not stand in the way of the rest. */
  async function read(station: Station, meterValues: readonly MeterValue[], connectorId: number | undefined) {
    const { readings, refused } = readMeterValues(meterValues)
    if (refused.length > 0) {
      await inStationTx(deps, station, (tx) =>
        recordEvent(tx, station, {
          type: 'unreadable_values',
          at: readings[0] && new Date(readings[0].at),
          connectorId,
          details: { refused },
          now: now(),
        }),
      )
    }
    return readings
  }

  return {
    async TransactionEvent(station: Station, message: TransactionEvent) {
      const readings = await read(station, message.meterValue ?? [], undefined)
      const event = eventOf(message, readings, now())
      const noted = await inStationTx(deps, station, (tx) => noteSessionEvent(tx, station, event))
      const { deviceId, samples, authorization } = noted
      if (samples.length > 0) {
        const owned = samples.map((sample) => ({ ...sample, deviceId }))
        await ingest.submit(station.tenantId, owned)
      }
      if (noted.hadWaiting) {
        await inStationTx(deps, station, (tx) => waitingStored(tx, noted.sessionId))
      }
      return message.idToken ? { idTokenInfo: idTokenInfo(authorization) } : {}
    },

    async MeterValues(
      station: Station,
      message: { readonly evseId: number; readonly meterValue: readonly MeterValue[] },
    ) {
      const connectorId = evseId(message.evseId)
      const readings = await read(station, message.meterValue, connectorId)
      if (readings.length === 0) return {}
      const deviceId = await inStationTx(deps, station, (tx) => deviceOfConnector(tx, station, connectorId))
      await ingest.submit(
        station.tenantId,
        readings.map(({ at, values }) => ({ deviceId, at, values })),
      )
      return {}
    },
  }
}
