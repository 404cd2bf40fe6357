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
import { Page, PageQuery } from '../../../platform/http/page.ts'
import { ReportOptionsQuery, type WithLocale } from '../../../platform/http/reports.ts'
import { ABONE_GRUBU, VOLTAGE_LEVELS } from '../../netting/tariffs/index.ts'
import {
  CURVE_POINTS_DEFAULT,
  CURVE_POINTS_MAX,
  ID_TAG_LENGTH_MAX,
  SESSION_REPORT_DAYS_MAX,
} from '../limits.ts'
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
    description: 'transactionId in OCPP 1.6; never reused.',
  }),
  ocpp_transaction_id: orNull(Type.String(), 'transactionId of a 2.0.1 station; null for 1.6.'),
  charger_id: Id,
  connector_id: Type.Integer({ description: 'Connector number; the EVSE in OCPP 2.0.1.' }),
  device_id: described(Id, 'Device of the connector, which has the measurements of the session.'),
  id_tag: orNull(Type.String(), 'Id tag that started the session, as sent by the station.'),
  parent_tag: orNull(Type.String(), 'Group of the tag at the start of the session.'),
  authorization_status: described(
    Word(AUTHORIZATIONS),
    'Authorization status sent to the station at the start.',
  ),
  state: described(Word(STATES), 'State of the session: active until its end is reported or assumed.'),
  charging_state: orNull(Type.String(), 'Charging state reported by a 2.0.1 station; null for 1.6.'),
  started_at: described(Instant, 'Start of the session, by the clock of the station.'),
  ended_at: orNull(Instant, 'End of the session, by the clock of the station; null while it is active.'),
  meter_start_wh: orNull(Type.Integer(), 'Register at the start, Wh.'),
  meter_stop_wh: orNull(Type.Integer(), 'Register at the end, Wh.'),
  last_reading_at: orNull(Instant, 'Time up to which the energy is known.'),
  energy_kwh: orNull(
    Kwh,
    'Energy of the session, kWh; of an active session so far; null if neither a register nor intervals ' +
      'are available.',
  ),
  energy_source: orNull(
    Word(SOURCES),
    'Register: the difference of two readings. Intervals: the sum of the reported intervals, because ' +
      'the station reported no register.',
  ),
  cost_try: orNull(Decimal, 'Cost, TRY, by the approved tariffs of the times at which the energy was used.'),
  cost_reason: orNull(
    Word(SESSION_COST_REASONS),
    'Reason for a missing cost. no_data: no energy is known. abone_grubu_unknown: no facility has a ' +
      'subscriber group. price_missing: no approved tariff. too_long: over 31 days.',
  ),
  stop_reason: orNull(Type.String(), 'Stop reason reported by the station.'),
  stop_id_tag: orNull(Type.String(), 'Id tag that ended the session.'),
  reservation_number: orNull(
    Type.Integer(),
    'Number of the reservation that the session used, or that the station reported.',
  ),
  command_id: orNull(Id, 'Remote start command that started the session.'),
  flags: Type.Array(Word(SESSION_FLAGS), {
    description: 'Anomalies of the session; docs/integrate/ocpp.md describes the flags.',
  }),
  missing_seq_nos: Type.Array(Type.Integer(), {
    description: 'Sequence numbers of the missing events of a 2.0.1 station.',
  }),
  created_at: Instant,
  updated_at: Instant,
}

const ChargingSession = Type.Object(fields, { title: 'ChargingSession' })

export const ChargingSessionDetail = Type.Object(
  {
    ...fields,
    stop_command_id: orNull(Id, 'Remote stop command that ended the session.'),
    tariff: Type.Object(
      {
        facility_id: orNull(Id, 'Facility to which the session is billed.'),
        abone_grubu: orNull(Word(ABONE_GRUBU), 'Subscriber group.'),
        is_multi_time: Type.Boolean({ description: 'Whether prices depend on the time of day.' }),
        voltage_level: orNull(
          Word(VOLTAGE_LEVELS),
          'Voltage level of the facility; null: not known, priced as low voltage (AG).',
        ),
      },
      { description: 'Tariff of the session.' },
    ),
    hours_without_reading: Type.Array(Instant, {
      description:
        'Beginnings of the hours within the session for which the station reported no register or interval. The ' +
        'hourly energy of these hours is estimated, and in netting it is missing. Empty for a session without ' +
        'energy or of more than 31 days.',
    }),
    cost_parts: Type.Array(
      Type.Object({
        timestamp: described(Instant, 'Start of the part, which lasts until the next part.'),
        energy_kwh: described(Kwh, 'Energy of this part, kWh.'),
        cost_try: orNull(Decimal, 'Cost of this part, TRY; null without an approved price.'),
        is_estimated: Type.Boolean({
          description:
            'True if the register at the beginning or end of this part was interpolated over an hour without a ' +
            'reading.',
        }),
      }),
      {
        description:
          'Parts of the session, divided at midnight and at the boundaries of the time-of-day segments.',
      },
    ),
  },
  { title: 'ChargingSessionDetail' },
)

