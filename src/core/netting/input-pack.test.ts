import { expect, it } from 'vitest'
import { makeFact, makeMember } from '../../../test/support/netting/netting-input.ts'
import { type TryPerKwh, wh } from '../../kernel/decimal.ts'
import { HOUR_MS, periodStart } from '../../kernel/time.ts'
import { packInput, unpackInput } from './input-pack.ts'
import type { PeriodInput } from './types.ts'

const start = periodStart('2026-11-01')
const at = (hour: number): number => start + hour * HOUR_MS

const INPUT: PeriodInput = {
  groupId: 'g',
  groupName: 'Çiftlik, "Süt"\n1',
  billingPeriod: '2026-11-01',
  window: { from: start, to: at(48) },
  eligibilityStatus: 'valid',
  members: [makeMember('a', { facilityName: 'Ağıl', role: 'mixed' }), makeMember('b')],
  assignments: [{ facilityId: 'a', role: 'main_production', from: 0, to: null }],
  facts: [
    makeFact('a', at(5), { role: 'main_production', productionKwh: wh(12_345_678_901_234_567n) }),
    makeFact('a', at(0), { role: 'main_production', productionKwh: wh(0n), dataQuality: 'partial' }),
    makeFact('a', at(1), { role: 'main_production', productionKwh: null, completenessPct: 33.33 }),
    makeFact('a', at(1), { role: 'battery', batteryKwh: wh(-1n), selfConsumptionKwh: wh(7n) }),
    makeFact('a', at(1), { role: 'battery', batteryKwh: wh(5n), source: 'gts_report' }),
    makeFact('b', at(47), { role: 'pcc_import_export', importKwh: wh(1n), exportKwh: wh(2n) }),
  ],
  accounts: [{ accountId: 'x', facilityId: 'b', year: 2026, openingBalanceKwh: wh(-5n) }],
  takenElsewhere: [{ accountId: 'x', hour: at(24), takenKwh: wh(3n) }],
  prices: [
    {
      id: 'p',
      setId: 's',
      billingPeriod: '2026-11-01',
      setStatus: 'approved',
      approvedAt: 1,
      validFrom: '2026-11-01',
      validTo: null,
      aboneGrubu: 'sanayi',
      purpose: 'distribution',
      timeSegment: null,
      stepNo: 1,
      tariffClass: null,
      tariffCode: 'k',
      priceTryPerKwh: 1_234_567n as TryPerKwh,
    },
  ],
  stepStates: [{ facilityId: 'b', consumptionKwh: wh(9n), hasMissingHour: true }],
}

const sorted = (input: PeriodInput) => ({
  ...input,
  facts: [...input.facts].sort(
    (a, b) => a.hour - b.hour || (`${a.role}${a.source}` < `${b.role}${b.source}` ? -1 : 1),
  ),
})

it('a packed input keeps all content, with facts in any order and without any', () => {
  expect(sorted(unpackInput(packInput(INPUT)))).toEqual(sorted(INPUT))
  const { takenElsewhere: _taken, ...rest } = INPUT
  const empty = { ...rest, facts: [], accounts: [], prices: [], stepStates: [] }
  expect(unpackInput(packInput(empty))).toEqual(empty)
})

it('a packed input of a later format is rejected', () => {
  expect(() => unpackInput('{"format":2}')).toThrow('format 2')
})
