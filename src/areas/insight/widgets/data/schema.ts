import { type TSchema, Type } from 'typebox'
import { WIDGET_PERIODS } from '../../../../kernel/widget-periods.ts'
import { Decimal, Id, Nullable, OneOf } from '../../../../platform/http/fields.ts'
import { Quality } from '../../../metering/aggregates/index.ts'
import { ReactiveRatio } from '../../../metering/reactive/index.ts'
import { INTERVALS } from '../../../metering/rollup/index.ts'
import { COST_REASONS } from '../../../netting/tariffs/index.ts'
import type { DataType } from '../types.ts'

const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })
const number = (description: string) => Type.Number({ description })
const numberOrNull = (description: string) => Nullable(number(description))
const instant = (description: string) => Type.String({ format: 'date-time', description })
const yes = (description: string) => Type.Boolean({ description })
/** An answer is printed by JSON.stringify; the words of an enum are held by tests. */
const word = (words: readonly string[], description: string) => Type.String({ enum: [...words], description })

const period = {
  period: word(
    WIDGET_PERIODS,
    'Period of the data: from the config, otherwise from time_range, otherwise 7d.',
  ),
  period_label: Nullable(text('Display text of the period.')),
}
const span = {
  start: instant('Start of the first bucket.'),
  end: instant('End of the last bucket, which may be incomplete.'),
}
const interval = { ...OneOf(INTERVALS), description: 'Turkey-local hours, days or months.' }
const flow = word(['consumption', 'production', 'export'], 'Direction of the energy.')
const unit = text('Unit of the energy.')
const estimated = yes(
  'Whether a part was calculated from power, or is a share of the register growth across a gap.',
)
const quality = Quality('the energy')
const device = { device_id: Id, device_name: text('Name of the device.') }
const energyDevices = Type.Array(
  Type.Object({
    ...device,
    energy_kwh: numberOrNull('Energy of this device in the whole period, kWh; null: no data.'),
    data_quality: Quality('the energy of this device'),
  }),
  { description: 'Meters that are included in the sum.' },
)

const ReadRate = Type.Object(
  {
    ...period,
    ...span,
    expected_count: count('Number of expected samples of the devices with a known interval.'),
    received_count: count(
      'Number of received samples of these devices, for each device at most the expected number.',
    ),
    read_rate_pct: numberOrNull('Received divided by expected samples, %; null if none were expected.'),
    devices: Type.Array(
      Type.Object({
        ...device,
        reporting_interval_s: Nullable(
          count(
            'Interval of the device, otherwise of the config; null: unknown, so no samples are expected.',
          ),
        ),
        expected_count: Nullable(
          count(
            'Number of whole intervals from the later of start and the creation of the device until now.',
          ),
        ),
        received_count: count('Number of stored samples.'),
        read_rate_pct: numberOrNull(
          'Received divided by expected samples, %, at most 100; null if none were expected.',
        ),
        last_seen: Nullable(instant('Time of the latest sample.')),
        is_online: yes('Whether a sample was received within the offline threshold.'),
      }),
      { description: 'Samples by device.' },
    ),
  },
  { title: 'ReadRate' },
)

const ConsumptionChart = Type.Object(
  {
    ...period,
    interval,
    ...span,
    flow,
    unit,
    total_kwh: numberOrNull('Sum of the points, kWh; null: no data.'),
    is_estimated: estimated,
    data_quality: quality,
    data: Type.Array(
      Type.Object({
        timestamp: instant('Start of the bucket.'),
        energy_kwh: numberOrNull('Energy of all meters, kWh.'),
        is_estimated: estimated,
        data_quality: quality,
      }),
      { description: 'Points in ascending order; a bucket without data has no point.' },
    ),
    devices: energyDevices,
  },
  { title: 'ConsumptionChart' },
)

const ConsumptionNumeric = Type.Object(
  {
    ...period,
    ...span,
    flow,
    unit,
    value_kwh: numberOrNull('Energy of the period, kWh; null: no data.'),
    is_estimated: estimated,
    data_quality: quality,
    devices: energyDevices,
  },
  { title: 'ConsumptionNumeric' },
)

