// Of reading uploaded tables, whatever they are for.

/** Text up to this size is read in the thread of the requests: some milliseconds. */
export const TABLE_READ_HERE_BYTES_MAX = 32 * 1024
/** The most files that wait for the reading thread or are read by it; each is in memory. */
export const TABLE_FILES_WAITING_MAX = 16
/** A file that takes longer is refused. */
export const TABLE_READING_MAX_MS = 60_000
/** Heap of the reading thread. A workbook of the largest size that is let in needs less than half of it. */
export const TABLE_READING_HEAP_MB = 1_024
/** The thread ends when no file has come for so long. */
export const TABLE_THREAD_IDLE_MS = 60_000
/** Rows that come out of the thread at once. */
export const TABLE_PORTION_ROWS = 1_000
/**
 * A tag, a text or a comment of a workbook's XML that is longer is no cell: Excel ends at 32,767 characters.
 */
export const TABLE_XML_TOKEN_BYTES_MAX = 1024 * 1024
/** How deep XML may be nested; a sheet needs seven. */
export const TABLE_XML_DEPTH_MAX = 100
