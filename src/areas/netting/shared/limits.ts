/** Time between two checks of whether a record in computation was cancelled, milliseconds. */
export const COMPUTATION_CANCEL_CHECK_MS = 2_000
