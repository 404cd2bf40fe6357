import { describe, expect, it } from 'vitest'
import { at } from './checked.ts'

describe('at', () => {
  it('returns the element at an index', () => {
    expect(at(['a', 'b'], 1)).toBe('b')
    expect(at(Float64Array.of(0, 2.5), 0)).toBe(0)
  })

  it('throws beyond either end instead of returning undefined', () => {
    expect(() => at([1, 2], 2)).toThrow('no element at index 2 of 2')
    expect(() => at([1, 2], -1)).toThrow('no element at index -1 of 2')
    expect(() => at([], 0)).toThrow()
  })
})
