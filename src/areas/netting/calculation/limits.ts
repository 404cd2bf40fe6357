/** Facilities whose facts are read by one statement; bounds its time and the memory of its rows. */
export const FACILITIES_PER_READ = 50
/** Members, roles of meters and accounts that are copied into a thread at once; bounds the time that it takes. */
export const INPUT_ROWS_AT_ONCE = 1_000
/**
 * Facility hours from which a calculation runs in a thread: more than a month of two facilities. Fewer, as in the runs
 * of the hourly schedule, take some milliseconds of the event loop.
 */
export const CALCULATION_THREAD_HOURS_MIN = 1_500
/**
 * Facility hours up to which the rows of a result are kept until they are inserted, about 60 MB, and the thread is kept
 * for further calculations. A larger one has a thread of its own, which ends with it.
 */
export const KEPT_FACILITY_HOURS_MAX = 100_000
/** Calculations of either kind in threads at once, in one process. Further ones wait. */
export const CALCULATION_THREADS_MAX = 2
/** Calculations of either kind that wait for a thread. A further one is refused with 503. */
export const CALCULATION_THREADS_WAITING_MAX = 20
/** Time, milliseconds, after which an idle thread ends. */
export const CALCULATION_THREAD_IDLE_MS = 30_000
/**
 * Memory of the thread of a calculation, in MiB. A group that needs more fails with an error that says so. The chosen
 * values are outside of it: 7.5 kB for a facility and month.
 */
export const CALCULATION_THREAD_HEAP_MB = 1_024
/** Time, milliseconds, of one step of a thread, after which the calculation fails. */
export const CALCULATION_STEP_MAX_MS = 10 * 60_000
/**
 * Time, milliseconds, for which the transaction of a large calculation may wait for a thread and for one of its steps.
 * PostgreSQL ends it after that.
 */
export const CALCULATION_IDLE_MAX_MS = 60 * 60_000
