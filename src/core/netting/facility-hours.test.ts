import { describe, expect, it } from 'vitest'
import { wh } from '../../kernel/decimal.ts'
import { HOUR_MS } from '../../kernel/time.ts'
import { facilityHours } from './facility-hours.ts'
import type { StoredFact } from './role-sets.ts'
import type { AssignmentInput, MeasurementRole } from './types.ts'

const FROM = Date.parse('2026-11-20T00:00:00+03:00')
const window = { from: FROM, to: FROM + 2 * HOUR_MS }
const assigned = (role: MeasurementRole): AssignmentInput => ({ facilityId: 'f', role, from: FROM, to: null })
const fact = (role: MeasurementRole, values: Partial<StoredFact>): StoredFact => ({
  facilityId: 'f',
  hour: FROM,
  source: 'zeus_meter',
  role,
  productionKwh: null,
  consumptionKwh: null,
  selfConsumptionKwh: null,
  importKwh: null,
  exportKwh: null,
  batteryKwh: null,
  dataQuality: 'complete',
  completenessPct: 100,
  roleSet: null,
  ...values,
})
const hours = (assignments: readonly AssignmentInput[], facts: readonly StoredFact[]) =>
  facilityHours({ facilityIds: ['f', 'unmetered'], assignments, facts, window })

describe('hours of facilities', () => {
  it('follow the formula of the roles, and say where a value is expected', () => {
    const [first, second] =
      hours(
        [assigned('main_production'), assigned('pcc_import_export')],
        [
          fact('main_production', { productionKwh: wh(10_000n) }),
          fact('pcc_import_export', { importKwh: wh(2_000n), exportKwh: wh(6_000n) }),
        ],
      ).get('f') ?? []
    expect(first).toEqual({
      hour: FROM,
      production: { kwh: 10_000n, isExpected: true },
      consumption: { kwh: 6_000n, isExpected: true },
    })
    expect(second).toMatchObject({
      production: { kwh: null, isExpected: true },
      consumption: { kwh: null, isExpected: true },
    })
  })

  it('expect no consumption of a plant with a production meter only, and nothing without meters', () => {
    const found = hours(
      [assigned('main_production')],
      [fact('main_production', { productionKwh: wh(5_000n) })],
    )
    expect(found.get('f')?.[0]).toMatchObject({
      production: { kwh: 5_000n, isExpected: true },
      consumption: { kwh: null, isExpected: false },
    })
    expect(found.get('unmetered')?.[0]).toMatchObject({
      production: { kwh: null, isExpected: false },
      consumption: { kwh: null, isExpected: false },
    })
  })

  it('leave out facts that were derived with other roles', () => {
    const found = hours(
      [assigned('main_consumption')],
      [fact('main_consumption', { consumptionKwh: wh(5_000n), roleSet: 4 })],
    )
    expect(found.get('f')?.[0]?.consumption).toEqual({ kwh: null, isExpected: true })
  })
})
