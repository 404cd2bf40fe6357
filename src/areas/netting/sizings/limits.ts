/** Sizes of one sizing. More are refused with 422. */
export const SIZING_SIZES_MAX = 1_000
/** Sizes times months of groups of one sizing: 1,000 sizes of a year of a group. More are refused with 422. */
export const SIZING_POINT_MONTHS_MAX = 12_000
/** Sizings of a tenant that are not finished; the next one is refused with 409. */
export const SIZINGS_OPEN_MAX = 5
/** Sizings kept for a tenant; the next one is refused with 409 until one is deleted. */
export const SIZINGS_KEPT_MAX = 200
/** Threads that compute one sizing; they have a lower priority than the rest of the service. */
export const SIZING_THREADS = 2
/** Memory of a thread that computes sizes, in MiB. */
export const SIZING_THREAD_HEAP_MB = 1_024
/** Time, milliseconds, after which the computation of one sizing is ended as failed. */
export const SIZING_TIMEOUT_MS = 30 * 60_000
