import { describe, expect, it } from 'vitest'
import { energyByHour } from '../core/netting/counter/energy-by-hour.ts'
import { qualityOf } from '../core/netting/counter/quality.ts'
import { periodEnd } from '../kernel/time.ts'
import { limitsOf } from './limits.ts'
import { parseProfiles } from './profiles.ts'
import { makeMeter, type World } from './series.ts'
import { calendarNotes, calendarOfNotes, calendarUntil, readSeed, readSite } from './site.ts'
import { type DemoSite, seriesOf } from './verify-series.ts'

const STEP_MS = 900_000
const site = readSite()
const profiles = parseProfiles(readSeed('hours.csv'))
const setupAt = (now: string): World => ({ site, profiles, calendar: calendarUntil(Date.parse(now), 12) })
const facilities = site.groups.flatMap((group) => group.facilities)

/** The hours of a meter as the service splits them; null where it reports missing. */
function measured(setup: World, meterName: string, register: string): (bigint | null)[] {
  const facility = facilities.find(({ meters }) => meters.some(({ name }) => name === meterName))
  const meter = facility?.meters.find(({ name }) => name === meterName)
  if (!facility || !meter) throw new Error(`no meter ${meterName}`)
  const range = { from: setup.calendar.origin, to: periodEnd(setup.calendar.lastFullMonth) }
  const readings = [...makeMeter(setup, facility, meter).readings({ ...range, to: range.to + 1 }, STEP_MS)]
  const registers = readings.map(({ at, values }) => ({
    at,
    value: Math.round((values[register] ?? 0) * 1e6),
  }))
  return energyByHour({ readings: registers, range, reportingIntervalMs: STEP_MS }).map((hour) =>
    qualityOf(hour).quality === 'missing' ? null : hour.energy,
  )
}

function expected(setup: World, facilityName: string) {
  const { months, lastFullMonth: month } = setup.calendar
  const plain = site as unknown as DemoSite
  const facility = plain.groups.flatMap((group) => group.facilities).find(({ name }) => name === facilityName)
  if (!facility) throw new Error(`no facility ${facilityName}`)
  return seriesOf(plain, facility, '', { firstMonth: months[0] ?? '', month })
}

describe('meters of the demo', () => {
  it.each(['2026-11-20T06:00:00Z', '2028-04-02T00:00:00Z', '2027-01-31T21:30:00Z'])(
    'have the values of an independent computation, hour by hour, on %s',
    (now) => {
      const setup = setupAt(now)
      for (const { name, meters } of facilities) {
        const { produced, consumed } = expected(setup, name)
        for (const meter of meters) {
          if (meter.role === 'main_production') {
            expect(measured(setup, meter.name, 'production_active_energy')).toEqual(produced)
          } else if (meter.role === 'main_consumption') {
            expect(measured(setup, meter.name, 'import_active_energy')).toEqual(consumed)
          } else {
            const drawn = measured(setup, meter.name, 'import_active_energy')
            const fed = measured(setup, meter.name, 'export_active_energy')
            const balance = produced.map(
              (wh, index) => (wh ?? 0n) + (drawn[index] ?? 0n) - (fed[index] ?? 0n),
            )
            expect(balance).toEqual(consumed)
          }
        }
      }
    },
  )

  it('are silent for a day and for two hours, and one restarts its register', () => {
    const setup = setupAt('2026-11-20T06:00:00Z')
    const missing = (name: string, register: string): number =>
      measured(setup, name, register).filter((hour) => hour === null).length
    expect(missing('Montaj sayacı', 'import_active_energy')).toBe(24)
    expect(missing('Santral sayacı', 'production_active_energy')).toBe(2)
    const facility = facilities.find(({ name }) => name === 'Dökümhane')
    const meter = facility?.meters[0]
    if (!facility || !meter) throw new Error('the site has a foundry')
    const { readingAt } = makeMeter(setup, facility, meter)
    const [before, after] = ['2026-04-21T10:15:00+03:00', '2026-04-21T10:30:00+03:00'].map(
      (at) => readingAt(Date.parse(at)).values['import_active_energy'] ?? 0,
    )
    expect(before).toBeGreaterThan(8_000_000)
    expect(after).toBeLessThan(100)
  })
})

describe('calendar of the demo', () => {
  it('ends with the current Turkey-local month and is stored as text', () => {
    const calendar = calendarUntil(Date.parse('2026-10-31T21:00:00Z'), 12)
    expect(calendar.months).toHaveLength(12)
    expect(calendar.months.at(-1)).toBe('2026-11-01')
    expect(calendar.lastFullMonth).toBe('2026-10-01')
    expect(calendarOfNotes(calendarNotes(calendar))).toEqual(calendar)
    expect(() => calendarOfNotes('anything')).toThrow()
  })

  it('has limits for every year it touches, which are exhausted in the last full month', () => {
    const setup = setupAt('2026-11-20T06:00:00Z')
    const [group] = site.groups
    if (!group) throw new Error('the site has a group')
    const limits = limitsOf(setup, group)
    expect(limits.map(({ year }) => year)).toEqual([2025, 2025, 2025, 2026, 2026, 2026])
    expect(limits.every(({ limitWh }) => limitWh > 0 && limitWh % 1_000_000 === 0)).toBe(true)
  })
})
