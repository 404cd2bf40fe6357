import { describe, expect, it } from 'vitest'
import { SnappyFault, SnappyTooLarge, unsnappy } from './snappy.ts'

const decompress = (bytes: readonly number[], bytesMax = 1_000) => unsnappy(Buffer.from(bytes), bytesMax)
const A = 'a'.charCodeAt(0)
const B = 'b'.charCodeAt(0)

describe('Snappy', () => {
  it('reads literals and copies with offsets of 1, 2 and 4 bytes', () => {
    // The literal "ab", then copies of 4 bytes from 2 bytes before.
    expect(decompress([6, 1 << 2, A, B, 1, 2]).toString()).toBe('ababab')
    expect(decompress([6, 1 << 2, A, B, (3 << 2) | 2, 2, 0]).toString()).toBe('ababab')
    expect(decompress([6, 1 << 2, A, B, (3 << 2) | 3, 2, 0, 0, 0]).toString()).toBe('ababab')
  })

  it('reads literals whose length has bytes of its own', () => {
    const text = Array.from({ length: 300 }, () => A)
    expect(decompress([172, 2, 61 << 2, 43, 1, ...text])).toHaveLength(300)
  })

  it.each([
    ['no length', []],
    ['a length without an end', [255, 255, 255, 255, 255, 1]],
    ['a literal beyond the input', [4, 3 << 2, A]],
    ['a literal beyond the output', [1, 1 << 2, A, B]],
    ['a copy from before the beginning', [6, 1 << 2, A, B, 1, 3]],
    ['a copy with offset 0', [6, 1 << 2, A, B, 1, 0]],
    ['a copy beyond the output', [5, 1 << 2, A, B, 1, 2]],
    ['a tag without its bytes', [6, 1 << 2, A, B, 2, 1]],
    ['less than its length', [9, 1 << 2, A, B]],
  ])('refuses a block with %s', (_name, bytes) => {
    expect(() => decompress(bytes)).toThrow(SnappyFault)
  })

  it('refuses a block that announces too many bytes', () => {
    expect(() => decompress([255, 255, 255, 255, 15])).toThrow(SnappyTooLarge)
  })
})
