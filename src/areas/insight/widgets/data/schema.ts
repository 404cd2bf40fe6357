import { type TSchema, Type } from 'typebox'
import { Decimal, Id, Nullable, OneOf } from '../../../../platform/http/fields.ts'
import { ReactiveRatio } from '../../../metering/reactive/index.ts'
import { INTERVALS } from '../../../metering/rollup/index.ts'
import { COST_REASONS } from '../../../netting/tariffs/index.ts'
import { type DataType, WIDGET_TYPES } from '../types.ts'
import { PERIODS } from './period.ts'

const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })
const number = (description: string) => Type.Number({ description })
const numberOrNull = (description: string) => Nullable(number(description))
const instant = (description: string) => Type.String({ format: 'date-time', description })
const yes = (description: string) => Type.Boolean({ description })
/** An answer is printed by JSON.stringify; the words of an enum are held by tests. */
const word = (words: readonly string[], description: string) => Type.String({ enum: [...words], description })

const period = {
  period: word(PERIODS, 'The period that was taken: of the config, else time_range, else 7d.'),
  period_label: Nullable(text('The same in words, to be shown.')),
}
const span = {
  start: instant('Start of the first bucket.'),
  end: instant('End of the last bucket, which may be running still.'),
}
const interval = { ...OneOf(INTERVALS), description: 'Turkey-local hours, days or months.' }
const flow = word(['consumption', 'production', 'export'], 'Which energy is shown.')
const unit = text('Unit of the energy.')
const estimated = yes(
  'Whether a part was calculated from power, or is a share of the register growth across a gap.',
)
const device = { device_id: Id, device_name: text('Name of the device.') }
const energyDevices = Type.Array(
  Type.Object({ ...device, energy_kwh: numberOrNull('Of this device in the whole period; null: no data.') }),
  { description: 'The meters that are added up.' },
)

const ReadRate = Type.Object({
  ...period,
  ...span,
  expected_count: count('Samples that were to come, of the devices whose interval is known.'),
  received_count: count('Samples of these devices that came, of each at most as many as were expected.'),
  read_rate_pct: numberOrNull('Received by expected, %; null where nothing was to come.'),
  devices: Type.Array(
    Type.Object({
      ...device,
      reporting_interval_s: Nullable(
        count("The device's own, else that of the config; null: not known, so nothing is expected."),
      ),
      expected_count: Nullable(
        count('Whole intervals since the later of start and the making of the device, up to now.'),
      ),
      received_count: count('Stored samples.'),
      read_rate_pct: numberOrNull('At most 100; null where nothing was to come.'),
      last_seen: Nullable(instant('Instant of the newest sample.')),
      is_online: yes('Whether a sample was received within the offline threshold.'),
    }),
    { description: 'By device.' },
  ),
})

const ConsumptionChart = Type.Object({
  ...period,
  interval,
  ...span,
  flow,
  unit,
  total_kwh: numberOrNull('Sum of the points; null: no data.'),
  is_estimated: estimated,
  data: Type.Array(
    Type.Object({
      timestamp: instant('Start of the bucket.'),
      energy_kwh: numberOrNull('Of all meters together.'),
      is_estimated: estimated,
    }),
    { description: 'Ascending; a bucket of which nothing is known has no point.' },
  ),
  devices: energyDevices,
})

const ConsumptionNumeric = Type.Object({
  ...period,
  ...span,
  flow,
  unit,
  value_kwh: numberOrNull('Energy of the period; null: no data.'),
  is_estimated: estimated,
  devices: energyDevices,
})

const lira = (description: string) => Nullable({ ...Decimal, description })
const reason = Nullable(
  word(
    COST_REASONS,
    'Why there is no amount: no_data, abone_grubu_unknown (no subscriber group), price_missing (no ' +
      'approved price). ' +
      'One part without a price leaves the whole sum without an amount.',
  ),
)
const currency = text('Currency of the amounts.')
const tariffs = Type.Array(
  Type.Object({
    facility_id: Nullable({ ...Id, description: 'Whose subscriber group counts; null: none is known.' }),
    abone_grubu: Nullable(text('Subscriber group; null: not known.')),
    is_multi_time: yes('Priced by day, peak and night.'),
    device_ids: Type.Array(Id, { description: 'The meters that are billed together.' }),
  }),
  { description: 'By what the energy is priced.' },
)

