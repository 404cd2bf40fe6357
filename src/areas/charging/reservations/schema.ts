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
  connector_id: 'Number of the connector, the EVSE in OCPP 2.0.1; 0: whichever is free.',
  id_tag: 'Whom it is kept for.',
  parent_tag: 'The group whose tags may use it too.',
  expires_at: 'It is kept until then.',
}

export const Reservation = Type.Object({
  id: Id,
  reservation_number: Type.Integer({ description: 'What OCPP calls its id.' }),
  charger_id: Id,
  connector_id: Type.Integer({ description: about.connector_id }),
  id_tag: described(Type.String(), about.id_tag),
  parent_tag: Nullable(described(Type.String(), about.parent_tag)),
  state: described(Word(RESERVATION_STATES), 'Pending until the station has answered.'),
  reason: Nullable(
    Type.String({
      description:
        'Why it was rejected (faulted, occupied, unavailable, rejected, or how its command ended), ' +
        'or what is odd about it.',
    }),
  ),
  expires_at: described(Instant, about.expires_at),
  command_id: Nullable(described(Id, 'The command that tells the station.')),
  session_id: Nullable(described(Id, 'The session that used it.')),
  requested_by: Nullable(described(Id, 'The user.')),
  created_at: Instant,
  ended_at: Nullable(described(Instant, 'When it stopped keeping the connector.')),
})

export const CreateReservation = Type.Object({
  charger_id: Id,
  connector_id: Type.Integer({ minimum: 0, maximum: 255, default: 0, description: about.connector_id }),
  id_tag: described(Text(ID_TAG_LENGTH_MAX), about.id_tag),
  parent_tag: Type.Optional(
    Nullable(
      described(
        Text(ID_TAG_LENGTH_MAX),
        `${about.parent_tag} Absent: the group of the tag; null: nobody else.`,
      ),
    ),
  ),
  expires_at: described(InstantIn, about.expires_at),
})

export const ReservationQuery = Type.Object({
  ...PageQuery(['created_at', 'expires_at', 'reservation_number']),
  charger_id: Type.Optional(described(Id, 'Only of this charger.')),
  state: Type.Optional(described(OneOf(RESERVATION_STATES), 'Only in this state.')),
  id_tag: Type.Optional(described(Text(ID_TAG_LENGTH_MAX), 'Only for this tag.')),
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
