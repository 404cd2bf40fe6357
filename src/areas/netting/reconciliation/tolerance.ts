/** Differences up to these values are not reported: energy in Wh, money in millionths of a lira. */
export interface Tolerance {
  readonly kwh: bigint
  readonly lira: bigint
}
