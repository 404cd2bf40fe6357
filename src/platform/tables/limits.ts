// Reading uploaded tables.

/** Bytes of text that is parsed in the main thread, which takes some milliseconds. */
export const TABLE_READ_HERE_BYTES_MAX = 32 * 1024
/** Files that wait for or are read by the reading thread; each is in memory. Beyond it 503. */
export const TABLE_FILES_WAITING_MAX = 16
/** Milliseconds of reading one file; beyond it the file is refused. */
export const TABLE_READING_MAX_MS = 60_000
/** Megabytes of heap of the reading thread. The largest permitted workbook needs less than half of it. */
export const TABLE_READING_HEAP_MB = 1_024
/** Milliseconds without a file after which the thread ends. */
export const TABLE_THREAD_IDLE_MS = 60_000
/** Rows per message from the thread. */
export const TABLE_PORTION_ROWS = 1_000
/**
 * Bytes of a tag, text or comment in a workbook's XML; a longer one is refused. Excel allows 32,767
 * characters per cell.
 */
export const TABLE_XML_TOKEN_BYTES_MAX = 1024 * 1024
/** Nesting depth of XML; a sheet needs seven. */
export const TABLE_XML_DEPTH_MAX = 100
