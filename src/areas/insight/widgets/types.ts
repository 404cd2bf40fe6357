/** The 13 types, as the table's check has them. */
export const WIDGET_TYPES = [
  'device_read_rate',
  'consumption_chart',
  'consumption_numeric',
  'cost_chart',
  'cost_numeric',
  'reactive_ratio',
  'realtime_value',
  'realtime_gauge',
  'realtime_3phase',
  'realtime_power',
  'alarm_summary',
  'osos_consumption_chart',
  'mahsuplasma_balance',
] as const
export type WidgetType = (typeof WIDGET_TYPES)[number]

/**
 * Where the data of a type is read: the last part of `/api/widgets/<id>/data/…`. Two types have their own
 * features.
 */
export const DATA_PATHS = {
  device_read_rate: 'device-read-rate',
  consumption_chart: 'consumption-chart',
  consumption_numeric: 'consumption-numeric',
  cost_chart: 'cost-chart',
  cost_numeric: 'cost-numeric',
  reactive_ratio: 'reactive',
  realtime_value: 'realtime-value',
  realtime_gauge: 'realtime-gauge',
  realtime_3phase: 'realtime-3phase',
  realtime_power: 'realtime-power',
  alarm_summary: 'alarm-summary',
} as const
export type DataType = keyof typeof DATA_PATHS

export const hasData = (type: WidgetType): type is DataType => type in DATA_PATHS

export type Config = Readonly<Record<string, unknown>>

/** A widget as its data is computed from. */
export interface WidgetRow {
  readonly id: string
  readonly subregion_id: string
  readonly widget_type: WidgetType
  readonly title: string
  readonly config: Config
}
