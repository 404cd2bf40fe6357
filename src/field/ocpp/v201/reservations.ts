import { recordReservationEnd } from '../../../areas/charging/stations.ts'
import { inStationTx, integer } from '../fields.ts'
import type { Handlers, OcppDeps, Station } from '../types.ts'

interface ReservationStatusUpdate {
  readonly reservationId: number
  readonly reservationUpdateStatus: 'Expired' | 'Removed'
}

/** A station gives up a reservation by itself. */
export const reservationHandlers = (deps: OcppDeps): Handlers => ({
  async ReservationStatusUpdate(station: Station, message: ReservationStatusUpdate) {
    const number = integer(message.reservationId, 'reservationId')
    const move = message.reservationUpdateStatus === 'Expired' ? 'expire' : 'cancel'
    const now = new Date(deps.clock.now())
    await inStationTx(deps, station, (tx) => recordReservationEnd(tx, station, { number, move, now }))
    return {}
  },
})