const CostChart = Type.Object({
  ...period,
  interval,
  ...span,
  currency,
  total_try: lira('Active energy at the approved prices, TRY, without distribution and taxes.'),
  reason,
  energy_kwh: numberOrNull('Energy of the period.'),
  is_estimated: estimated,
  data: Type.Array(
    Type.Object({
      timestamp: instant('Start of the bucket.'),
      energy_kwh: numberOrNull('Energy of the bucket.'),
      cost_try: lira('What it costs, TRY.'),
      reason,
      is_estimated: estimated,
    }),
    { description: 'Ascending; a bucket of which nothing is known has no point.' },
  ),
  tariffs,
})

const CostNumeric = Type.Object({
  ...period,
  ...span,
  currency,
  value_try: lira('Active energy of the period at the approved prices, TRY, without distribution and taxes.'),
  reason,
  energy_kwh: numberOrNull('Energy of the period.'),
  is_estimated: estimated,
  tariffs,
})

const live = {
  timestamp: Nullable(
    instant(
      'Of the newest value that is shown; null when none is of the last 60 minutes (or the shorter ' +
        'threshold).',
    ),
  ),
  device_status: word(['online', 'offline'], 'offline: nothing came within the window.'),
}
const value = {
  ...device,
  metric: text('Name of the metric.'),
  unit: Nullable(text('As the config has it, else of the metric; null: not known.')),
  value: numberOrNull('The newest value within the window.'),
  ...live,
}
const RealtimeValue = Type.Object(value)
const RealtimeGauge = Type.Object({
  ...value,
  min_range: numberOrNull('Lower end of the scale.'),
  max_range: numberOrNull('Upper end of the scale.'),
  warning_threshold: numberOrNull('From here on the gauge warns.'),
  critical_threshold: numberOrNull('From here on it is critical.'),
})
const phases = (name: string, what: string) =>
  Object.fromEntries(
    [1, 2, 3].map((phase) => [`${name}_l${phase}`, numberOrNull(`${what} of phase ${phase}.`)]),
  )
const Realtime3Phase = Type.Object({
  ...device,
  ...phases('voltage', 'Voltage, V,'),
  ...phases('current', 'Current, A,'),
  ...phases('active_power', 'Active power, kW,'),
  ...live,
})
const RealtimePower = Type.Object({
  ...device,
  active_power: numberOrNull('kW, consumption positive.'),
  reactive_power: numberOrNull('kvar.'),
  apparent_power: numberOrNull('kVA.'),
  power_factor: numberOrNull('Power factor.'),
  ...live,
})

const AlarmSummary = Type.Object({
  scope: word(['subregion', 'tenant'], 'Whose incidents are counted.'),
  severities: Type.Array(text('A severity.'), { description: 'Those that are counted.' }),
  open_count: count('Open incidents.'),
  by_severity: Type.Object(
    { info: count('info'), warning: count('warning'), critical: count('critical') },
    { description: 'Open incidents by severity.' },
  ),
  by_status: Type.Object(
    { active: count('active'), acknowledged: count('acknowledged'), snoozed: count('snoozed') },
    { description: 'Open incidents by status.' },
  ),
  latest_triggered_at: Nullable(instant('When the newest of them was triggered.')),
})

export const DATA_SCHEMAS: Readonly<Record<DataType, TSchema>> = {
  device_read_rate: ReadRate,
  consumption_chart: ConsumptionChart,
  consumption_numeric: ConsumptionNumeric,
  cost_chart: CostChart,
  cost_numeric: CostNumeric,
  reactive_ratio: Type.Object({ ...period, ...ReactiveRatio.properties }),
  realtime_value: RealtimeValue,
  realtime_gauge: RealtimeGauge,
  realtime_3phase: Realtime3Phase,
  realtime_power: RealtimePower,
  alarm_summary: AlarmSummary,
}

export const DashboardData = Type.Object({
  subregion_id: { ...Id, description: 'The subregion.' },
  widgets: Type.Array(
    Type.Object({
      widget_id: Id,
      widget_type: word(WIDGET_TYPES, 'One of the 13 types.'),
      title: text('What stands above it.'),
      data: Type.Unsafe<object | null>({
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          'Byte for byte what `source` answers; null with an error, and for the two types whose data is ' +
          'read from the ' +
          'endpoint of their own feature (osos_consumption_chart, mahsuplasma_balance), with its own ' +
          'permission.',
      }),
      error: Type.Unsafe<{ error_code: string; message: string } | null>({
        type: ['object', 'null'],
        properties: {
          error_code: text('Code, as `source` would answer it.'),
          message: text('Why the data cannot be computed.'),
        },
        description: 'Only where the data of this widget cannot be computed; the others are not affected.',
      }),
      source: Nullable(
        text('Path by which the data of this widget alone is read; null: the config names nothing to read.'),
      ),
    }),
    { description: 'The active widgets, in the order in which they were made.' },
  ),
})
