/** Bytes of the chunks in which a part of a workbook is unpacked and parsed; bounds the memory of reading. */
export const TABLE_UNPACKED_PIECE_BYTES = 128 * 1024
