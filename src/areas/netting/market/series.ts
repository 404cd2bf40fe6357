/** The markets of the series, as stored: ptf is the day-ahead price, smf the system marginal price. */
export const MARKETS = ['ptf', 'smf'] as const
export type Market = (typeof MARKETS)[number]

/** The maturity of a price. An hour has one row for each. */
export const PRICE_STATUSES = ['tentative', 'final', 'corrected', 'unknown'] as const
export type PriceStatus = (typeof PRICE_STATUSES)[number]
/** The best known price of an hour is that of the first status which it has. */
export const STATUS_PRECEDENCE = [
  'corrected',
  'final',
  'tentative',
  'unknown',
] as const satisfies PriceStatus[]

/** A call of the platform and what its prices are. */
export interface Series {
  readonly market: Market
  readonly status: 'tentative' | 'final'
  /** Below the API's address. */
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
