/** A part of a workbook is unpacked, and becomes rows, in pieces of this size. */
export const TABLE_UNPACKED_PIECE_BYTES = 128 * 1024
