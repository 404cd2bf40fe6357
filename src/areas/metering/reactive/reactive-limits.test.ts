import { describe, expect, it } from 'vitest'
import { evaluateRatios, limitsOf } from './reactive-limits.ts'

describe('limits of the reactive tariff', () => {
  it.each([
    [null, 'unknown', null, null],
    [0, 'exempt', null, null],
    [9, 'exempt', null, null],
    [9.001, 'below_50_kva', 33, 20],
    [49.999, 'below_50_kva', 33, 20],
    [50, 'from_50_kva', 20, 15],
    [1_600, 'from_50_kva', 20, 15],
  ])('of %s kW are those of %s', (power, power_class, inductive_limit_pct, capacitive_limit_pct) => {
    expect(limitsOf(power)).toEqual({ power_class, inductive_limit_pct, capacitive_limit_pct })
  })

  it.each([
    // active, inductive, capacitive, ratios, statuses
    [1_000, 200, 0, 20, 0, 'warning', 'ok', 'warning'],
    [1_000, 201, 0, 20.1, 0, 'exceeded', 'ok', 'exceeded'],
    [1_000, 179, 134, 17.9, 13.4, 'ok', 'ok', 'ok'],
    [1_000, 180, 135, 18, 13.5, 'warning', 'warning', 'warning'],
    [1_000, null, 151, null, 15.1, 'unknown', 'exceeded', 'exceeded'],
    [1_000, 10, null, 1, null, 'ok', 'unknown', 'unknown'],
    [0, 10, 10, null, null, 'unknown', 'unknown', 'unknown'],
    [null, 10, 10, null, null, 'unknown', 'unknown', 'unknown'],
    [3_000_000, 1, 0, 0, 0, 'ok', 'ok', 'ok'],
  ])(
    'classify %s kWh with %s and %s kvarh',
    (active, inductive, capacitive, ...[first, second, ofFirst, ofSecond, status]) => {
      expect(evaluateRatios({ active, inductive, capacitive }, limitsOf(100))).toEqual({
        inductive_ratio_pct: first,
        capacitive_ratio_pct: second,
        inductive_status: ofFirst,
        capacitive_status: ofSecond,
        status,
      })
    },
  )

  it('classify nothing without a power, and accept everything below the exemption', () => {
    const energy = { active: 100, inductive: 90, capacitive: 90 }
    expect(evaluateRatios(energy, limitsOf(null))).toMatchObject({
      inductive_ratio_pct: 90,
      status: 'unknown',
    })
    expect(evaluateRatios(energy, limitsOf(5))).toMatchObject({ inductive_ratio_pct: 90, status: 'ok' })
  })
})
