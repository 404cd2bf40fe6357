import { describe, expect, it } from 'vitest'
import { needOf } from './need.ts'

const SINCE = Date.parse('2026-11-20T09:00:00Z')
const need = (drawnW: number | null, afterS: number, shareW = 11_000) =>
  needOf({ drawnW, drawnAt: SINCE + afterS * 1000, shareW, sharedSince: SINCE })
const ALL = Number.MAX_SAFE_INTEGER

describe('what a car needs', () => {
  it('is not known while it takes nearly all it may, while nothing is measured, and at first', () => {
    expect(need(10_000, 120)).toBe(ALL)
    expect(need(null, 120)).toBe(ALL)
    expect(need(2_000, 30)).toBe(ALL)
  })

  it('is what it draws and something on top, in steps', () => {
    expect(need(2_000, 120)).toBe(3_000)
    expect(need(2_100, 120)).toBe(3_000)
    expect(need(0, 120)).toBe(500)
    expect(need(-40, 120)).toBe(500)
  })

  it('does not follow its own share down: a share made of it is not nearly used', () => {
    expect(need(2_000, 300, 3_000)).toBe(3_000)
  })
})
