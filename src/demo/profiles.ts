import { localDate, localHour } from '../kernel/time.ts'
import type { SiteFacility } from './site.ts'

/** Load and photovoltaic yield of one building for each hour of a year of 365 days from 1 January. */
interface Building {
  readonly loadWh: readonly number[]
  readonly pvWPerKw: readonly number[]
}

export interface Profiles {
  readonly buildings: ReadonlyMap<number, Building>
  /** Index of the first hour of a day of the year (`MM-DD`) in the lists. */
  readonly firstHour: ReadonlyMap<string, number>
}

const HOURS_OF_YEAR = 8760

/** Reads seed/demo/hours.csv: `day,hour`, then load and yield of each building. */
export function parseProfiles(csv: string): Profiles {
  const [head = '', ...lines] = csv.trimEnd().split('\n')
  if (lines.length !== HOURS_OF_YEAR) throw new Error(`hours.csv has ${lines.length} hours`)
  const rows = lines.map((line) => line.split(','))
  const column = (name: string): number[] => {
    const position = head.split(',').indexOf(name)
    return rows.map((row) => Number(row[position]))
  }
  const count = (head.split(',').length - 2) / 2
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return {
    buildings: new Map(
      numbers.map((n) => [n, { loadWh: column(`load_${n}_wh`), pvWPerKw: column(`pv_${n}_w_per_kw`) }]),
    ),
    firstHour: new Map(rows.flatMap(([day = '', hour], index) => (hour === '00' ? [[day, index]] : []))),
  }
}

/** Wh that a facility produced and consumed in the hour that starts at an instant. */
export interface HourEnergy {
  readonly producedWh: number
  readonly consumedWh: number
}

/**
 * Returns the energy of a facility in an hour. The measured year stands for any year by calendar month, so
 * that the seasons match; 29 February repeats the 28th.
 */
export function energyOf(profiles: Profiles, { pv, load }: SiteFacility, hour: number): HourEnergy {
  const day = localDate(hour).slice(5)
  const index = (profiles.firstHour.get(day === '02-29' ? '02-28' : day) ?? 0) + localHour(hour)
  let producedWh = 0
  let consumedWh = 0
  if (pv) {
    const yieldWPerKw = profiles.buildings.get(pv.building)?.pvWPerKw[index] ?? 0
    producedWh = Math.floor((yieldWPerKw * pv.installed_w) / 1000)
  }
  if (load) {
    const from = (index - load.shift_hours + HOURS_OF_YEAR) % HOURS_OF_YEAR
    const loadWh = profiles.buildings.get(load.building)?.loadWh[from] ?? 0
    consumedWh = Math.floor((loadWh * load.permille) / 1000) + load.base_wh
  }
  return { producedWh, consumedWh }
}
