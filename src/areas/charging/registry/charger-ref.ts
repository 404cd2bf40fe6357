/** A charger as whoever speaks for a station knows it; the tenant is the transaction's. */
export interface ChargerRef {
  readonly chargerId: string
}
