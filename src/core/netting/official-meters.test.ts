import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../kernel/time.ts'
import {
  type AssignmentAt,
  assignmentsOf,
  type OfficialMeter,
  officialGroups,
  officialSpans,
} from './official-meters.ts'
import type { MeasurementRole } from './types.ts'

const hour = (count: number) => count * HOUR_MS
const RANGE = { from: 0, to: hour(24) }
const meter = (part: Partial<OfficialMeter> = {}): OfficialMeter => ({
  id: 'm',
  source: 'osos_official_meter',
  facilityId: 'f',
  role: null,
  points: [],
  ...part,
})
const device = (role: MeasurementRole, part: Partial<AssignmentAt> = {}): AssignmentAt => ({
  facilityId: 'f',
  role,
  from: hour(-100),
  to: null,
  meteringPointId: null,
  ...part,
})
const spans = (one: OfficialMeter, ...devices: AssignmentAt[]) =>
  officialSpans([one], devices, RANGE).map(({ facilityId, role, from, to, countsAsAssigned }) =>
    [facilityId, role, from / HOUR_MS, to / HOUR_MS, countsAsAssigned ? 'counts' : ''].join(' ').trim(),
  )

describe('role of an official meter', () => {
  it('is the boundary when it is the only meter, and takes effect by itself', () => {
    expect(spans(meter())).toEqual(['f pcc_import_export 0 24 counts'])
    expect(spans(meter(), device('check_meter'))).toEqual(['f pcc_import_export 0 24 counts'])
  })

  it('is that of the only kind of meter at the facility, so that it can replace that meter', () => {
    expect(spans(meter(), device('main_production'))).toEqual(['f main_production 0 24'])
    expect(spans(meter(), device('main_consumption'))).toEqual(['f main_consumption 0 24'])
    expect(spans(meter(), device('osb_eb_consumption'))).toEqual(['f osb_eb_consumption 0 24'])
    expect(spans(meter(), device('main_production'), device('pcc_import_export'))).toEqual([
      'f pcc_import_export 0 24',
    ])
    expect(spans(meter(), device('main_production'), device('main_consumption'))).toEqual([
      'f pcc_import_export 0 24',
    ])
  })

  it('is the one the operator set, or the one of a device at the same metering point', () => {
    const point = { id: 'p', facilityId: 'f', from: hour(-5), to: null }
    expect(spans(meter({ role: 'main_production' }), device('main_consumption'))).toEqual([
      'f main_production 0 24 counts',
    ])
    expect(
      spans(
        meter({ facilityId: null, points: [point] }),
        device('check_meter', { meteringPointId: 'p' }),
        device('main_production', { meteringPointId: 'p' }),
        device('pcc_import_export'),
      ),
    ).toEqual(['f main_production 0 24'])
  })

  it('follows the devices hour by hour; one assigned for part of an hour counts for it', () => {
    expect(spans(meter(), device('main_consumption', { from: hour(3) + 600_000, to: hour(7.5) }))).toEqual([
      'f pcc_import_export 0 3 counts',
      'f main_consumption 3 8',
      'f pcc_import_export 8 24 counts',
    ])
  })
})

describe('location of an official meter', () => {
  it('is the metering point valid at the start of the hour, else its own facility', () => {
    const points = [
      { id: 'a', facilityId: 'g', from: hour(2) + 1, to: hour(9.5) },
      { id: 'b', facilityId: 'h', from: hour(5), to: hour(6) },
    ]
    expect(spans(meter({ points }))).toEqual([
      'f pcc_import_export 0 3 counts',
      'g pcc_import_export 3 5 counts',
      'h pcc_import_export 5 6 counts',
      'g pcc_import_export 6 10 counts',
      'f pcc_import_export 10 24 counts',
    ])
    expect(spans(meter({ facilityId: null, points: [] }))).toEqual([])
    const twice = [
      { id: 'a', facilityId: 'g', from: hour(2), to: hour(5) },
      { id: 'b', facilityId: 'g', from: hour(5), to: hour(6) },
      { id: 'c', facilityId: 'g', from: hour(8), to: hour(9) },
    ]
    expect(spans(meter({ facilityId: null, points: twice }))).toEqual([
      'g pcc_import_export 2 6 counts',
      'g pcc_import_export 8 9 counts',
    ])
  })

  it('counts no hour twice, with any registry', () => {
    const edge = fc.integer({ min: -HOUR_MS * 3, max: HOUR_MS * 27 })
    const period = fc.tuple(edge, edge).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
    const facility = fc.constantFrom('f', 'g', 'h')
    const points = fc.array(fc.record({ id: fc.uuid(), facilityId: facility, period }), { maxLength: 4 })
    const role = fc.constantFrom<MeasurementRole>('main_production', 'main_consumption', 'pcc_import_export')
    const devices = fc.array(fc.record({ facilityId: facility, role, period }), { maxLength: 4 })
    fc.assert(
      fc.property(points, devices, (around, measuring) => {
        const found = officialSpans(
          [meter({ points: around.map(({ period: at, ...rest }) => ({ ...rest, ...at })) })],
          measuring.map(({ period: at, ...rest }) => ({ ...rest, ...at, meteringPointId: null })),
          RANGE,
        )
        const hours = found.flatMap((span) => {
          expect([span.from % HOUR_MS, span.to % HOUR_MS]).toEqual([0, 0])
          return Array.from({ length: (span.to - span.from) / HOUR_MS }, (_, at) => span.from / HOUR_MS + at)
        })
        expect([...hours].sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, at) => at))
      }),
    )
  })
})

describe('official meters of one role', () => {
  const span = (meterId: string, from: number, to: number) => ({
    meterId,
    source: 'osos_official_meter' as const,
    facilityId: 'f',
    role: 'pcc_import_export' as const,
    from: hour(from),
    to: hour(to),
    countsAsAssigned: true,
  })

  it('are split into time ranges with the same meters throughout', () => {
    const groups = officialGroups([span('b', 0, 10), span('a', 5, 24)])
    expect(groups.map(({ from, to, meterIds }) => [from / HOUR_MS, to / HOUR_MS, ...meterIds])).toEqual([
      [0, 5, 'b'],
      [5, 10, 'a', 'b'],
      [10, 24, 'a'],
    ])
    expect(officialGroups([span('a', 0, 2), span('a', 4, 6)])).toHaveLength(2)
    const declared = { ...span('b', 0, 2), source: 'customer_declared' as const }
    expect(officialGroups([span('a', 0, 2), declared]).map(({ meterIds }) => meterIds)).toEqual([
      ['a'],
      ['b'],
    ])
  })

  it('are calculation roles only where they count as assigned', () => {
    expect(assignmentsOf([span('a', 0, 5), { ...span('b', 0, 5), countsAsAssigned: false }])).toEqual([
      { facilityId: 'f', role: 'pcc_import_export', from: 0, to: hour(5) },
    ])
  })
})
