/** The periods of widgets, as words of the API. */
export const TIME_RANGES = [
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
export type TimeRange = (typeof TIME_RANGES)[number]
