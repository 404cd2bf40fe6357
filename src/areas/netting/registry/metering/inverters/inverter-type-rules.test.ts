import { describe, expect, it } from 'vitest'
import { INVERTER_RULES, suggestInverterType } from './inverter-type-rules.ts'

describe('suggestInverterType', () => {
  it.each([
    ['Sungrow', 'SH10RT', 'ess_inverter'],
    ['SUNGROW Power', 'SG110CX', 'grid_inverter'],
    ['GoodWe', 'GW10K-ET', 'ess_inverter'],
    ['GoodWe', 'GW25K-MT', 'grid_inverter'],
    ['Growatt', 'SPH 10000TL3 BH-UP', 'ess_inverter'],
    ['Growatt', 'MIN 6000TL-XH', 'ess_inverter'],
    ['Growatt', 'MIN 6000TL-X', 'grid_inverter'],
    ['Deye', 'SUN-12K-SG04LP3-EU', 'ess_inverter'],
    ['SMA', 'STP10.0-3SE-40', 'ess_inverter'],
    ['Huawei', 'SUN2000-185KTL-H1', 'grid_inverter'],
    ['Huawei', 'SUN2000-100KTL-M1', 'grid_inverter'],
    ['Fronius', 'Symo Hybrid 5.0-3-S', 'ess_inverter'],
  ])('classifies %s %s as %s', (vendor, model, type) => {
    expect(suggestInverterType({ vendor, model })?.inverterType).toBe(type)
  })

  it.each([
    ['Fronius', 'Symo GEN24 10.0 Plus'],
    ['Huawei', 'SUN2000-10KTL-M1'],
    ['Unheard of', 'SH10RT'],
    ['Sungrow', 'WiNet-S'],
    ['', ''],
  ])('suggests nothing for the ambiguous or unknown %s %s', (vendor, model) => {
    expect(suggestInverterType({ vendor, model })).toBeUndefined()
  })

  it('names a source for every rule', () => {
    expect(INVERTER_RULES.every(({ source }) => source.length > 10)).toBe(true)
  })
})