const pricing = {
  abone_grubu: Type.Optional(
    described(OneOf(ABONE_GRUBU), 'Subscriber group for pricing; default: that of the facility.'),
  ),
  is_multi_time: Type.Optional(
    Type.Boolean({ description: 'Whether prices depend on the time of day; default: that of the facility.' }),
  ),
}
export const PricingQuery = Type.Object(pricing)

export const ChargingSessionPage = Type.Object({
  ...Page(ChargingSession).properties,
  totals: Type.Optional(
    Type.Object(
      {
        sessions_active: Type.Integer({
          description: 'Number of sessions that have not ended; not in the sum.',
        }),
        sessions_without_energy: Type.Integer({
          description: 'Number of ended sessions whose energy is not known; not in the sum.',
        }),
        energy_kwh: described(Kwh, 'Energy of the ended sessions, kWh.'),
      },
      {
        title: 'ChargingSessionTotals',
        description: 'Sums over all sessions that match, with include=totals.',
      },
    ),
  ),
})

export const SessionQuery = Type.Object({
  include: Type.Optional({
    ...OneOf(['totals']),
    description: 'totals: the response also contains sums over all sessions that match the filters.',
  }),
  ...PageQuery(['started_at', 'ended_at', 'created_at']),
  charger_id: Type.Optional(Id),
  connector_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 255,
      description: 'Only sessions of this connector; the EVSE in OCPP 2.0.1.',
    }),
  ),
  id_tag: Type.Optional(
    described(Text(ID_TAG_LENGTH_MAX), 'Only sessions of this id tag, case-insensitive.'),
  ),
  state: Type.Optional(described(OneOf(STATES), 'Only sessions in this state.')),
  from: Type.Optional(described(InstantIn, 'Only sessions that began at or after this time.')),
  to: Type.Optional(described(InstantIn, 'Only sessions that began before this time.')),
  ...pricing,
})

export const SessionReportQuery = Type.Object({
  from: described(InstantIn, 'Only sessions that began at or after this time.'),
  to: described(
    InstantIn,
    `Only sessions that began before this time, at most ${SESSION_REPORT_DAYS_MAX} days after from.`,
  ),
  charger_id: Type.Optional(Id),
  ...ReportOptionsQuery,
  ...pricing,
})

export const CurveQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: CURVE_POINTS_MAX,
    default: CURVE_POINTS_DEFAULT,
    description:
      'Maximum number of points; of more samples the last sample of each of this number of equal time ' +
      'intervals.',
  }),
})

const number = (description: string) => Nullable(Type.Number({ description }))

export const SessionCurve = Type.Object(
  {
    session_id: Id,
    device_id: Id,
    start: Instant,
    end: described(
      Instant,
      'End of the session, or the time of the request for an active session; at most 31 days after the ' +
        'start.',
    ),
    samples: Type.Integer({ description: 'Number of stored samples of the session.' }),
    points: Type.Array(
      Type.Object({
        timestamp: Instant,
        energy_kwh: orNull(Kwh, 'Energy since the start of the session, kWh.'),
        power_kw: number('Power into the vehicle, kW; negative out of the vehicle.'),
        current_a: number('Current of the single phase, or of the first of three phases, A.'),
        voltage_v: number('Voltage of the single phase, or of the first of three phases, V.'),
        state_of_charge: number('State of charge of the vehicle, %.'),
      }),
      { description: 'Points in ascending order.' },
    ),
  },
  { title: 'SessionCurve' },
)

export type PricingQuery = Static<typeof PricingQuery>
export type SessionReportQuery = WithLocale<Static<typeof SessionReportQuery>>
export type SessionQuery = Static<typeof SessionQuery>
export type CurveQuery = Static<typeof CurveQuery>
