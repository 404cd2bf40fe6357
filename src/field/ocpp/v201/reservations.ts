import { recordReservationEnd } from '../../../areas/charging/stations.ts'
import { inStationTx, integer } from '../fields.ts'
import type { MessagesV201 } from '../messages-v201.ts'
import type { Handlers, OcppDeps } from '../types.ts'

/** Handles a station that gives up a reservation by itself. */
export const reservationHandlers = (deps: OcppDeps): Handlers<MessagesV201> => ({
  async ReservationStatusUpdate(station, message) {
    const number = integer(message.reservationId, 'reservationId')
    const move = message.reservationUpdateStatus === 'Expired' ? 'expire' : 'cancel'
    const now = new Date(deps.clock.now())
    await inStationTx(deps, station, (tx) => recordReservationEnd(tx, station, { number, move, now }))
    return {}
  },
})
