import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween, type Held, heldAfter, type ListEntry, nextPart } from './entries.ts'

const entry = (id_tag: string, status: ListEntry['status'] = 'accepted'): ListEntry => ({
  id_tag,
  status,
  parent_tag: null,
  expires_at: null,
})

describe('local list of a station', () => {
  it('is updated by the differences, deletions first', () => {
    const held = heldAfter({}, { mode: 'full', entries: [entry('A'), entry('B'), entry('C')] })
    expect(changesBetween(held, [entry('A'), entry('C', 'blocked'), entry('D')])).toEqual([
      { id_tag: 'B', status: null },
      entry('C', 'blocked'),
      entry('D'),
    ])
    expect(
      nextPart(held, [entry('A'), entry('B'), entry('C')], { mode: 'differential', max: 5 }),
    ).toBeUndefined()
  })

  it('is replaced by a full list, also by an empty one', () => {
    const held = heldAfter({}, { mode: 'full', entries: [entry('A')] })
    expect(nextPart(held, [], { mode: 'full', max: 5 })).toEqual({ mode: 'full', entries: [] })
    expect(heldAfter(held, { mode: 'full', entries: [] })).toEqual({})
  })

  it('reaches the wanted entries part by part, from any content and with parts of any size', () => {
    const tags = fc.uniqueArray(
      fc.record({
        id_tag: fc.constantFrom('A1', 'b2', 'C3', 'd4', 'E5', 'f6'),
        status: fc.constantFrom<ListEntry['status']>('accepted', 'blocked'),
        parent_tag: fc.constantFrom(null, 'P'),
        expires_at: fc.constant(null),
      }),
      { selector: ({ id_tag }) => id_tag },
    )
    const mode = fc.constantFrom('full' as const, 'differential' as const)
    fc.assert(
      fc.property(tags, tags, mode, fc.integer({ min: 1, max: 4 }), (before, wanted, first, most) => {
        let held: Held = heldAfter({}, { mode: 'full', entries: before })
        let piece = nextPart(held, wanted, { mode: first, max: most })
        let pieces = 0
        while (piece) {
          expect(piece.entries.length).toBeLessThanOrEqual(most)
          held = heldAfter(held, piece)
          pieces += 1
          expect(pieces).toBeLessThan(20)
          piece = nextPart(held, wanted, { mode: 'differential', max: most })
        }
        expect(held).toEqual(heldAfter({}, { mode: 'full', entries: wanted }))
      }),
    )
  })
})
