import { addMonths, DAY_MS, floorHour, HOUR_MS, periodStart, type Range } from '../kernel/time.ts'
import { energyOf, type Profiles } from './profiles.ts'
import type { Calendar, Site, SiteFacility, SiteMeter } from './site.ts'

const MINUTE_MS = 60_000

type Register = 'production_active_energy' | 'import_active_energy' | 'export_active_energy'

/** The reading of a meter at one instant: registers in kWh with 3 decimals, and instantaneous values. */
export interface Reading {
  readonly at: number
  readonly values: Readonly<Record<string, number>>
}

/** A simulated meter: its registers follow the energy of its facility, exact to the Wh at every instant. */
export interface Meter {
  readonly name: string
  /** Returns the reading at an instant, also while the meter is silent. */
  readingAt(at: number): Reading
  /** Yields the readings at multiples of a step in a range, except those during a silence. */
  readings(range: Range, stepMs: number): Generator<Reading>
}

export interface World {
  readonly site: Site
  readonly profiles: Profiles
  readonly calendar: Calendar
}

type EnergyByRegister = Readonly<Partial<Record<Register, number>>>

/**
 * Returns the registers of a meter. Per hour, a home draws the consumption beyond its production and feeds
 * in the production beyond its consumption.
 */
function registersOf(world: World, facility: SiteFacility, meter: SiteMeter) {
  return (hour: number): EnergyByRegister => {
    const { producedWh, consumedWh } = energyOf(world.profiles, facility, hour)
    switch (meter.role) {
      case 'main_production':
        return { production_active_energy: producedWh }
      case 'main_consumption':
        return { import_active_energy: consumedWh }
      case 'pcc_import_export':
        return {
          import_active_energy: Math.max(consumedWh - producedWh, 0),
          export_active_energy: Math.max(producedWh - consumedWh, 0),
        }
    }
  }
}

/** Returns cumulative sums of the hours since the origin, computed lazily. */
function runningTotals(energyIn: (hour: number) => EnergyByRegister, origin: number) {
  const totals: Record<string, number[]> = {}
  return (register: Register, hour: number): number => {
    totals[register] ??= [0]
    const list = totals[register]
    const index = (hour - origin) / HOUR_MS
    while (list.length <= index) {
      const before = origin + (list.length - 1) * HOUR_MS
      list.push((list.at(-1) ?? 0) + (energyIn(before)[register] ?? 0))
    }
    return list[index] ?? 0
  }
}

export function makeMeter(world: World, facility: SiteFacility, meter: SiteMeter): Meter {
  const energyIn = registersOf(world, facility, meter)
  const totalBefore = runningTotals(energyIn, world.calendar.origin)
  const resetAt = resetOf(world, meter)
  const silence = silenceOf(world, meter)
  /** Returns the increase of the register within an hour, which is linear, in whole Wh. */
  const grown = (register: Register, at: number): number => {
    const hour = floorHour(at)
    const inHour = energyIn(hour)[register] ?? 0
    return totalBefore(register, hour) + Math.floor((inHour * (at - hour)) / HOUR_MS)
  }
  const shown = (register: Register, at: number): number =>
    at < resetAt ? meter.first_wh + grown(register, at) : grown(register, at) - grown(register, resetAt)
  const readingAt = (at: number): Reading => {
    const energy = energyIn(floorHour(at))
    const values: Record<string, number> = {}
    for (const register of Object.keys(energy) as Register[]) values[register] = shown(register, at) / 1000
    return { at, values: { ...values, ...instantValues(energy, at) } }
  }
  return {
    name: meter.name,
    readingAt,
    *readings({ from, to }, stepMs) {
      for (let at = Math.ceil(from / stepMs) * stepMs; at < to; at += stepMs) {
        if (!silence.some((range) => range.from <= at && at <= range.to)) yield readingAt(at)
      }
    },
  }
}

/** Power is the mean of the hour, consumption positive; the voltage varies a little. */
function instantValues(energy: EnergyByRegister, at: number): Record<string, number> {
  const drawnWh = energy.import_active_energy ?? 0
  const fedWh = (energy.production_active_energy ?? 0) + (energy.export_active_energy ?? 0)
  const wave = Math.floor(at / MINUTE_MS) % 37
  return { active_power: (drawnWh - fedWh) / 1000, voltage: 228 + wave / 10, power_factor: 0.98 }
}

interface EventDay {
  readonly months_before: number
  readonly day: number
}

const dayOf = ({ calendar }: World, { months_before: months, day }: EventDay): number =>
  periodStart(addMonths(calendar.lastFullMonth, -months)) + (day - 1) * DAY_MS

function resetOf(world: World, meter: SiteMeter): number {
  const { reset } = world.site.events
  if (reset.meter !== meter.name) return Number.POSITIVE_INFINITY
  const at = dayOf(world, reset) + reset.minute * MINUTE_MS
  return at < world.calendar.origin ? Number.POSITIVE_INFINITY : at
}

/** The silence includes both ends: an hour with a reading on its edge would not be missing. */
function silenceOf(world: World, meter: SiteMeter): Range[] {
  const { silent_day: day, silent_hours: hours } = world.site.events
  const ranges: Range[] = []
  if (day.meter === meter.name) ranges.push({ from: dayOf(world, day), to: dayOf(world, day) + DAY_MS })
  if (hours.meter === meter.name) {
    const from = dayOf(world, hours) + hours.first_hour * HOUR_MS
    ranges.push({ from, to: from + hours.hours * HOUR_MS })
  }
  return ranges
}

export const metersOf = (world: World): Meter[] =>
  world.site.groups.flatMap((group) =>
    group.facilities.flatMap((facility) => facility.meters.map((meter) => makeMeter(world, facility, meter))),
  )
