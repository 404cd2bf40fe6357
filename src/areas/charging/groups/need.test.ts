import { describe, expect, it } from 'vitest'
import { needOf } from './need.ts'

const SINCE = Date.parse('2026-11-20T09:00:00Z')
const need = (drawnW: number | null, afterS: number, shareW = 11_000) =>
  needOf({ drawnW, drawnAt: SINCE + afterS * 1000, shareW, sharedSince: SINCE })
const ALL = Number.MAX_SAFE_INTEGER

describe('what a car needs', () => {
  it('is unknown while it draws nearly its share, while nothing is measured, and at first', () => {
    expect(need(10_000, 120)).toBe(ALL)
    expect(need(null, 120)).toBe(ALL)
    expect(need(2_000, 30)).toBe(ALL)
  })

  it('is the draw and a margin, in steps', () => {
    expect(need(2_000, 120)).toBe(3_000)
    expect(need(2_100, 120)).toBe(3_000)
    expect(need(0, 120)).toBe(500)
    expect(need(-40, 120)).toBe(500)
  })

  it('does not shrink with its own share: a share that is made of it is not nearly used', () => {
    expect(need(2_000, 300, 3_000)).toBe(3_000)
  })
})
