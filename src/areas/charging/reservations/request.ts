/** What `reserve` is asked to do. */
export interface Reserve {
  readonly reservation_number: number
  /** 0: whichever connector is free. */
  readonly connector_id: number
  readonly id_tag: string
  readonly parent_tag: string | null
  readonly expires_at: string
}

/** What `cancel_reservation` is asked to do. */
export interface CancelReservation {
  readonly reservation_number: number
}
