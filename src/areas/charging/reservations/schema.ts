import { type Static, Type } from 'typebox'
import {
  described,
  Id,
  Instant,
  InstantIn,
  Nullable,
  OneOf,
  Text,
  Word,
} from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { ID_TAG_LENGTH_MAX } from '../limits.ts'
import { RESERVATION_STATES } from './states.ts'

const about = {
  connector_id: 'Connector number, the EVSE in OCPP 2.0.1; 0: any free connector.',
  id_tag: 'Id tag for which the connector is reserved.',
  parent_tag: 'Group whose tags may also use the reservation.',
  expires_at: 'Expiry of the reservation.',
}

export const Reservation = Type.Object(
  {
    id: Id,
    reservation_number: Type.Integer({ description: 'Id of the record in OCPP.' }),
    charger_id: Id,
    connector_id: Type.Integer({ description: about.connector_id }),
    id_tag: described(Type.String(), about.id_tag),
    parent_tag: Nullable(described(Type.String(), about.parent_tag)),
    state: described(
      Word(RESERVATION_STATES),
      'State of the reservation: pending until the station has responded.',
    ),
    reason: Nullable(
      Type.String({
        description:
          'Reason for a rejection (faulted, occupied, unavailable, rejected, or the end of its command), or ' +
          'an anomaly of the reservation.',
      }),
    ),
    expires_at: described(Instant, about.expires_at),
    command_id: Nullable(described(Id, 'Command that sends the password to the station.')),
    session_id: Nullable(described(Id, 'Session that used the reservation.')),
    requested_by: Nullable(described(Id, 'User who requested the operation.')),
    created_at: Instant,
    ended_at: Nullable(described(Instant, 'Time at which the reservation ended.')),
  },
  { title: 'Reservation' },
)

export const CreateReservation = Type.Object(
  {
    charger_id: Id,
    connector_id: Type.Integer({ minimum: 0, maximum: 255, default: 0, description: about.connector_id }),
    id_tag: described(Text(ID_TAG_LENGTH_MAX), about.id_tag),
    parent_tag: Type.Optional(
      Nullable(
        described(
          Text(ID_TAG_LENGTH_MAX),
          `${about.parent_tag} Absent: the group of the tag; null: no other tag.`,
        ),
      ),
    ),
    expires_at: described(InstantIn, about.expires_at),
  },
  { title: 'CreateReservation' },
)

export const ReservationQuery = Type.Object({
  ...PageQuery(['created_at', 'expires_at', 'reservation_number']),
  charger_id: Type.Optional(described(Id, 'Only records of this charger.')),
  state: Type.Optional(described(OneOf(RESERVATION_STATES), 'Only records in this state.')),
  id_tag: Type.Optional(described(Text(ID_TAG_LENGTH_MAX), 'Only reservations for this tag.')),
})

export type CreateReservation = Static<typeof CreateReservation>
export type ReservationQuery = Static<typeof ReservationQuery>

/** The request of `reserve`. */
export interface Reserve {
  readonly reservation_number: number
  /** 0: whichever connector is free. */
  readonly connector_id: number
  readonly id_tag: string
  readonly parent_tag: string | null
  readonly expires_at: string
}

/** The request of `cancel_reservation`. */
export interface CancelReservation {
  readonly reservation_number: number
}
