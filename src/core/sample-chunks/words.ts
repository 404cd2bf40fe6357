import { byteAt } from '../../kernel/checked.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'

const WORD_BYTES = 8

/**
 * Writes words of 64 bits unchanged: first the lowest byte of all words, then the next one. Each byte is combined with
 * that of the previous word by XOR, so that equal bytes become zeros, which deflate makes small.
 */
export function writeWords(writer: ByteWriter, words: Float64Array | BigInt64Array): void {
  const bytes = littleEndian(words)
  const plane = new Uint8Array(words.length)
  for (let byte = 0; byte < WORD_BYTES; byte++) {
    let previous = 0
    for (let index = 0; index < words.length; index++) {
      const current = byteAt(bytes, index * WORD_BYTES + byte)
      plane[index] = current ^ previous
      previous = current
    }
    writer.raw(plane)
  }
}

function readWords(reader: ByteReader, count: number): DataView {
  const bytes = new Uint8Array(count * WORD_BYTES)
  for (let byte = 0; byte < WORD_BYTES; byte++) {
    const plane = reader.raw(count)
    let current = 0
    for (let index = 0; index < count; index++) {
      current ^= byteAt(plane, index)
      bytes[index * WORD_BYTES + byte] = current
    }
  }
  return new DataView(bytes.buffer)
}

/** Copies words in the byte order of the format, whatever that of the machine is. */
function littleEndian(words: Float64Array | BigInt64Array): Uint8Array {
  const bytes = new Uint8Array(words.length * WORD_BYTES)
  const view = new DataView(bytes.buffer)
  if (words instanceof Float64Array)
    for (const [index, word] of words.entries()) view.setFloat64(index * WORD_BYTES, word, true)
  else for (const [index, word] of words.entries()) view.setBigInt64(index * WORD_BYTES, word, true)
  return bytes
}

export function readFloatWords(reader: ByteReader, count: number): Float64Array {
  const view = readWords(reader, count)
  return Float64Array.from({ length: count }, (_, index) => view.getFloat64(index * WORD_BYTES, true))
}

export function readIntegerWords(reader: ByteReader, count: number): BigInt64Array {
  const view = readWords(reader, count)
  return BigInt64Array.from({ length: count }, (_, index) => view.getBigInt64(index * WORD_BYTES, true))
}
