import { describe, expect, it } from 'vitest'
import { endFlags, isSameGroup, startFlags } from './flags.ts'

const now = new Date('2026-11-20T10:00:00Z')

describe('flags of a session', () => {
  it.each([
    ['accepted', '2026-11-20T10:00:00Z', []],
    ['invalid', '2026-11-20T10:00:00Z', ['unknown_tag']],
    ['blocked', '2026-11-20T10:00:00Z', ['not_authorized']],
    ['concurrent', '2026-11-20T10:00:00Z', ['not_authorized']],
    ['accepted', '2026-11-20T07:00:00Z', ['offline']],
    ['accepted', '2026-11-20T10:06:00Z', ['clock_wrong']],
    ['expired', '1970-01-01T00:00:10Z', ['not_authorized', 'clock_wrong']],
  ])('for a start by a tag that is %s, at %s', (status, startedAt, flags) => {
    expect(startFlags({ status, startedAt: new Date(startedAt), now })).toEqual(flags)
  })

  it('combine those of start and end, and drop the flag of a lost end', () => {
    const end = { startedAt: now, startWh: 100, endedAt: now, stopWh: 200, isOfGroup: undefined }
    expect(endFlags(['unknown_tag', 'end_not_told'], end)).toEqual(['unknown_tag'])
    expect(endFlags([], { ...end, stopWh: 99, isOfGroup: false, endedAt: new Date(0) })).toEqual([
      'meter_went_back',
      'ended_before_start',
      'ended_by_other',
    ])
  })
})

describe('group of tags', () => {
  const tagged = (tag: string, parentTag: string | null = null) => ({ tag, parentTag })

  it('contains the same tag in any case, tags of one parent, and the parent itself', () => {
    expect(isSameGroup(tagged('AB'), tagged('ab'))).toBe(true)
    expect(isSameGroup(tagged('A', 'P'), tagged('B', 'p'))).toBe(true)
    expect(isSameGroup(tagged('A', 'P'), tagged('P'))).toBe(true)
    expect(isSameGroup(tagged('P'), tagged('A', 'P'))).toBe(true)
    expect(isSameGroup(tagged('A'), tagged('B'))).toBe(false)
    expect(isSameGroup(tagged('A', 'P'), tagged('B', 'Q'))).toBe(false)
    expect(isSameGroup({ tag: null, parentTag: null }, { tag: null, parentTag: null })).toBe(false)
  })
})
