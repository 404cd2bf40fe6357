/**
 * The words that config.period and time_range of widgets know; days, weeks (from Monday), months and years are
 * Turkey-local.
 */
export const WIDGET_PERIODS = [
  '24h',
  'today',
  'yesterday',
  '7d',
  '30d',
  '90d',
  '1y',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_year',
] as const
export type WidgetPeriod = (typeof WIDGET_PERIODS)[number]
