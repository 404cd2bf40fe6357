import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOTO_READING_AGE_MAX_MS, LOTO_ZERO_POWER_KW } from '../limits.ts'
import { assessMeter, describeExceeding } from './verification.ts'

const NOW = Date.parse('2026-11-20T09:00:00Z')
const ago = (minutes: number, values: Record<string, number | null>) => ({
  at: NOW - minutes * 60_000,
  values,
})

describe('meter verification of a point', () => {
  it('is zero when every fresh value is, also over several messages', () => {
    const samples = [ago(1, { active_power: -0.01 }), ago(2, { current_l1: 0.1, voltage: 231 })]
    expect(assessMeter(samples, 'energy_analyzer', NOW)).toEqual({
      kind: 'zero',
      at: NOW - 60_000,
      values: { active_power: -0.01, current_l1: 0.1 },
    })
  })

  it('is energised by a single phase with any sign, and newer values take precedence', () => {
    expect(assessMeter([ago(0, { active_power: 0, current_l2: 3.2 })], 'x', NOW).kind).toBe('energised')
    expect(assessMeter([ago(0, { active_power: -40 })], 'inverter', NOW).kind).toBe('energised')
    const fell = [ago(4, { active_power: 12 }), ago(1, { active_power: 0 })]
    expect(assessMeter(fell, 'energy_analyzer', NOW).kind).toBe('zero')
    expect(assessMeter(fell.toReversed(), 'energy_analyzer', NOW).kind).toBe('zero')
  })

  it('is silent when the newest value is old, or a meter has sent nothing', () => {
    const old = ago(LOTO_READING_AGE_MAX_MS / 60_000 + 1, { active_power: 0 })
    expect(assessMeter([old], 'charger', NOW)).toEqual({ kind: 'silent', lastAt: old.at })
    expect(assessMeter([], 'energy_analyzer', NOW)).toEqual({ kind: 'silent', lastAt: null })
  })

  it('is absent where no device measures power', () => {
    expect(assessMeter([], 'valve', NOW)).toEqual({ kind: 'no_meter' })
    expect(assessMeter([ago(1, { temperature: 60 })], 'sensor', NOW)).toEqual({ kind: 'no_meter' })
    expect(assessMeter([ago(60 * 30, { active_power: 9 })], 'plug', NOW)).toEqual({ kind: 'no_meter' })
  })

  it('is never zero while the newest fresh value exceeds the limit', () => {
    fc.assert(
      fc.property(
        fc.double({ min: LOTO_ZERO_POWER_KW * 1.001, max: 1e6, noNaN: true }),
        fc.boolean(),
        fc.array(fc.record({ minutes: fc.integer({ min: 1, max: 10 }), power: fc.constant(0) })),
        (power, isNegative, older) => {
          const samples = older.map((one) => ago(one.minutes, { active_power: one.power }))
          samples.push(ago(0, { active_power: isNegative ? -power : power }))
          expect(assessMeter(samples, 'x', NOW).kind).toBe('energised')
        },
      ),
    )
  })

  it('names the values that are too large', () => {
    expect(describeExceeding({ active_power: 12.4, current: 0 })).toBe('active_power 12.4 kW')
  })
})
