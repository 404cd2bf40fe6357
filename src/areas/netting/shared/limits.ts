/** Time between two checks of whether a record in computation was cancelled, milliseconds. */
export const COMPUTATION_CANCEL_CHECK_MS = 2_000
/**
 * Memory for young objects of a thread that computes scenarios, sizings or optimisations, in MiB. With V8's 48, copying
 * objects that die a little later takes a third of the time.
 */
export const WORK_THREAD_YOUNG_GENERATION_MB = 192
