/** Bytes of the chunks in which a part of a workbook is unpacked and parsed; bounds the memory of reading. */
export const TABLE_UNPACKED_PIECE_BYTES = 128 * 1024
/** Seconds after which a client may repeat an upload that a read-only folder has refused (`Retry-After`). */
export const STORAGE_LOCKED_RETRY_AFTER_S = 60
