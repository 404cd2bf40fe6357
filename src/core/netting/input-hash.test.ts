import { describe, expect, test } from 'vitest'
import { inputOf, prices, START } from '../../../test/support/netting/netting-groups.ts'
import { makeMember, makePrices } from '../../../test/support/netting/netting-input.ts'
import { wh } from '../../kernel/decimal.ts'
import { HOUR_MS } from '../../kernel/time.ts'
import { computePeriod } from './period.ts'
import { needsStepState } from './steps.ts'
import type { FactInput, PeriodInput } from './types.ts'

describe('input hash', () => {
  const base = (): PeriodInput => {
    const own = { validFrom: '2020-01-01', validTo: null, meters: 0, opening: wh(50_000n) }
    const value = {
      production: wh(9_000n),
      consumption: wh(5_000n),
      import: null,
      export: null,
      battery: null,
    }
    const shared = {
      ...makeMember('x'),
      ...own,
      aboneGrubu: 'ticarethane' as const,
      values: [value],
      isMultiTime: false,
    }
    const facilities = [
      { ...shared, role: 'production' as const },
      { ...shared, role: 'consumption' as const },
    ].map(({ facilityId: _id, ...rest }) => rest)
    return inputOf(facilities, { from: START + 24 * HOUR_MS, to: START + 26 * HOUR_MS })
  }
  const hashOf = (change: Partial<PeriodInput> = {}) => computePeriod({ ...base(), ...change }).inputHash
  const first = <T>(list: readonly T[], change: Partial<T>): T[] =>
    list.map((item, index) => (index === 0 ? { ...item, ...change } : item))
  const inWindow = (change: Partial<FactInput>) =>
    base().facts.map((fact) => (fact.hour === START + 24 * HOUR_MS ? { ...fact, ...change } : fact))

  test('is the same for the same input, another name, and unused facts and prices', () => {
    const hash = hashOf()
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf({ groupName: 'another' })).toBe(hash)
    expect(hashOf({ members: base().members.map((m) => ({ ...m, facilityName: 'Fabrika' })) })).toBe(hash)
    const weaker = base().facts.map((fact) => ({ ...fact, source: 'customer_declared' as const }))
    expect(hashOf({ facts: [...base().facts, ...weaker] })).toBe(hash)
    expect(hashOf({ facts: inWindow({ completenessPct: 99 }) })).toBe(hash)
    const unused = makePrices([{ abone: 'aydinlatma', purpose: 'distribution', price: '9' }])
    expect(hashOf({ prices: [...base().prices, ...unused] })).toBe(hash)
  })

  test('changes with everything that can change a row', () => {
    const { members, accounts, facts } = base()
    const changes: Partial<PeriodInput>[] = [
      { groupId: 'another' },
      { eligibilityStatus: 'valid' },
      { window: { from: START + 24 * HOUR_MS, to: START + 25 * HOUR_MS } },
      { members: first(members, { hasStorage: true }) },
      { members: first(members, { gridOperatorId: 'op9' }) },
      { accounts: accounts.map((account) => ({ ...account, openingBalanceKwh: wh(49_999n) })) },
      { takenElsewhere: accounts.map(({ accountId }) => ({ accountId, hour: START, takenKwh: wh(1n) })) },
      { facts: inWindow({ productionKwh: wh(9_001n) }) },
      { facts: inWindow({ dataQuality: 'corrected' }) },
      { facts: facts.slice(0, -300) },
      { facts: [...facts, ...facts.map((fact) => ({ ...fact, source: 'osos_official_meter' as const }))] },
      { prices: prices.map((row) => ({ ...row, id: `new ${row.id}` })) },
      { prices: [] },
      { stepStates: first(base().stepStates, { consumptionKwh: wh(1n) }) },
      { assignments: base().assignments.slice(1) },
    ]
    const hashes = [hashOf(), ...changes.map((change) => hashOf(change))]
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(members.some(needsStepState)).toBe(true)
  })
})
