import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnIndexAt, pixelColumns, type StackedColumn } from './stacked-columns.ts'

const column = (from: number, values: Partial<StackedColumn> = {}): StackedColumn => ({
  ...{ from, to: from + 10, state: 'known', layers: [1, 2], lines: [3, null], marks: [] },
  ...values,
})

describe('columns of pixels', () => {
  it('are the columns while each has a pixel of its own', () => {
    const pixels = pixelColumns([column(0), column(10, { layers: [0, null], marks: [1] })], (at) => at)
    expect(pixels.map(({ left, width, isJoined }) => [left, width, isJoined])).toEqual([
      [0, 10, false],
      [10, 10, false],
    ])
    expect(pixels.map(({ tops }) => tops)).toEqual([
      [1, 3],
      [0, 0],
    ])
    expect([...(pixels[1]?.marks ?? [])]).toEqual([1])
  })

  it('keep the highest value of each layer and line, every mark, and that an hour is unknown', () => {
    const columns = [
      column(0, { layers: [5, 1], lines: [6, 2], marks: [0] }),
      column(10, { state: 'unknown', layers: [null, null], lines: [null, 4], marks: [2] }),
      column(20, { layers: [2, 7], lines: [9, null] }),
    ]
    const [pixel, ...others] = pixelColumns(columns, (at) => Math.floor(at / 100))
    expect(others).toEqual([])
    expect(pixel).toMatchObject({
      isJoined: true,
      hasUnknown: true,
      hasKnown: true,
      tops: [5, 9],
      lines: [9, 4],
    })
    expect([...(pixel?.marks ?? [])]).toEqual([0, 2])
  })

  it('are no more than the pixels, and as high as the columns', () => {
    const layers = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(
        fc.array(layers, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 300 }),
        (all, width) => {
          const columns = all.map((each, index) => column(index * 10, { layers: each }))
          const scale = width / (columns.length * 10)
          const pixels = pixelColumns(columns, (at) => Math.round(at * scale))
          expect(pixels.length).toBeLessThanOrEqual(Math.min(columns.length, width + 1))
          const heights = all.map((each) => each.reduce((sum, layer) => sum + layer, 0))
          expect(Math.max(...pixels.map(({ tops }) => tops.at(-1) ?? 0))).toBe(Math.max(...heights))
        },
      ),
    )
  })
})

it('the column at an instant contains it', () => {
  const columns = [column(0), column(10), column(20)]
  expect([-1, 0, 9, 10, 29, 30].map((at) => columnIndexAt(columns, at))).toEqual([
    ...[undefined, 0, 0, 1, 2, undefined],
  ])
  expect(columnIndexAt([], 0)).toBeUndefined()
})
