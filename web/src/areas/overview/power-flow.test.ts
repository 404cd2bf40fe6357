import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unscaled } from '../../kernel/decimal.ts'
import {
  addFlows,
  type Flow,
  type FlowPart,
  facilityFlow,
  NO_FLOW,
  roundFlow,
  roundToZeroSum,
  SOURCES,
  USES,
  wattsOf,
} from './power-flow.ts'

const ROLES = [
  'main_production',
  'main_consumption',
  'osb_eb_consumption',
  'pcc_import_export',
  'battery',
] as const
const meters = fc.array(
  fc.record({ role: fc.constantFrom(...ROLES), watts: fc.integer({ min: -5_000_000, max: 5_000_000 }) }),
  { maxLength: 6 },
)
const sumOf = (flow: Flow, parts: readonly FlowPart[]) => parts.reduce((sum, part) => sum + flow[part], 0)
const sources = (flow: Flow) => sumOf(flow, SOURCES) + Math.max(0, -flow.difference)
const uses = (flow: Flow) => sumOf(flow, USES) + Math.max(0, flow.difference)
const flowOf = (powers: Partial<Record<(typeof ROLES)[number], number>>) =>
  facilityFlow(ROLES.flatMap((role) => (powers[role] === undefined ? [] : [{ role, watts: powers[role] }])))

describe('the power flow of a facility', () => {
  it.each([
    ['a plant', { main_production: -9_000 }, { sun: 9_000, gridExport: 9_000 }],
    ['a plant at night', { main_production: 20 }, { load: 20, gridImport: 20 }],
    ['a consumer', { main_consumption: 4_000 }, { load: 4_000, gridImport: 4_000 }],
    ['a consumer of a zone', { osb_eb_consumption: 4_000 }, { load: 4_000, gridImport: 4_000 }],
    [
      'a consumer with the meter of the zone as well',
      { main_consumption: 4_000, osb_eb_consumption: 4_100 },
      { load: 4_000, gridImport: 4_000 },
    ],
    ['a boundary meter that feeds in', { pcc_import_export: -700 }, { gridExport: 700, sun: 700 }],
    ['a boundary meter that draws', { pcc_import_export: 700 }, { gridImport: 700, load: 700 }],
    [
      'a boundary meter and a battery that is charged by the sun',
      { pcc_import_export: -700, battery: 300 },
      { gridExport: 700, charge: 300, sun: 1_000 },
    ],
    ['a battery alone', { battery: 300 }, { gridImport: 300, charge: 300 }],
    [
      'a factory with its own sun and a battery',
      { main_production: -10_000, pcc_import_export: 2_000, battery: -1_500 },
      { sun: 10_000, gridImport: 2_000, discharge: 1_500, load: 13_500 },
    ],
    [
      'a factory that charges and feeds in',
      { main_production: -10_000, pcc_import_export: -2_000, battery: 1_500 },
      { sun: 10_000, gridExport: 2_000, charge: 1_500, load: 6_500 },
    ],
    [
      'consumption and production without a boundary meter',
      { main_production: -10_000, main_consumption: 4_000 },
      { sun: 10_000, load: 4_000, gridExport: 6_000 },
    ],
    [
      'every meter, which do not agree',
      { main_production: -10_000, main_consumption: 4_000, pcc_import_export: -5_900 },
      { sun: 10_000, load: 4_000, gridExport: 5_900, difference: 100 },
    ],
    [
      'meters that were not read at the same moment',
      { main_production: -1_000, pcc_import_export: -1_100 },
      { sun: 1_000, gridExport: 1_100, difference: -100 },
    ],
  ] as const)('of %s', (_name, powers, expected) => {
    expect(flowOf(powers)).toEqual({ ...NO_FLOW, ...expected })
  })

  it('has sources and uses of the same sum, none below zero, also of several facilities', () => {
    fc.assert(
      fc.property(fc.array(meters, { maxLength: 5 }), (facilities) => {
        const flow = facilities.map(facilityFlow).reduce(addFlows, NO_FLOW)
        expect(sources(flow)).toBe(uses(flow))
        for (const part of [...SOURCES, ...USES]) expect(flow[part]).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('the shown power flow', () => {
  it('adds up exactly as it is written, within a unit of each measured power', () => {
    fc.assert(
      fc.property(fc.array(meters, { maxLength: 5 }), (facilities) => {
        const flow = facilities.map(facilityFlow).reduce(addFlows, NO_FLOW)
        const { units, places } = roundFlow(flow)
        const step = 10 ** (3 - places)
        expect(sources(units)).toBe(uses(units))
        for (const part of Object.keys(flow) as FlowPart[]) {
          expect(Math.abs(units[part] * step - flow[part])).toBeLessThan(step)
          expect(Object.is(units[part], -0)).toBe(false)
        }
        for (const part of [...SOURCES, ...USES]) expect(units[part]).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('leaves a value that needs no rounding unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e9, max: 1e9 })),
        fc.constantFrom(1, 10, 100),
        (list, step) => {
          const values = [...list, -list.reduce((sum, value) => sum + value, 0)]
          const units = roundToZeroSum(values, step)
          expect(units.reduce((sum, unit) => sum + unit, 0) + 0).toBe(0)
          for (const [index, value] of values.entries())
            if (value % step === 0) expect((units[index] ?? 0) * step + 0).toBe(value + 0)
        },
      ),
    )
  })

  it('has a resolution that follows the largest power', () => {
    const shown = (kw: number) => {
      const { units, places } = roundFlow(flowOf({ main_consumption: wattsOf(kw) }))
      return unscaled(BigInt(units.load), places)
    }
    expect([0, 1.2345, 12.345, 1234.56, 12_345.6].map(shown)).toEqual([
      '0.000',
      '1.235',
      '12.35',
      '1234.6',
      '12346',
    ])
  })
})
