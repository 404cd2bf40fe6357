/** Bytes of a decompressed column of a group of rows; a file that was not written by this program may say more. */
export const GROUP_BYTES_MAX = 256 * 1024 * 1024
