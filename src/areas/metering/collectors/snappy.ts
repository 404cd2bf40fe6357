/**
 * Decompresses the block format of Snappy (google/snappy, format_description.txt): the length as a varint, then
 * literals and copies of earlier output. The length is checked before memory is reserved.
 */
export class SnappyFault extends Error {}
/** The content is larger than permitted. */
export class SnappyTooLarge extends Error {}

const LITERAL = 0
/** The number of further bytes of the offset of a copy, by the type of the tag. */
const OFFSET_BYTES = [0, 1, 2, 4] as const

export function unsnappy(input: Buffer, bytesMax: number): Buffer {
  const { value: length, next } = readLength(input)
  if (length > bytesMax) throw new SnappyTooLarge('the content is too large')
  const output = Buffer.alloc(length)
  let from = next
  let to = 0
  while (from < input.length) {
    const tag = input[from] as number
    from += 1
    const kind = (tag & 3) as 0 | 1 | 2 | 3
    if (kind === LITERAL) {
      const extra = Math.max(0, (tag >> 2) - 59)
      const size = (extra === 0 ? tag >> 2 : readInteger(input, from, extra)) + 1
      from += extra
      if (from + size > input.length || to + size > length)
        throw new SnappyFault('a literal exceeds the block')
      input.copy(output, to, from, from + size)
      from += size
      to += size
    } else {
      const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
      const bytes = OFFSET_BYTES[kind]
      const offset = readInteger(input, from, bytes) + (kind === 1 ? (tag >> 5) << 8 : 0)
      from += bytes
      if (offset === 0 || offset > to || to + size > length) throw new SnappyFault('a copy exceeds the block')
      // Source and target may overlap, which repeats the last bytes.
      for (let index = 0; index < size; index++) output[to + index] = output[to + index - offset] as number
      to += size
    }
  }
  if (to !== length) throw new SnappyFault('the block is shorter than its length says')
  return output
}

function readInteger(input: Buffer, from: number, bytes: number): number {
  if (from + bytes > input.length) throw new SnappyFault('the block ends within a tag')
  return bytes === 0 ? 0 : input.readUIntLE(from, bytes)
}

function readLength(input: Buffer): { value: number; next: number } {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = input[index]
    if (byte === undefined) break
    value += (byte & 127) * 2 ** (7 * index)
    if (byte < 128) return { value, next: index + 1 }
  }
  throw new SnappyFault('the block has no length')
}
