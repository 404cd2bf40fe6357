/** Groups of one optimisation. More are refused with 422. */
export const OPTIMISATION_GROUPS_MAX = 10
/** Months times groups of one optimisation. More are refused with 422. */
export const OPTIMISATION_GROUP_MONTHS_MAX = 24
/** Batteries of one optimisation. A longer list is refused with 400. */
export const OPTIMISATION_BATTERIES_MAX = 5
/** Facilities that may move in one optimisation. A longer list is refused with 400. */
export const OPTIMISATION_FACILITIES_MAX = 100
/** Values of pairs in one optimisation. A longer list is refused with 400. */
export const OPTIMISATION_PAIRS_MAX = 500
/** Characters of the name of an optimisation. */
export const OPTIMISATION_NAME_MAX_LENGTH = 200
/** Optimisations of a tenant that are not finished; the next one is refused with 409. */
export const OPTIMISATIONS_OPEN_MAX = 5
/** Optimisations kept for a tenant; the next one is refused with 409 until one is deleted. */
export const OPTIMISATIONS_KEPT_MAX = 200
/** Heap of the thread that computes an optimisation, in MiB. */
export const OPTIMISATION_THREAD_HEAP_MB = 1_024
/** Memory of the solver in the thread, in MiB. */
export const OPTIMISATION_SOLVER_MEMORY_MB = 512
/** Time, milliseconds, after which the solver ends with what it has found. */
export const OPTIMISATION_SOLVER_TIME_MS = 60_000
/** Time, milliseconds, after which the computation of an optimisation is ended as failed. */
export const OPTIMISATION_TIMEOUT_MS = 5 * 60_000
