/** Bytes of a decompressed column of a group of rows; a file that was not written by this program may say more. */
export const GROUP_BYTES_MAX = 256 * 1024 * 1024
/** Rows that are read at once; the groups of another program may be larger. */
export const READ_ROWS_MAX = 100_000
