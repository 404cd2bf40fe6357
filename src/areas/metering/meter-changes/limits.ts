/** Recorded changes of one device or OSOS installation that are in force. A further one is refused with 422. */
export const METER_CHANGES_MAX = 200
