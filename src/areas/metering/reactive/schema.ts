import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { INTERVALS, type Interval } from '../rollup/index.ts'
import { REACTIVE_METERS_MAX } from './limits.ts'
import { REACTIVE_CLASSES, REACTIVE_STATUSES } from './reactive-limits.ts'

export const ReactiveQuery = Type.Object({
  device_id: Type.Optional({ ...Id, description: 'A meter. Give this or subregion_id.' }),
  subregion_id: Type.Optional({
    ...Id,
    description:
      'A place: the sum of its main consumption meters (role main_consumption, pcc_import_export ' +
      'or osb_eb_consumption, ' +
      'assigned at any time of the range); without any, of the devices there that stand below no ' +
      'other one and are no ' +
      `inverters. At most ${REACTIVE_METERS_MAX}.`,
  }),
  start: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Moved back to the start of its bucket. Default: the start of the month that end lies in.',
    }),
  ),
  end: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Not included; moved forward to the end of its bucket. Default: now.',
    }),
  ),
  interval: Type.Unsafe<Interval>({
    ...OneOf(INTERVALS),
    default: 'daily',
    description: 'Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days at once.',
  }),
  contracted_power_kw: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e9,
      description:
        'Whose limits are to hold; by default the power of the facility there, else of the subregion.',
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
  active_energy_kwh: NumberOrNull('Active energy drawn: growth of import_active_energy.'),
  inductive_reactive_energy_kvarh: NumberOrNull('Growth of inductive_reactive_energy.'),
  capacitive_reactive_energy_kvarh: NumberOrNull('Growth of capacitive_reactive_energy.'),
  inductive_ratio_pct: NumberOrNull(
    'Inductive by active energy, %; null without active energy or without data.',
  ),
  capacitive_ratio_pct: NumberOrNull(
    'Capacitive by active energy, %; null without active energy or without data.',
  ),
  inductive_status: Status(
    'ok, warning (from 90 % of the limit), exceeded (beyond it), or unknown (no ratio, no limit).',
  ),
  capacitive_status: Status('The same of the capacitive ratio.'),
  status: Status('The worse of the two; exceeded and warning before unknown.'),
  is_estimated: Type.Boolean({ description: 'A part is a share of what a register grew across a gap.' }),
}

export const ReactiveRatio = Type.Object({
  device_id: Nullable({ ...Id, description: 'As asked for.' }),
  subregion_id: Nullable({ ...Id, description: 'As asked for; of a device where it stands now.' }),
  interval: OneOf(INTERVALS),
  start: Type.String({ format: 'date-time', description: 'The start of the first bucket asked for.' }),
  end: Type.String({ format: 'date-time', description: 'The end of the last bucket asked for.' }),
  contracted_power_kw: NumberOrNull('The power that the limits go by, kW.'),
  limits: Type.Object(
    {
      power_class: Type.Unsafe<(typeof REACTIVE_CLASSES)[number]>({
        ...OneOf(REACTIVE_CLASSES),
        description:
          'exempt: up to 9 kW, no limit holds. below_50_kva and from_50_kva: by the contracted power, ' +
          'kW taken for kVA. ' +
          'unknown: no contracted power is known.',
      }),
      inductive_limit_pct: NumberOrNull(
        '% of the active energy; null where no limit holds or none is known.',
      ),
      capacitive_limit_pct: NumberOrNull(
        '% of the active energy; null where no limit holds or none is known.',
      ),
      source: Type.String({ description: 'Where the limits come from.' }),
    },
    { description: 'What the law allows. It is measured on the totals of a billing period: see total.' },
  ),
  total: Type.Object(figures, {
    description:
      'The whole range as one: over a month it is the figure that a bill goes by. Ratios of hours ' +
      'and days show where it ' +
      'comes from and are billed by nobody.',
  }),
  data: Type.Array(
    Type.Object({
      timestamp: Type.String({ format: 'date-time', description: 'The start of the bucket.' }),
      ...figures,
    }),
    { description: 'Ascending; a bucket of which nothing is known has no row.' },
  ),
  meters: Type.Array(
    Type.Object({
      device_id: Id,
      device_name: Type.String({ description: 'Name of the meter.' }),
      has_reactive: Type.Boolean({
        description: 'It has sent a reactive register. One that has not is left out of all figures.',
      }),
    }),
    { description: 'The meters that were looked at.' },
  ),
})
export type ReactiveRatio = Static<typeof ReactiveRatio>
