/** The markets of the series, as stored: ptf is the day-ahead price, smf the system marginal price. */
export const MARKETS = ['ptf', 'smf'] as const
export type Market = (typeof MARKETS)[number]

/** The status of a price. An hour has at most one row for each status. */
export const PRICE_STATUSES = ['tentative', 'final', 'corrected', 'unknown'] as const
export type PriceStatus = (typeof PRICE_STATUSES)[number]
/**
 * The statuses in order of precedence. The best price of an hour is that of the first status for which it has
 * a row.
 */
export const STATUS_PRECEDENCE = [
  'corrected',
  'final',
  'tentative',
  'unknown',
] as const satisfies PriceStatus[]

/** A call of the platform and the kind of prices that it returns. */
export interface Series {
  readonly market: Market
  readonly status: 'tentative' | 'final'
  /** The path below the base address of the API. */
  readonly path: string
  /** Fields that may contain the price of an item; the first present one is used. */
  readonly fields: readonly string[]
}

/** The series of the Transparency Platform 2.0, in TRY/MWh. */
export const PTF_TENTATIVE: Series = {
  market: 'ptf',
  status: 'tentative',
  path: '/markets/dam/data/interim-mcp',
  fields: ['marketTradePrice', 'price'],
}
export const PTF_FINAL: Series = {
  market: 'ptf',
  status: 'final',
  path: '/markets/dam/data/mcp',
  fields: ['price', 'mcp'],
}
export const SMF_FINAL: Series = {
  market: 'smf',
  status: 'final',
  path: '/markets/bpm/data/system-marginal-price',
  fields: ['systemMarginalPrice', 'price'],
}
