import {
  clearWaitingSamples,
  type IntervalReading,
  type RegisterReading,
  recordSessionEvent,
} from '../../../areas/charging/stations.ts'
import { REGISTER_MAX } from '../../../kernel/metrics.ts'
import { connectorNumber, inStationTx, instant, integer } from '../fields.ts'
import type { MessagesV201, TransactionEventRequest } from '../messages-v201.ts'
import { makeMeter } from '../meter.ts'
import type { MeterReading } from '../readings.ts'
import { momentOf, toSamples } from '../session-marks.ts'
import type { Handlers, OcppDeps } from '../types.ts'
import { idTokenInfo, tagOf } from './id-token.ts'

const KINDS = { Started: 'started', Updated: 'updated', Ended: 'ended' } as const

function registerOf({ at, values, context }: MeterReading): RegisterReading[] {
  const kwh = values['import_active_energy']
  if (kwh === undefined || kwh < 0 || kwh > REGISTER_MAX) return []
  return [{ at, wh: Math.round(kwh * 1_000), moment: momentOf(context) ?? 'during' }]
}

const INTERVAL = 'energy_active_import_interval'
const MILLI_WH_PER_KWH = 1_000_000

/** The energy of an interval: the value of the whole, else the sum of its phases. */
function intervalOf({ at, values, context }: MeterReading): IntervalReading[] {
  const phases = [1, 2, 3].flatMap((phase) => values[`${INTERVAL}_l${phase}`] ?? [])
  const kwh = values[INTERVAL] ?? (phases.length > 0 ? phases.reduce((sum, one) => sum + one, 0) : undefined)
  // At the beginning of a session no energy has flowed yet.
  if (kwh === undefined || kwh < 0 || kwh > REGISTER_MAX || context === 'Transaction.Begin') return []
  return [{ at, milliWh: Math.round(kwh * MILLI_WH_PER_KWH), isOfClock: context === 'Sample.Clock' }]
}

/**
 * The readings with their positions in the session. Where no context states it, the first register of the event
 * that starts the session is its beginning, and the last one of the event that ends it its end.
 */
function withMoments(
  eventType: TransactionEventRequest['eventType'],
  readings: readonly MeterReading[],
): readonly MeterReading[] {
  const moment = eventType === 'Started' ? 'begin' : 'end'
  const registers = readings.filter((reading) => registerOf(reading).length > 0)
  const hasMoment = registers.some(({ moments }) => moments.includes(moment))
  if (eventType === 'Updated' || hasMoment) return readings
  const ordered = registers.sort((a, b) => a.at - b.at)
  const positioned = moment === 'begin' ? ordered[0] : ordered.at(-1)
  return readings.map((reading) =>
    reading === positioned ? { ...reading, moments: [...reading.moments, moment] } : reading,
  )
}

/** The number of the EVSE; EVSE 0 is the station as a whole, where nobody charges. */
const connectorOf = ({ evse }: TransactionEventRequest): number | undefined =>
  evse && evse.id !== 0 ? connectorNumber(evse.id, 'evse.id') : undefined

function eventOf(message: TransactionEventRequest, readings: readonly MeterReading[], now: Date) {
  const { transactionInfo: transaction, idToken } = message
  const { remoteStartId, chargingState, stoppedReason } = transaction
  return {
    transactionId: transaction.transactionId,
    kind: KINDS[message.eventType],
    seqNo: integer(message.seqNo, 'seqNo'),
    at: instant(message.timestamp),
    isOffline: message.offline === true,
    connectorId: connectorOf(message),
    tag: idToken && tagOf(idToken),
    chargingState,
    stopReason: message.eventType === 'Ended' ? (stoppedReason ?? 'Local') : stoppedReason,
    remoteStart: remoteStartId === undefined ? undefined : integer(remoteStartId, 'remoteStartId'),
    reservation:
      message.reservationId === undefined ? undefined : integer(message.reservationId, 'reservationId'),
    register: readings.flatMap(registerOf),
    intervals: readings.flatMap(intervalOf),
    samples: withMoments(message.eventType, readings).flatMap(toSamples),
    now,
  }
}

/** Handles the events of transactions, and meter values within or outside of one. */
export function transactionHandlers(deps: OcppDeps): Handlers<MessagesV201> {
  const { clock, ingest } = deps
  const meter = makeMeter(deps)

  return {
    async TransactionEvent(station, message) {
      const readings = await meter.read(station, message.meterValue ?? [], connectorOf(message))
      const event = eventOf(message, readings, new Date(clock.now()))
      const recorded = await inStationTx(deps, station, (tx) => recordSessionEvent(tx, station, event))
      const { deviceId, samples, authorization } = recorded
      if (samples.length > 0) {
        const deviceSamples = samples.map((sample) => ({ ...sample, deviceId }))
        await ingest.offer(station.tenantId, deviceSamples)
      }
      if (recorded.hadWaiting) {
        await inStationTx(deps, station, (tx) => clearWaitingSamples(tx, recorded.sessionId))
      }
      return message.idToken ? { idTokenInfo: idTokenInfo(authorization) } : {}
    },

    MeterValues: (station, { evseId, meterValue }) =>
      meter.record(station, connectorNumber(evseId, 'evseId'), meterValue).then(() => ({})),
  }
}
