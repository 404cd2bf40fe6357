/** Samples in a compressed chunk; a device that sends more in a day keeps that day as rows. */
export const CHUNK_SAMPLES_MAX = 200_000
/** Size of a compressed chunk before deflate, bytes: all columns of CHUNK_SAMPLES_MAX samples, none compressible. */
export const CHUNK_BYTES_MAX = 128 * 1024 * 1024
