import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { makeAssignment, makeFacts, makeMember } from '../../../test/support/netting/netting-input.ts'
import { type Kwh, smaller, total, wh } from '../../kernel/decimal.ts'
import { HOUR_MS, periodStart } from '../../kernel/time.ts'
import { alloc } from './alloc.ts'
import { allocateMatched } from './allocation.ts'
import { computePeriod } from './period.ts'
import type { PeriodInput } from './types.ts'

const FROM = periodStart('2026-06-01')
const PRODUCERS = ['p1', 'p2']
const CONSUMERS = ['c1', 'c2', 'c3']

/** Each hour has a value for each facility, producers first. */
const inputOf = (hours: readonly (readonly bigint[])[], own: Partial<PeriodInput> = {}): PeriodInput => ({
  groupId: 'g',
  groupName: 'group',
  billingPeriod: '2026-06-01',
  window: { from: FROM, to: FROM + hours.length * HOUR_MS },
  eligibilityStatus: 'valid',
  members: [
    ...PRODUCERS.map((id) => makeMember(id, { role: 'production' })),
    ...CONSUMERS.map((id) => makeMember(id)),
  ],
  assignments: [
    ...PRODUCERS.map((id) => makeAssignment(id, 'main_production')),
    ...CONSUMERS.map((id) => makeAssignment(id, 'main_consumption')),
  ],
  facts: hours.flatMap((values, hour) =>
    [...PRODUCERS, ...CONSUMERS].flatMap((id, index) =>
      makeFacts(id, FROM + hour * HOUR_MS, {
        [index < PRODUCERS.length ? 'production' : 'consumption']: wh(values[index] ?? 0n),
      }),
    ),
  ),
  accounts: [],
  prices: [],
  stepStates: [],
  ...own,
})

const sumOf = (
  rows: ReturnType<typeof allocateMatched>,
  name: 'producerId' | 'consumerId',
  id: string,
): Kwh => total(rows.filter((row) => row[name] === id).map((row) => row.matchedKwh))

describe('the allocation of matched energy', () => {
  it('shares the energy of each producer in proportion to the matched energy of the consumers', () => {
    const rows = allocateMatched(inputOf([[30_000n, 10_000n, 20_000n, 60_000n, 0n]]))
    const cell = (producer: string, consumer: string) =>
      rows.find((row) => row.producerId === producer && row.consumerId === consumer)?.matchedKwh
    expect([cell('p1', 'c1'), cell('p1', 'c2'), cell('p1', 'c3')]).toEqual([7_500n, 22_500n, undefined])
    expect([cell('p2', 'c1'), cell('p2', 'c2')]).toEqual([2_500n, 7_500n])
  })

  it('of a blocked group is empty', () => {
    const blocked = inputOf([[30n, 10n, 20n, 60n, 0n]], { eligibilityStatus: 'blocked' })
    expect(allocateMatched(blocked)).toEqual([])
  })

  it('of a residential group is that of the month', () => {
    const hours = [
      [4_000n, 0n, 0n, 0n, 0n],
      [0n, 0n, 1_000n, 3_000n, 0n],
    ]
    const homes = inputOf(hours)
    const members = homes.members.map((member) => ({ ...member, aboneGrubu: 'mesken' as const }))
    const rows = allocateMatched({ ...homes, members })
    expect(rows.map((row) => [row.producerId, row.consumerId, row.matchedKwh])).toEqual([
      ['p1', 'c1', 1_000n],
      ['p1', 'c2', 3_000n],
    ])
    expect(allocateMatched(homes)).toEqual([])
  })
})

test('rows and columns sum exactly to the matched energy of producers, consumers and the group', () => {
  const value = fc.bigInt({ min: 0n, max: 1_000_000n })
  const hours = fc.array(fc.array(value, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(hours, (values) => {
      const input = inputOf(values)
      const rows = allocateMatched(input)
      expect(rows.every((row) => row.matchedKwh > 0n)).toBe(true)
      expect(total(rows.map((row) => row.matchedKwh))).toBe(computePeriod(input).summary.matchedKwh)
      const shares = values.map((hour) => {
        const [produced, consumed] = [hour.slice(0, 2).map(wh), hour.slice(2).map(wh)]
        const matched = smaller(total(produced), total(consumed))
        return { produced: alloc(matched, produced), consumed: alloc(matched, consumed) }
      })
      for (const [index, id] of PRODUCERS.entries())
        expect(sumOf(rows, 'producerId', id)).toBe(
          total(shares.map((share) => share.produced[index] ?? wh(0n))),
        )
      for (const [index, id] of CONSUMERS.entries())
        expect(sumOf(rows, 'consumerId', id)).toBe(
          total(shares.map((share) => share.consumed[index] ?? wh(0n))),
        )
    }),
    { numRuns: 200 },
  )
})
