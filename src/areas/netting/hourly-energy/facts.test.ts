import { describe, expect, it } from 'vitest'
import { type Kwh, wh } from '../../../kernel/decimal.ts'
import { compareFacts, type Fact, missingFact } from './facts.ts'

const HOUR = Date.parse('2026-05-01T12:00:00+03:00')
const measured = (value: bigint, own: Partial<Fact> = {}): Fact => ({
  ...missingFact('main_consumption', HOUR),
  source: 'zeus_meter',
  kwh: { consumption_kwh: wh(value) as Kwh },
  quality: 'complete',
  completenessPct: 100,
  ...own,
})
const MISSING = missingFact('main_consumption', HOUR)

describe('the writes of built facts', () => {
  it('are none for an equal fact, also where the stored one was corrected', () => {
    expect(compareFacts([measured(5n)], [measured(5n)])).toEqual({ upserts: [], removals: [] })
    expect(compareFacts([measured(5n)], [measured(5n, { quality: 'corrected' })]).upserts).toEqual([])
  })

  it('are corrections where another value, quality or completeness was stored', () => {
    const corrected = measured(5n, { quality: 'corrected' })
    const stored = [measured(4n), measured(5n, { quality: 'suspect' }), measured(5n, { completenessPct: 99 })]
    for (const before of stored) expect(compareFacts([measured(5n)], [before]).upserts).toEqual([corrected])
    expect(compareFacts([measured(5n)], [MISSING])).toEqual({ upserts: [corrected], removals: [MISSING] })
  })

  it('are no corrections for a new fact, and for an hour whose value disappeared', () => {
    expect(compareFacts([measured(5n)], []).upserts).toEqual([measured(5n)])
    expect(compareFacts([MISSING], [measured(5n)])).toEqual({ upserts: [MISSING], removals: [measured(5n)] })
  })
})
