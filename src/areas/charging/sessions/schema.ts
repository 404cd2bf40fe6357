import { type Static, Type } from 'typebox'
import {
  Decimal,
  described,
  Id,
  Instant,
  InstantIn,
  Kwh,
  Nullable,
  OneOf,
  Text,
  Word,
} from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { ABONE_GRUBU } from '../../netting/tariffs/index.ts'
import { CURVE_POINTS_DEFAULT, CURVE_POINTS_MAX, ID_TAG_LENGTH_MAX } from '../limits.ts'
import { AUTHORIZATIONS } from '../tags/index.ts'
import { SESSION_COST_REASONS } from './cost.ts'
import { SESSION_FLAGS } from './flags.ts'

const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Nullable(described(schema, description))

const STATES = ['active', 'ended'] as const
const SOURCES = ['register', 'intervals'] as const

const fields = {
  id: Id,
  transaction_number: Type.Integer({
    description: 'What OCPP 1.6 calls the transactionId; never used again.',
  }),
  ocpp_transaction_id: orNull(Type.String(), 'The transactionId of a 2.0.1 station; null for 1.6.'),
  charger_id: Id,
  connector_id: Type.Integer({ description: 'Number of the connector; the EVSE in OCPP 2.0.1.' }),
  device_id: described(Id, 'The device of the connector, which has its measurements.'),
  id_tag: orNull(Type.String(), 'Who charges, as the station sent it.'),
  parent_tag: orNull(Type.String(), 'The group of the tag when it began.'),
  authorization_status: described(Word(AUTHORIZATIONS), 'What the station was answered at the start.'),
  state: described(Word(STATES), 'Active until its end is told, or assumed.'),
  charging_state: orNull(Type.String(), 'As a 2.0.1 station says it; null for 1.6.'),
  started_at: described(Instant, 'By the clock of the station.'),
  ended_at: orNull(Instant, 'By the clock of the station; null while it is active.'),
  meter_start_wh: orNull(Type.Integer(), 'The register at the start.'),
  meter_stop_wh: orNull(Type.Integer(), 'The register at the end.'),
  last_reading_at: orNull(Instant, 'Until when the energy is known.'),
  energy_kwh: orNull(Kwh, 'So far, while it is active; null where neither register nor intervals tell.'),
  energy_source: orNull(
    Word(SOURCES),
    'Register: the difference of two readings. Intervals: the sum of what the station told of ' +
      'each, since it told no register.',
  ),
  cost_try: orNull(Decimal, 'By the approved tariffs of the times at which the energy was used.'),
  cost_reason: orNull(
    Word(SESSION_COST_REASONS),
    'Why there is no cost. no_data: no energy is known. abone_grubu_unknown: no facility names a subscriber group. ' +
      'price_missing: no approved tariff. too_long: over 31 days.',
  ),
  stop_reason: orNull(Type.String(), "The station's word."),
  stop_id_tag: orNull(Type.String(), 'Who ended it.'),
  reservation_number: orNull(Type.Integer(), 'The reservation that it used, or that the station named.'),
  command_id: orNull(Id, 'The remote start that it came of.'),
  flags: Type.Array(Word(SESSION_FLAGS), { description: 'What is odd about it: docs/integrate/ocpp.md.' }),
  missing_seq_nos: Type.Array(Type.Integer(), {
    description: 'Events of a 2.0.1 station that have not come yet, by their numbers.',
  }),
  created_at: Instant,
  updated_at: Instant,
}

export const ChargingSession = Type.Object(fields)

export const ChargingSessionDetail = Type.Object({
  ...fields,
  stop_command_id: orNull(Id, 'The remote stop that it ended by.'),
  tariff: Type.Object(
    {
      facility_id: orNull(Id, 'The facility that it is billed with.'),
      abone_grubu: orNull(Word(ABONE_GRUBU), 'Subscriber group.'),
      is_multi_time: Type.Boolean({ description: 'Priced by the segments of the day.' }),
    },
    { description: 'What it is priced by.' },
  ),
  cost_parts: Type.Array(
    Type.Object({
      timestamp: described(Instant, 'From then until the next part.'),
      energy_kwh: described(Kwh, 'Of this part.'),
      cost_try: orNull(Decimal, 'Null where no approved price is known.'),
    }),
    { description: 'The session between midnights and the borders of the segments of the day.' },
  ),
})

const pricing = {
  abone_grubu: Type.Optional(
    described(OneOf(ABONE_GRUBU), 'Priced as of this subscriber group; otherwise that of the facility.'),
  ),
  is_multi_time: Type.Optional(
    Type.Boolean({ description: 'Priced by the segments of the day or not; otherwise as the facility is.' }),
  ),
}
export const PricingQuery = Type.Object(pricing)

export const SessionQuery = Type.Object({
  ...PageQuery(['started_at', 'ended_at', 'created_at']),
  charger_id: Type.Optional(Id),
  connector_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 255, description: 'Of this connector; the EVSE in OCPP 2.0.1.' }),
  ),
  id_tag: Type.Optional(described(Text(ID_TAG_LENGTH_MAX), 'Whatever its case.')),
  state: Type.Optional(described(OneOf(STATES), 'Only those that go on, or that are over.')),
  from: Type.Optional(described(InstantIn, 'Begun then or later.')),
  to: Type.Optional(described(InstantIn, 'Begun before.')),
  ...pricing,
})

export const CurveQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: CURVE_POINTS_MAX,
    default: CURVE_POINTS_DEFAULT,
    description:
      'At most so many points; of more samples the last one in each of so many equal parts of the time.',
  }),
})

const number = (description: string) => Nullable(Type.Number({ description }))

export const SessionCurve = Type.Object({
  session_id: Id,
  device_id: Id,
  start: Instant,
  end: described(
    Instant,
    'Of an active session the time of the request; 31 days after the start at the latest.',
  ),
  samples: Type.Integer({ description: 'Stored samples in this time.' }),
  points: Type.Array(
    Type.Object({
      timestamp: Instant,
      energy_kwh: orNull(Kwh, 'Since the start of the session.'),
      power_kw: number('Into the vehicle; below zero out of it.'),
      current_a: number('Of the one phase, or of the first of three.'),
      voltage_v: number('Of the one phase, or of the first of three.'),
      state_of_charge: number('%, of the vehicle.'),
    }),
    { description: 'Ascending.' },
  ),
})

export type PricingQuery = Static<typeof PricingQuery>
export type SessionQuery = Static<typeof SessionQuery>
export type CurveQuery = Static<typeof CurveQuery>
