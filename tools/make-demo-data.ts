import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

/**
 * Makes seed/demo from a folder with the original files:
 *   npx tsx tools/make-demo-data.ts FOLDER
 * Keeps of the three CityLearn buildings only the load and the photovoltaic yield, as whole Wh and whole W per kW,
 * in calendar order from 1 January with the start of the hour instead of its end.
 */
const BUILDINGS = [1, 2, 3]
const PRICES = 'epdk_2026-04_tariff_import.csv'
const LICENSE = 'citylearn_LICENSE.txt'
const HOURS_OF_YEAR = 8760
const SEED = join(import.meta.dirname, '../seed/demo')

interface Hour {
  readonly month: number
  readonly loadWh: number
  readonly pvWPerKw: number
}

function readBuilding(folder: string, building: number): Hour[] {
  const file = join(folder, `citylearn_2022_phase1_building_${building}.csv`)
  const rows = parse<Record<string, string>>(readFileSync(file, 'utf8'), { columns: true })
  const hours = rows.map((row) => ({
    month: Number(row['month']),
    loadWh: Math.round(Number(row['non_shiftable_load']) * 1000),
    pvWPerKw: Math.round(Number(row['solar_generation'])),
  }))
  if (hours.length !== HOURS_OF_YEAR)
    throw new Error(`${file} has ${hours.length} hours, not ${HOURS_OF_YEAR}`)
  return inCalendarOrder(hours)
}

/** The file begins with the last hour of 31 July (label 24) and ends with the hour before it. */
function inCalendarOrder([lastOfJuly, ...fromAugust]: readonly Hour[]): Hour[] {
  const january = fromAugust.findIndex((hour) => hour.month === 1)
  if (!lastOfJuly || january < 0) throw new Error('the file does not run from August to July')
  return [...fromAugust.slice(january), lastOfJuly, ...fromAugust.slice(0, january)]
}

function labelsOfYear(): string[] {
  const first = Date.UTC(2023, 0, 1)
  return Array.from({ length: HOURS_OF_YEAR }, (_, index) => {
    const text = new Date(first + index * 3_600_000).toISOString()
    return `${text.slice(5, 10)},${text.slice(11, 13)}`
  })
}

const folder = process.argv[2]
if (!folder) throw new Error('usage: npx tsx tools/make-demo-data.ts FOLDER')
const buildings = BUILDINGS.map((building) => readBuilding(folder, building))
const heads = BUILDINGS.flatMap((building) => [`load_${building}_wh`, `pv_${building}_w_per_kw`])
const lines = labelsOfYear().map((label, index) => {
  const values = buildings.flatMap((hours) => [hours[index]?.loadWh, hours[index]?.pvWPerKw])
  return [label, ...values].join(',')
})
writeFileSync(join(SEED, 'hours.csv'), `${['day,hour', ...heads].join(',')}\n${lines.join('\n')}\n`)
writeFileSync(join(SEED, 'prices-2026-04.csv'), readFileSync(join(folder, PRICES)))
writeFileSync(join(SEED, LICENSE), readFileSync(join(folder, LICENSE)))
