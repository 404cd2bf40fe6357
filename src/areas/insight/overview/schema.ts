import { type Static, Type } from 'typebox'
import { described, Id, Kwh, LocalDate, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { OVERVIEW_FACILITIES_MAX, OVERVIEW_METERS_MAX } from './limits.ts'

export const POWER_ROLES = [
  'main_production',
  'main_consumption',
  'osb_eb_consumption',
  'pcc_import_export',
  'battery',
] as const

export const OverviewQuery = Type.Object({
  subregion_id: Type.Optional({ ...Id, description: 'Only the facilities of this subregion.' }),
  facility_id: Type.Optional({ ...Id, description: 'Only this facility.' }),
})
export type OverviewQuery = Static<typeof OverviewQuery>

const time = (description: string) => Type.String({ format: 'date-time', description })

const PowerMeter = Type.Object(
  {
    device_id: described(Id, 'Device, whose samples the live socket pushes.'),
    device_name: Type.String({ description: 'Name of the device.' }),
    facility_id: described(Id, 'Facility to which the device is assigned now.'),
    facility_name: Type.String({ description: 'Name of the facility.' }),
    measurement_role: described(OneOf(POWER_ROLES), 'What the device measures there.'),
    active_power_kw: Nullable(
      Type.Number({
        description:
          'Latest active_power, kW; consumption and charging are positive, production and discharging negative. ' +
          'null: none in the last hour.',
      }),
    ),
    timestamp: Nullable(time('Time of the sample with this power.')),
    stale_after_s: Type.Integer({
      description:
        'Age in seconds from which a power is stale: three reporting intervals of the device and at least 30 ' +
        'seconds, five minutes if its interval is not recorded, and never more than its offline threshold.',
    }),
  },
  { title: 'PowerMeter' },
)

export const OverviewPower = Type.Object(
  {
    timestamp: time('Time of the snapshot, by which ages are to be computed.'),
    meters: Type.Array(PowerMeter, {
      description: `Meters by the name of their facility and their own, at most ${OVERVIEW_METERS_MAX}.`,
    }),
    is_truncated: Type.Boolean({
      description: 'Whether there are more meters; the parameters narrow the request.',
    }),
  },
  { title: 'OverviewPower' },
)
export type OverviewPower = Static<typeof OverviewPower>

const sum = (what: string) =>
  Nullable(described(Kwh, `${what} of the facilities whose value is known; kWh. null: none is known.`))

const DayHour = Type.Object(
  {
    production_kwh: sum('Production'),
    consumption_kwh: sum('Consumption'),
    facilities_unknown: Type.Integer({
      description: 'Facilities whose production or consumption should be known by their meters and is not.',
    }),
  },
  { title: 'OverviewDayHour' },
)

const SoFar = Type.Object(
  {
    production_kwh: sum('Production of the compared hours'),
    consumption_kwh: sum('Consumption of the compared hours'),
  },
  { title: 'OverviewSoFar' },
)
const day = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Unsafe<Static<T>>({ ...schema, description })

export const OverviewEnergy = Type.Object(
  {
    timestamp: time('Time of the snapshot.'),
    date: described(LocalDate, 'Today, Turkey-local.'),
    facilities: Type.Integer({
      description: `Facilities that are added up, at most ${OVERVIEW_FACILITIES_MAX}.`,
    }),
    is_truncated: Type.Boolean({
      description: 'Whether there are more facilities; the parameters narrow the request.',
    }),
    hours: Type.Array(
      Type.Object({
        hour: Type.Integer({ description: 'Turkey-local hour of the day, 0 to 23.' }),
        today: day(DayHour, 'The hour of today; without values until its facts are built.'),
        yesterday: day(DayHour, 'The same hour of yesterday.'),
      }),
      { description: 'The 24 hours of the day.' },
    ),
    compared_hours: Type.Integer({
      description: 'Hours from midnight that are compared: until the latest one of which today has a value.',
    }),
    values_left_out: Type.Integer({
      description:
        'Values of facilities in the compared hours that the sums leave out, because they are unknown today or ' +
        'yesterday.',
    }),
    so_far: Type.Object(
      {
        today: day(SoFar, 'Today. Only values that are known on both days are added up.'),
        yesterday: day(SoFar, 'Yesterday, the same hours and facilities.'),
      },
      { description: 'Sums of the compared hours.' },
    ),
  },
  { title: 'OverviewEnergy' },
)
export type OverviewEnergy = Static<typeof OverviewEnergy>
