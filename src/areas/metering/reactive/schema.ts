import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { Quality } from '../aggregates/index.ts'
import { INTERVALS, type Interval } from '../rollup/index.ts'
import { REACTIVE_METERS_MAX } from './limits.ts'
import { REACTIVE_CLASSES, REACTIVE_STATUSES } from './reactive-limits.ts'

export const ReactiveQuery = Type.Object({
  device_id: Type.Optional({ ...Id, description: 'Id of a meter; either this or subregion_id is required.' }),
  subregion_id: Type.Optional({
    ...Id,
    description:
      'Id of a subregion: the result is the sum of its main consumption meters (role main_consumption, ' +
      'pcc_import_export or osb_eb_consumption, assigned at any time in the range); without any, of its ' +
      'devices that have no parent device and are not inverters. ' +
      `At most ${REACTIVE_METERS_MAX}.`,
  }),
  start: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Start of the range, rounded down to a bucket boundary. Default: the start of the month that ' +
        'contains end.',
    }),
  ),
  end: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'End of the range, exclusive, rounded up to a bucket boundary. Default: now.',
    }),
  ),
  interval: Type.Unsafe<Interval>({
    ...OneOf(INTERVALS),
    default: 'daily',
    description:
      'Bucket size: Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days per request.',
  }),
  contracted_power_kw: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e9,
      description:
        'Contracted power that determines the limits, kW; default: that of the facility in the subregion, ' +
        'otherwise of the subregion.',
    }),
  ),
})
export type ReactiveQuery = Static<typeof ReactiveQuery>

const NumberOrNull = (description: string) => Nullable(Type.Number({ description }))
const Status = (description: string) =>
  Type.Unsafe<(typeof REACTIVE_STATUSES)[number]>({
    ...OneOf(REACTIVE_STATUSES),
    description,
  })

const figures = {
  active_energy_kwh: NumberOrNull('Active energy drawn from the grid, kWh: growth of import_active_energy.'),
  inductive_reactive_energy_kvarh: NumberOrNull('Growth of inductive_reactive_energy, kvarh.'),
  capacitive_reactive_energy_kvarh: NumberOrNull('Growth of capacitive_reactive_energy, kvarh.'),
  inductive_ratio_pct: NumberOrNull(
    'Inductive energy divided by active energy, %; null without active energy or without data.',
  ),
  capacitive_ratio_pct: NumberOrNull(
    'Capacitive energy divided by active energy, %; null without active energy or without data.',
  ),
  inductive_status: Status(
    'ok, warning (from 90 % of the limit), exceeded (above the limit), or unknown (no ratio or no limit).',
  ),
  capacitive_status: Status('Status of the capacitive ratio, with the same values.'),
  status: Status('The worse of both statuses; exceeded and warning take precedence over unknown.'),
  is_estimated: Type.Boolean({
    description: 'Whether a part is a share of the register growth across a gap.',
  }),
  data_quality: Quality('the three energies'),
}

export const ReactiveRatio = Type.Object(
  {
    device_id: Nullable({ ...Id, description: 'Device of the request.' }),
    subregion_id: Nullable({
      ...Id,
      description: 'Subregion of the request; for a device its current subregion.',
    }),
    interval: OneOf(INTERVALS),
    start: Type.String({ format: 'date-time', description: 'Start of the first requested bucket.' }),
    end: Type.String({ format: 'date-time', description: 'End of the last requested bucket.' }),
    contracted_power_kw: NumberOrNull('Contracted power that determines the limits, kW.'),
    limits: Type.Object(
      {
        power_class: Type.Unsafe<(typeof REACTIVE_CLASSES)[number]>({
          ...OneOf(REACTIVE_CLASSES),
          description:
            'exempt: up to 9 kW, no limit applies. below_50_kva and from_50_kva: by the contracted power, with ' +
            'kW taken as kVA. unknown: the contracted power is not known.',
        }),
        inductive_limit_pct: NumberOrNull(
          'Limit in % of the active energy; null if no limit applies or is known.',
        ),
        capacitive_limit_pct: NumberOrNull(
          'Limit in % of the active energy; null if no limit applies or is known.',
        ),
        source: Type.String({ description: 'Source of the limits.' }),
      },
      { description: 'Legal limits. They apply to the totals of a billing period: see total.' },
    ),
    total: Type.Object(figures, {
      description:
        'Totals of the whole range; for a month these are the figures relevant for billing. Ratios of ' +
        'hours and days only show the causes and are not billed.',
    }),
    data: Type.Array(
      Type.Object({
        timestamp: Type.String({ format: 'date-time', description: 'Start of the bucket.' }),
        ...figures,
      }),
      { description: 'Rows in ascending order; a bucket without data has no row.' },
    ),
    meters: Type.Array(
      Type.Object({
        device_id: Id,
        device_name: Type.String({ description: 'Name of the meter.' }),
        has_reactive: Type.Boolean({
          description:
            'Whether the meter has sent a reactive register. Other meters are excluded from all figures.',
        }),
      }),
      { description: 'Meters that were evaluated.' },
    ),
  },
  { title: 'ReactiveRatio' },
)
export type ReactiveRatio = Static<typeof ReactiveRatio>
