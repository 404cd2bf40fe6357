// Of reading uploaded tables, whatever they are for.

/** Text up to this size is read in the thread of the requests: some milliseconds. */
export const TABLE_READ_HERE_BYTES_MAX = 32 * 1024
/** So many files wait for the thread that reads them, or are read by it; each is in memory. */
export const TABLE_FILES_WAITING_MAX = 16
/** A file that takes longer is refused. */
export const TABLE_READING_MAX_MS = 60_000
/** Heap of the reading thread. A workbook of the largest size that is let in needs less than half of it. */
export const TABLE_READING_HEAP_MB = 1_024
/** The thread ends when no file has come for so long. */
export const TABLE_THREAD_IDLE_MS = 60_000
/** Rows that come out of the thread at once. */
export const TABLE_PORTION_ROWS = 1_000
