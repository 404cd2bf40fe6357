import { describe, expect, it } from 'vitest'
import type { MeasurementRole } from '../../../core/netting/types.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { factsOfRole } from './facts.ts'
import { type Assignment, contributionOf, type Meter } from './meter.ts'
import type { Register } from './roles.ts'

const NOON = Date.parse('2026-05-01T12:00:00+03:00')
const MINUTE = HOUR_MS / 60
const RANGE = { from: NOON, to: NOON + HOUR_MS }

/** Pairs of minutes after noon and kWh. */
type Readings = readonly (readonly [number, number])[]

function meter(
  role: MeasurementRole,
  registers: Readonly<Partial<Record<Register, Readings>>>,
  inForce: Partial<Pick<Assignment, 'from' | 'to'>> = {},
): Meter {
  return {
    assignment: {
      ...{ id: 'a', facilityId: 'f', deviceId: 'd', deviceKey: 1, meteringPointId: null, registerMap: null },
      ...{ role, from: 0, to: null, reportingIntervalMs: 20 * MINUTE },
      ...inForce,
    },
    traits: undefined,
    readings: new Map(
      Object.entries(registers).map(([register, readings]) => [
        register as Register,
        readings.map(([minute, kwh]) => ({ at: NOON + minute * MINUTE, value: Math.round(kwh * 1e6) })),
      ]),
    ),
    maxPowerKw: new Map(),
  }
}

/** The fact of the hour after noon. */
function factOf(...meters: readonly Meter[]) {
  const [first] = meters
  if (!first) throw new Error('a fact has a meter')
  const contributions = meters.map((one) => contributionOf(one, RANGE))
  const { facts } = factsOfRole(first.assignment.role, contributions, {
    range: RANGE,
    isMeasuredElsewhere: () => false,
  })
  const [fact] = facts
  return fact && { ...fact.kwh, quality: fact.quality, completenessPct: fact.completenessPct }
}

describe('an assignment that begins or ends inside an hour', () => {
  const readings: Readings = [
    [0, 10],
    [20, 12],
    [40, 14],
    [60, 16],
  ]

  it('counts from a reading at its beginning, and to one at its end', () => {
    const at = (minute: number) => NOON + minute * MINUTE
    const consumed = (inForce: Partial<Pick<Assignment, 'from' | 'to'>>) =>
      factOf(meter('main_consumption', { import_active_energy: readings }, inForce))?.consumption_kwh
    expect(consumed({ from: at(20) })).toBe(4_000n)
    expect(consumed({ to: at(20) })).toBe(2_000n)
    expect(consumed({ from: at(30), to: at(50) })).toBe(2_000n)
  })

  it('counts nothing while the register stands still', () => {
    const still: Readings = [
      [0, 10],
      [20, 10],
      [40, 10],
      [60, 13],
    ]
    const fact = factOf(
      meter('main_consumption', { import_active_energy: still }, { from: NOON + 10 * MINUTE }),
    )
    // 50 of the 60 minutes are in force, and the completeness is a share of the whole hour.
    expect(fact).toEqual({ consumption_kwh: 3_000n, quality: 'partial', completenessPct: 83.33 })
  })
})

describe('the fact of an hour', () => {
  const half: Readings = [
    [0, 0],
    [20, 1],
  ]
  const whole: Readings = [
    [0, 0],
    [20, 1],
    [40, 2],
    [60, 3],
  ]

  it('has the completeness of its least known column', () => {
    expect(
      factOf(meter('pcc_import_export', { import_active_energy: whole, export_active_energy: half })),
    ).toEqual({ import_kwh: 3_000n, export_kwh: 1_000n, quality: 'partial', completenessPct: 33.33 })
    const unknown = factOf(meter('pcc_import_export', { import_active_energy: whole }))
    expect(unknown).toEqual({ import_kwh: 3_000n, export_kwh: null, quality: 'partial', completenessPct: 0 })
  })

  it('of a battery is unknown unless both directions are known', () => {
    const { battery_discharge_energy, battery_charge_energy } = {
      battery_discharge_energy: whole,
      battery_charge_energy: half,
    }
    expect(factOf(meter('battery', { battery_discharge_energy, battery_charge_energy }))).toMatchObject({
      battery_kwh: 2_000n,
      completenessPct: 33.33,
    })
    expect(factOf(meter('battery', { battery_discharge_energy }))).toMatchObject({ quality: 'missing' })
    const silent: Readings = [
      [-60, 0],
      [120, 3],
    ]
    expect(
      factOf(meter('battery', { battery_discharge_energy, battery_charge_energy: silent })),
    ).toMatchObject({ quality: 'missing' })
  })

  it('of two meters counts each only while it is in force', () => {
    const change = NOON + 30 * MINUTE
    const old = meter('main_consumption', { import_active_energy: whole }, { to: change })
    const replacing = meter('main_consumption', { import_active_energy: whole }, { from: change })
    expect(factOf(old, replacing)).toEqual({
      consumption_kwh: 3_000n,
      quality: 'complete',
      completenessPct: 100,
    })
    // Two meters at the same time have twice the time.
    const second = meter('main_consumption', { import_active_energy: half })
    expect(factOf(meter('main_consumption', { import_active_energy: whole }), second)).toEqual({
      consumption_kwh: 4_000n,
      quality: 'partial',
      completenessPct: 66.67,
    })
  })
})