const lira = (description: string) => Nullable({ ...Decimal, description })
const reason = Nullable(
  word(
    COST_REASONS,
    'Reason for a missing amount: no_data, abone_grubu_unknown (no subscriber group), price_missing ' +
      '(no approved price). If one part has no price, the whole sum has no amount.',
  ),
)
const currency = text('Currency of the amounts.')
const tariffs = Type.Array(
  Type.Object({
    facility_id: Nullable({ ...Id, description: 'Facility whose subscriber group applies; null: unknown.' }),
    abone_grubu: Nullable(text('Subscriber group; null: not known.')),
    is_multi_time: yes('Whether prices depend on the time of day (day, peak and night).'),
    voltage_level: Nullable(
      text('Voltage level of the facility; null: not known, priced as low voltage (AG).'),
    ),
    device_ids: Type.Array(Id, { description: 'Meters that are billed together.' }),
  }),
  { description: 'Tariffs of the energy.' },
)

const CostChart = Type.Object(
  {
    ...period,
    interval,
    ...span,
    currency,
    total_try: lira('Cost of the active energy at the approved prices, TRY, without distribution and taxes.'),
    reason,
    energy_kwh: numberOrNull('Energy of the period.'),
    is_estimated: estimated,
    data_quality: quality,
    data: Type.Array(
      Type.Object({
        timestamp: instant('Start of the bucket.'),
        energy_kwh: numberOrNull('Energy of the bucket.'),
        cost_try: lira('Cost of the bucket, TRY.'),
        reason,
        is_estimated: estimated,
        data_quality: quality,
      }),
      { description: 'Points in ascending order; a bucket without data has no point.' },
    ),
    tariffs,
  },
  { title: 'CostChart' },
)

const CostNumeric = Type.Object(
  {
    ...period,
    ...span,
    currency,
    value_try: lira(
      'Cost of the active energy of the period at the approved prices, TRY, without distribution and taxes.',
    ),
    reason,
    energy_kwh: numberOrNull('Energy of the period.'),
    is_estimated: estimated,
    data_quality: quality,
    tariffs,
  },
  { title: 'CostNumeric' },
)

const live = {
  timestamp: Nullable(
    instant('Time of the latest value; null if the last 60 minutes (or the shorter threshold) have none.'),
  ),
  device_status: word(['online', 'offline'], 'Device status; offline: no sample within the window.'),
}
const value = {
  ...device,
  metric: text('Name of the metric.'),
  unit: Nullable(text('Unit from the config, otherwise of the metric; null: unknown.')),
  value: numberOrNull('Latest value within the window.'),
  ...live,
}
const RealtimeValue = Type.Object(value, { title: 'RealtimeValue' })
const RealtimeGauge = Type.Object(
  {
    ...value,
    min_range: numberOrNull('Lower end of the scale.'),
    max_range: numberOrNull('Upper end of the scale.'),
    warning_threshold: numberOrNull('Threshold of the warning range.'),
    critical_threshold: numberOrNull('Threshold of the critical range.'),
  },
  { title: 'RealtimeGauge' },
)
const phases = (name: string, what: string) =>
  Object.fromEntries(
    [1, 2, 3].map((phase) => [`${name}_l${phase}`, numberOrNull(`${what} of phase ${phase}.`)]),
  )
const Realtime3Phase = Type.Object(
  {
    ...device,
    ...phases('voltage', 'Voltage, V,'),
    ...phases('current', 'Current, A,'),
    ...phases('active_power', 'Active power, kW,'),
    ...live,
  },
  { title: 'Realtime3Phase' },
)
const RealtimePower = Type.Object(
  {
    ...device,
    active_power: numberOrNull('Active power, kW, consumption positive.'),
    reactive_power: numberOrNull('Reactive power, kvar.'),
    apparent_power: numberOrNull('Apparent power, kVA.'),
    power_factor: numberOrNull('Power factor.'),
    ...live,
  },
  { title: 'RealtimePower' },
)

const AlarmSummary = Type.Object(
  {
    scope: word(['subregion', 'tenant'], 'Scope of the counted incidents.'),
    severities: Type.Array(text('Severity.'), { description: 'Counted severities.' }),
    open_count: count('Number of open incidents.'),
    by_severity: Type.Object(
      { info: count('info'), warning: count('warning'), critical: count('critical') },
      { description: 'Open incidents by severity.' },
    ),
    by_status: Type.Object(
      { active: count('active'), acknowledged: count('acknowledged'), snoozed: count('snoozed') },
      { description: 'Open incidents by status.' },
    ),
    latest_triggered_at: Nullable(instant('Trigger time of the latest incident.')),
  },
  { title: 'AlarmSummary' },
)

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
