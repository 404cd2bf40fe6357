import { endSession, startSession } from '../../../areas/charging/stations.ts'
import { REGISTER_MAX } from '../../../kernel/metrics.ts'
import { scaleByPowerOfTen } from '../../mqtt/dialects/values.ts'
import { connectorNumber, INT4_MAX, inStationTx, instant, registerWh } from '../fields.ts'
import type { MessagesV16 } from '../messages-v16.ts'
import type { Meter } from '../meter.ts'
import type { MeterReading } from '../readings.ts'
import type { SessionMoment } from '../session-marks.ts'
import type { Handlers, OcppDeps } from '../types.ts'
import { idTagInfo } from './id-tag.ts'

/** Some stations write -1 for "no reservation". */
const isReservation = (id: number | undefined): id is number => id !== undefined && id >= 0 && id <= INT4_MAX

type Reading = Omit<MeterReading, 'context'>

/** The register that a message itself has, beside its meter values. */
interface OwnRegister {
  readonly at: number
  readonly registerWh: number
  readonly moment: SessionMoment
}

/**
 * Adds the register of the message itself to its readings, unless its meter values have a finer one of that
 * instant, and its position in the session.
 */
function withRegister(readings: readonly Reading[], { at, registerWh, moment }: OwnRegister): Reading[] {
  const kwh = scaleByPowerOfTen(registerWh, -3)
  const same = readings.find((reading) => reading.at === at)
  const hasRegister = same?.values['import_active_energy'] !== undefined
  if (!hasRegister && (kwh < 0 || kwh > REGISTER_MAX)) return [...readings]
  const own = {
    at,
    values: { import_active_energy: kwh, ...same?.values },
    moments: [...new Set([...(same?.moments ?? []), moment])],
  }
  return [...readings.filter((reading) => reading !== same), own]
}

/**
 * Handles sessions and meter values. The registers at the start and at the end of a session are readings of
 * the connector, stored with their position in the session.
 */
export const transactionHandlers = (deps: OcppDeps, meter: Meter): Handlers<MessagesV16> => ({
  async StartTransaction(station, message) {
    const { idTag, reservationId, timestamp } = message
    const connectorId = connectorNumber(message.connectorId)
    const meterStartWh = registerWh(message.meterStart, 'meterStart')
    const at = instant(timestamp)
    const start = {
      connectorId,
      idTag,
      startedAt: new Date(at),
      meterStartWh,
      reservationNumber: isReservation(reservationId) ? reservationId : null,
      now: new Date(deps.clock.now()),
    }
    const session = await inStationTx(deps, station, (tx) => startSession(tx, station, start))
    await meter.store(
      station,
      connectorId,
      withRegister([], { at, registerWh: meterStartWh, moment: 'begin' }),
    )
    return { transactionId: session.transactionNumber, idTagInfo: idTagInfo(session.authorization) }
  },

  async StopTransaction(station, message) {
    const { transactionId, idTag = null, reason = null, transactionData = [] } = message
    const meterStopWh = registerWh(message.meterStop, 'meterStop')
    const at = instant(message.timestamp)
    const end = {
      transactionNumber: transactionId,
      endedAt: new Date(at),
      meterStopWh,
      stopReason: reason,
      idTag,
      now: new Date(deps.clock.now()),
    }
    const { connectorId, authorization } = await inStationTx(deps, station, (tx) =>
      endSession(tx, station, end),
    )
    const readings = await meter.read(station, transactionData, connectorId)
    if (connectorId !== undefined) {
      const own = { at, registerWh: meterStopWh, moment: 'end' } as const
      await meter.store(station, connectorId, withRegister(readings, own))
    }
    return authorization ? { idTagInfo: idTagInfo(authorization) } : {}
  },

  /**
   * Readings of a connector, or of the main meter (connector 0), within a session or outside of one.
   * `transactionId` is not read: the readings of a session are those of its connector during its time.
   */
  MeterValues: (station, { connectorId, meterValue }) =>
    meter.record(station, connectorNumber(connectorId), meterValue).then(() => ({})),
})
