import { at, floatAt } from '../../kernel/checked.ts'
import { type ByteReader, type ByteWriter, ChunkError } from './bytes.ts'
import { readIntegers, writeIntegers } from './integers.ts'

/** Texts: the distinct ones in the order in which they occur, then the index of each. They have no lone surrogates. */
export function writeTexts(writer: ByteWriter, texts: readonly string[]): void {
  const indexes = new Map<string, number>()
  const indexOf = Float64Array.from(texts, (text) => {
    const known = indexes.get(text)
    if (known !== undefined) return known
    indexes.set(text, indexes.size)
    return indexes.size - 1
  })
  writer.unsigned(indexes.size)
  for (const text of indexes.keys()) {
    const bytes = Buffer.from(text)
    writer.unsigned(bytes.length)
    writer.raw(bytes)
  }
  writeIntegers(writer, indexOf)
}

const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

/** Reads the first `wanted` of `count` texts. */
export function readTexts(reader: ByteReader, count: number, wanted = count): string[] {
  const distinct = Array.from({ length: reader.count(count) }, () =>
    utf8.decode(reader.raw(reader.count(reader.remaining))),
  )
  const indexes = readIntegers(reader, count, wanted)
  if (indexes instanceof BigInt64Array) throw new ChunkError('the chunk has an index that is too large')
  return Array.from({ length: wanted }, (_, row) => {
    const index = floatAt(indexes, row)
    if (index < 0 || index >= distinct.length) throw new ChunkError(`the chunk has no text ${index}`)
    return at(distinct, index)
  })
}
