import { readFileSync } from 'node:fs'
import { packageFile } from '../platform/files/package-file.ts'

/**
 * What the meters of the demo showed, made a second time from seed/demo for verify.ts; like that, it imports nothing
 * of the service but the location of the seed files. Energy is bigint Wh.
 */
export const HOUR = 3_600_000
const SEED = packageFile('seed/demo/')

/** The parts of site.json that the verification reads. */
export interface DemoSite {
  readonly groups: readonly {
    readonly name: string
    readonly netting: string
    readonly facilities: readonly Facility[]
  }[]
  readonly events: { readonly reset: Event; readonly silent_day: Event; readonly silent_hours: Event }
}
export interface Facility {
  readonly name: string
  readonly member_role: string
  readonly abone_grubu?: string
  readonly tariff_supply_type?: string
  readonly is_multi_time?: boolean
  readonly voltage_level: string
  readonly pv?: { readonly building: number; readonly installed_w: number }
  readonly load?: {
    readonly building: number
    readonly permille: number
    readonly base_wh: number
    readonly shift_hours: number
  }
  readonly meters: readonly { readonly name: string; readonly role: string }[]
}
interface Event {
  readonly meter: string
  readonly months_before: number
  readonly day: number
  readonly minute?: number
  readonly first_hour?: number
  readonly hours?: number
}
/** First days of months, `YYYY-MM-01`: the first month of the demo and the month to verify. */
export interface Months {
  readonly firstMonth: string
  readonly month: string
}

export const seed = (name: string): string => readFileSync(new URL(name, SEED), 'utf8')
export const table = (name: string): Record<string, string>[] => {
  const [head = '', ...lines] = seed(name).trim().split('\n')
  const names = head.trim().split(',')
  return lines.map((line) => {
    const cells = line.trim().split(',')
    return Object.fromEntries(names.map((key, index) => [key, cells[index] ?? '']))
  })
}
export const start = (month: string): number => Date.parse(`${month}T00:00:00+03:00`)
export const shiftMonth = (month: string, by: number): string => {
  const date = new Date(`${month}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + by)
  return date.toISOString().slice(0, 10)
}
const rows = table('hours.csv')
export const sum = (list: readonly bigint[]): bigint => list.reduce((total, value) => total + value, 0n)
export const halfUp = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by)

type Wh = bigint | null

/** The energy of a facility by hour; null while its meter is silent. */
export interface Series {
  readonly id: string
  readonly facility: Facility
  readonly produced: Wh[]
  readonly consumed: Wh[]
}

/** Returns the index of an hour of the day of an event in the lists; negative before the demo begins. */
const indexOf = ({ months_before, day }: Event, hour: number, { firstMonth, month }: Months): number =>
  (start(shiftMonth(month, -months_before)) - start(firstMonth)) / HOUR + (day - 1) * 24 + hour

/**
 * Replaces a meter: the last reading of the old one is at a full quarter of an hour; the new one starts at
 * zero.
 */
function replaceMeter(list: Wh[], { minute = 0 }: Event, index: number): void {
  const whole = list[index]
  if (whole === null || whole === undefined) return
  const counted = (minutes: number): bigint => (whole * BigInt(minutes)) / 60n
  list[index] = whole - (counted(minute % 60) - counted((minute % 60) - (minute % 15)))
}

/**
 * Applies a silence: the last reading is a quarter of an hour before it and the next one a quarter of an
 * hour after it; the energy in between is interpolated linearly.
 */
function silence(list: Wh[], begin: number, length: number): void {
  if (begin < 1) return
  const at = (index: number): bigint => list[index] ?? 0n
  const end = begin + length
  const before = (at(begin - 1) * 45n) / 60n
  const after = at(end) - (at(end) * 15n) / 60n
  let grown = -before - after
  for (let index = begin - 1; index <= end; index += 1) grown += at(index)
  const minutes = BigInt(length * 60 + 30)
  list[begin - 1] = before + halfUp(grown * 15n, minutes)
  list[end] = after + grown - halfUp(grown * (minutes - 15n), minutes)
  list.fill(null, begin, end)
}

function spoil(list: Wh[], meter: string, { events }: DemoSite, months: Months): void {
  const { reset, silent_day: day, silent_hours: hours } = events
  if (reset.meter === meter) {
    replaceMeter(list, reset, indexOf(reset, Math.floor((reset.minute ?? 0) / 60), months))
  }
  if (day.meter === meter) silence(list, indexOf(day, 0, months), 24)
  if (hours.meter === meter) {
    silence(list, indexOf(hours, hours.first_hour ?? 0, months), hours.hours ?? 0)
  }
}

const indexByHour = new Map(rows.map((row, index) => [`${row['day']}T${row['hour']}`, index]))
const cell = (index: number, name: string): number => Number(rows[(index + 8760) % 8760]?.[name])

/** Returns the series from the first hour of the demo to the end of the month. */
export function seriesOf(site: DemoSite, facility: Facility, id: string, months: Months): Series {
  const produced: Wh[] = []
  const consumed: Wh[] = []
  const { pv, load } = facility
  const end = start(shiftMonth(months.month, 1))
  for (let at = start(months.firstMonth); at < end; at += HOUR) {
    const label = new Date(at + 3 * HOUR).toISOString().slice(5, 13).replace('02-29', '02-28')
    const index = indexByHour.get(label) ?? 0
    produced.push(pv ? BigInt(cell(index, `pv_${pv.building}_w_per_kw`) * pv.installed_w) / 1000n : 0n)
    const drawn = load ? cell(index - load.shift_hours, `load_${load.building}_wh`) * load.permille : 0
    consumed.push(BigInt(drawn) / 1000n + BigInt(load?.base_wh ?? 0))
  }
  for (const { name, role } of facility.meters) {
    if (role === 'main_production') spoil(produced, name, site, months)
    if (role === 'main_consumption') spoil(consumed, name, site, months)
  }
  return { id, facility, produced, consumed }
}
