import { describe, expect, it } from 'vitest'
import { inReadingOrder, layoutOf, moved, packed, resized } from './layout.ts'

const widget = (id: string, position: { x: number; y: number; w: number; h: number } | null) => ({
  id,
  widget_type: 'cost_numeric',
  position,
})

describe('the layout of a dashboard', () => {
  it('puts widgets side by side in their order, also below low ones, and never before an earlier one', () => {
    const cells = packed([
      { id: 'a', w: 6, h: 2 },
      { id: 'b', w: 3, h: 1 },
      { id: 'c', w: 3, h: 1 },
      { id: 'd', w: 6, h: 1 },
      { id: 'e', w: 30, h: 1 },
      { id: 'f', w: 3, h: 1 },
    ])
    expect(cells.map(({ cell: { x, y, w } }) => [x, y, w])).toEqual([
      [0, 0, 6],
      [6, 0, 3],
      [9, 0, 3],
      [6, 1, 6],
      [0, 2, 12],
      [0, 3, 3],
    ])
  })

  it('keeps stored positions, and arranges anew when one is missing, overlaps or is outside', () => {
    const stored = [widget('a', { x: 6, y: 0, w: 6, h: 1 }), widget('b', { x: 0, y: 0, w: 3, h: 1 })]
    expect(layoutOf(stored).map(({ id, cell }) => [id, cell.x])).toEqual([
      ['b', 0],
      ['a', 6],
    ])
    const xOf = (more: ReturnType<typeof widget>) =>
      layoutOf([...stored, more]).map(({ id, cell }) => [id, cell.x, cell.y])
    expect(xOf(widget('c', null))).toEqual([
      ['b', 0, 0],
      ['a', 3, 0],
      ['c', 9, 0],
    ])
    expect(xOf(widget('c', { x: 7, y: 0, w: 1, h: 1 }))[2]).toEqual(['c', 9, 0])
    expect(xOf(widget('c', { x: 11, y: 5, w: 3, h: 1 }))[2]).toEqual(['c', 9, 0])
  })

  it('reads from the top, then from the left', () => {
    const widgets = [
      widget('last', null),
      widget('below', { x: 0, y: 2, w: 1, h: 1 }),
      widget('right', { x: 4, y: 0, w: 1, h: 1 }),
      widget('left', { x: 0, y: 0, w: 1, h: 1 }),
    ]
    expect(inReadingOrder(widgets).map(({ id }) => id)).toEqual(['left', 'right', 'below', 'last'])
  })

  it('changes sizes step by step up to their ends', () => {
    expect(resized({ w: 5, h: 1 }, 'wider')).toEqual({ w: 6, h: 1 })
    expect(resized({ w: 5, h: 1 }, 'narrower')).toEqual({ w: 4, h: 1 })
    expect(resized({ w: 12, h: 1 }, 'wider')).toBeUndefined()
    expect(resized({ w: 3, h: 4 }, 'taller')).toBeUndefined()
    expect(resized({ w: 3, h: 1 }, 'lower')).toBeUndefined()
  })

  it('moves widgets before or after another one', () => {
    const ids = ['a', 'b', 'c', 'd']
    expect(moved(ids, new Set(['a']), { key: 'c', isAfter: true })).toEqual(['b', 'c', 'a', 'd'])
    expect(moved(ids, new Set(['d', 'b']), { key: 'a', isAfter: false })).toEqual(['b', 'd', 'a', 'c'])
    expect(moved(ids, new Set(['a']), { key: 'a', isAfter: true })).toEqual(ids)
  })
})
