/** Rows of a table in a PDF that are drawn before the event loop serves other requests. */
export const PDF_ROWS_AT_ONCE = 5

/** Pages of a PDF that are read; a longer one is refused. */
export const PDF_READ_PAGES_MAX = 100
/** Pieces of text of a PDF that are read; a document with more is refused. */
export const PDF_READ_PIECES_MAX = 200_000
/** Milliseconds of reading one PDF; beyond it the file is refused. */
export const PDF_READING_MAX_MS = 30_000
/** Megabytes of heap of the thread that reads a PDF; a file that needs more is refused. */
export const PDF_READING_HEAP_MB = 256
/** PDFs that wait while another one is read; each is in memory. Beyond it 503. */
export const PDF_FILES_WAITING_MAX = 8
