import { connectorNumber } from '../fields.ts'
import type { Meter } from '../meter.ts'
import type { MeterValue } from '../readings.ts'
import type { Handlers, Station } from '../types.ts'

interface MeterValues {
  readonly connectorId: number
  /** Not looked at: the readings of a session are those of its connector in its time, whatever stands here. */
  readonly transactionId?: number
  readonly meterValue: readonly MeterValue[]
}

/** Readings of a connector, or of the main meter of the station, in a session or not. */
export const meterValueHandlers = (meter: Meter): Handlers => ({
  async MeterValues(station: Station, message: MeterValues) {
    const connectorId = connectorNumber(message.connectorId)
    await meter.store(station, connectorId, await meter.read(station, message.meterValue, connectorId))
    return {}
  },
})
