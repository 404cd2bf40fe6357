import { describe, expect, test } from 'vitest'
import { makeAssignment, makeFacts, makeMember } from '../../../test/support/netting/netting-input.ts'
import type { Kwh } from '../../kernel/decimal.ts'
import { HOUR_MS } from '../../kernel/time.ts'
import { quantitiesOf, rolesByHour } from './quantities.ts'
import { chooseValues } from './sources.ts'
import type { MeasurementRole, MemberInput } from './types.ts'

type Values = Partial<Record<'production' | 'consumption' | 'import' | 'export' | 'battery', bigint | null>>
const window = { from: 0, to: HOUR_MS }

function quantities(roles: readonly MeasurementRole[], values: Values, own: Partial<MemberInput> = {}) {
  const facts = makeFacts('f', 0, values as Record<string, Kwh | null>)
  const member = makeMember('f', own)
  return quantitiesOf({
    roles:
      rolesByHour(
        roles.map((role) => makeAssignment('f', role)),
        window,
      ).get('f')?.[0] ?? 0,
    values: chooseValues(facts, window, () => true).get('f') ?? {},
    hourIndex: 0,
    memberRole: member.role,
    hasStorage: member.hasStorage,
  })
}
const ROOF = ['main_production', 'pcc_import_export'] as const

describe('production of a member', () => {
  test('is the export for a pure producer behind a boundary meter, the production for a mixed member', () => {
    const values = { production: 10n, import: 1n, export: 6n }
    expect(quantities(ROOF, values, { role: 'production' }).productionKwh).toBe(6n)
    expect(quantities(ROOF, values, { role: 'mixed' }).productionKwh).toBe(10n)
    expect(quantities(['main_production'], values, { role: 'production' }).productionKwh).toBe(10n)
    expect(quantities(['pcc_import_export'], values, { role: 'mixed' }).productionKwh).toBe(6n)
  })

  test('is determined by assignments: values of unassigned meters are ignored', () => {
    expect(quantities([], { production: 10n }, { role: 'production' }).productionKwh).toBeNull()
    expect(quantities(ROOF, { production: 10n }, { role: 'production' }).productionKwh).toBeNull()
  })
})

describe('consumption of a member', () => {
  test('at one point is A + B - C, never below zero, and unknown when one of them is', () => {
    expect(quantities(ROOF, { import: 2n, production: 10n, export: 6n }).consumptionKwh).toBe(6n)
    expect(quantities(ROOF, { import: 0n, production: 5n, export: 6n }).consumptionKwh).toBe(0n)
    expect(quantities(ROOF, { import: 2n, production: 10n, export: null }).consumptionKwh).toBeNull()
  })

  test('prefers an own consumption meter, also that of an industrial zone', () => {
    const values = { consumption: 7n, import: 2n, export: 0n }
    expect(quantities(['main_consumption', 'pcc_import_export'], values).consumptionKwh).toBe(7n)
    expect(quantities(['pcc_import_export'], values).consumptionKwh).toBe(2n)
    expect(quantities(['main_production'], { production: 4n }).consumptionKwh).toBeNull()
  })
})

test('a zone value replaces an unknown main consumption, never a known one', () => {
  const consumption = (main: bigint | null): bigint | null => {
    const roles = (['main_consumption', 'osb_eb_consumption'] as const).map((role) =>
      makeAssignment('f', role),
    )
    const facts = [
      ...makeFacts('f', 0, { consumption: main as Kwh | null }),
      ...makeFacts('f', 0, { consumption: 9n as Kwh }).map((fact) => ({
        ...fact,
        role: 'osb_eb_consumption' as const,
      })),
    ]
    return quantitiesOf({
      roles: rolesByHour(roles, window).get('f')?.[0] ?? 0,
      values: chooseValues(facts, window, () => true).get('f') ?? {},
      hourIndex: 0,
      memberRole: 'consumption',
      hasStorage: false,
    }).consumptionKwh
  }
  expect([consumption(7n), consumption(0n), consumption(null)]).toEqual([7n, 0n, 9n])
})

describe('storage export', () => {
  const battery = ['main_production', 'pcc_import_export', 'battery'] as const
  const of = (values: Values, hasStorage = false) =>
    quantities(battery, { production: 9n, import: 0n, ...values }, { role: 'production', hasStorage })
      .storageExportKwh

  test('is the discharge exported over the boundary, none while charging', () => {
    expect(of({ export: 10n, battery: 4n })).toBe(4n)
    expect(of({ export: 3n, battery: 4n })).toBe(3n)
    expect(of({ export: 10n, battery: -4n }, true)).toBe(0n)
  })

  test('is the whole export where there is storage and the discharge is unknown', () => {
    expect(of({ export: 10n, battery: null }, true)).toBe(10n)
    expect(of({ export: 10n, battery: null }, false)).toBe(0n)
    expect(quantities(['main_production'], { production: 9n }, { hasStorage: true }).storageExportKwh).toBe(
      0n,
    )
  })
})

test('own use is production less export, where both are known', () => {
  const values = { import: 2n, production: 10n, export: 6n }
  expect(quantities(ROOF, values, { role: 'mixed' }).selfConsumptionKwh).toBe(4n)
  expect(
    quantities(['main_production'], { production: 10n }, { role: 'mixed' }).selfConsumptionKwh,
  ).toBeNull()
})

test('own use is never below zero', () => {
  const values = { import: 2n, production: 5n, export: 6n }
  expect(quantities(ROOF, values, { role: 'mixed' }).selfConsumptionKwh).toBe(0n)
})

test('a negative value counts as zero, and the charge of a battery is a known discharge of zero', () => {
  expect(quantities(['main_production'], { production: -3n }).productionKwh).toBe(0n)
  const charging = { production: 9n, import: 0n, export: 10n, battery: -4n }
  expect(quantities([...ROOF, 'battery'], charging, { hasStorage: true })).toMatchObject({
    storageExportKwh: 0n,
    isDischargeUnknown: false,
  })
})

test('an assignment that began before the window and ends after it counts within the window', () => {
  const assignment = { ...makeAssignment('f', 'main_production'), from: -2.5 * HOUR_MS, to: 9 * HOUR_MS }
  const roles = rolesByHour([assignment], { from: HOUR_MS, to: 3 * HOUR_MS }).get('f')
  expect([...(roles ?? [])]).toEqual([1, 1])
})

test('an assignment counts for every hour it overlaps, and for no other', () => {
  const assignment = { ...makeAssignment('f', 'main_production'), from: HOUR_MS * 1.3, to: HOUR_MS * 3 }
  const roles = rolesByHour([assignment], { from: 0, to: 5 * HOUR_MS }).get('f')
  expect([...(roles ?? [])]).toEqual([0, 1, 1, 0, 0])
})
