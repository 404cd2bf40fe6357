/** A year of three plants and eleven consumers: the files of an import of history, and its energy by hour. */
import { readFileSync } from 'node:fs'
import type { SecondPrice } from './second-computation.ts'

export const YEAR_FROM = Date.parse('2025-11-01T00:00:00+03:00')
export const YEAR_TO = Date.parse('2026-11-01T00:00:00+03:00')
const HOUR = 3_600_000
const METER_CHANGE = Date.parse('2026-03-10T14:00:00+03:00')

export interface YearFacility {
  readonly name: string
  readonly group: 'Sanayi' | 'Çarşı'
  readonly role: 'production' | 'consumption'
  readonly voltage: 'AG' | 'OG'
  /** Wh of an average hour, or of the best hour of a plant. */
  readonly size: number
  readonly producerClass?: '1'
  readonly source?: 'solar' | 'wind'
  /** The first day after the membership. */
  readonly leaves?: string
  readonly isMeterChanged?: boolean
  /** Initial limits in kWh. */
  readonly limits?: Readonly<Record<'2025' | '2026', number>>
}

const consumer = (
  group: YearFacility['group'],
  size: number,
  rest: Partial<YearFacility> & Pick<YearFacility, 'limits'>,
): Omit<YearFacility, 'name'> => ({ group, role: 'consumption', voltage: 'AG', size, ...rest })

const CONSUMERS = [
  consumer('Sanayi', 90_000, { voltage: 'OG', limits: { 2025: 60_000, 2026: 320_000 } }),
  consumer('Sanayi', 140_000, { voltage: 'OG', limits: { 2025: 15_000, 2026: 410_000 } }),
  consumer('Sanayi', 35_000, { limits: { 2025: 9000, 2026: 90_000 } }),
  consumer('Sanayi', 12_000, { limits: { 2025: 4000, 2026: 12_345 } }),
  consumer('Sanayi', 60_000, { voltage: 'OG', isMeterChanged: true, limits: { 2025: 9000, 2026: 150_000 } }),
  consumer('Sanayi', 22_000, { limits: { 2025: 0, 2026: 60_000 } }),
  consumer('Sanayi', 75_000, { leaves: '2026-06-16', limits: { 2025: 8000, 2026: 500_000 } }),
  consumer('Çarşı', 1500, { limits: { 2025: 2000, 2026: 14_000 } }),
  consumer('Çarşı', 9000, { limits: { 2025: 7000, 2026: 61_000 } }),
  consumer('Çarşı', 18_000, { voltage: 'OG', limits: { 2025: 9000, 2026: 77_777 } }),
  consumer('Çarşı', 4000, { limits: { 2025: 1, 2026: 30_000 } }),
]
export const FACILITIES: readonly YearFacility[] = [
  { name: 'GES 1', group: 'Sanayi', role: 'production', voltage: 'OG', size: 900_000, source: 'solar' },
  {
    ...{ name: 'GES 2', group: 'Sanayi', role: 'production', voltage: 'OG', size: 400_000, source: 'solar' },
    producerClass: '1',
  },
  { name: 'RES', group: 'Çarşı', role: 'production', voltage: 'OG', size: 60_000, source: 'wind' },
  ...CONSUMERS.map((each, index) => ({ ...each, name: `Tüketici ${String(index + 1).padStart(2, '0')}` })),
]

const isBetween = (at: number, from: string, to: string): boolean =>
  at >= Date.parse(`${from}:00+03:00`) && at < Date.parse(`${to}:00+03:00`)

/** Wh of an hour; null where the meter was not read. */
export function energyOf(facility: YearFacility, at: number): bigint | null {
  const number = FACILITIES.indexOf(facility)
  // Missing readings: of one shop, of a plant at noon, and of all shops for two hours.
  if (number === 11 && isBetween(at, '2026-08-12T09:00', '2026-08-12T14:00')) return null
  if (number === 1 && isBetween(at, '2026-05-03T11:00', '2026-05-03T13:00')) return null
  if (number >= 10 && isBetween(at, '2026-02-07T02:00', '2026-02-07T04:00')) return null
  const index = (at - YEAR_FROM) / HOUR
  const [clock, day] = [index % 24, Math.floor(index / 24)]
  const noise = (index * 7919 + number * 104_729 + ((index * index) % 997)) % 1000
  if (facility.source === 'solar') {
    const season = 0.65 - 0.35 * Math.cos(((day - 50) * 2 * Math.PI) / 365)
    const height = Math.max(0, Math.sin(((clock - 6) * Math.PI) / 12.5))
    return BigInt(Math.round(facility.size * season * height * (0.55 + noise / 2300)))
  }
  if (facility.source === 'wind')
    return BigInt(Math.round((facility.size * ((noise * 13 + day * 29) % 1000)) / 1000))
  const isShift = clock >= 8 && clock < 19 && day % 7 < 6
  return BigInt(Math.round(facility.size * (isShift ? 1.4 : 0.45) * (0.8 + noise / 2500)))
}

const scaled = (price: string): bigint => {
  const [whole = '0', part = ''] = price.split('.')
  return BigInt(whole + part.padEnd(6, '0'))
}

const shipped = (name: string): string[][] =>
  readFileSync(`seed/tariffs/${name}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','))

/** Prices of December 2025: a tenth below those of the shipped table of low voltage. */
export function decemberPrices(): string {
  const [header = [], ...rows] = shipped('epdk-2026-04-ag.csv')
  const changed = rows.map(([, , abone, purpose, price = '', ...rest]) => {
    const micro = (scaled(price) * 9n) / 10n
    const text = `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`
    return ['2025-12-01', '2025-12-01', abone, purpose, text, ...rest]
  })
  return [header, ...changed].map((cells) => cells.join(',')).join('\n')
}

export const PRICES: readonly SecondPrice[] = [
  ...decemberPrices()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')),
  ...shipped('epdk-2026-04-ag.csv').slice(1),
  ...shipped('epdk-2026-04-og.csv').slice(1),
].map((cells) => ({
  validFrom: cells[0] ?? '',
  billingPeriod: cells[1] ?? '',
  aboneGrubu: cells[2] ?? '',
  purpose: cells[3] ?? '',
  price: scaled(cells[4] ?? ''),
  voltage: cells[6] ?? '',
  segment: cells[9] ?? '',
  step: cells[10] ?? '',
}))

/** The installations of a facility with the hours that they measure. */
export interface YearMeter {
  readonly installationNo: string
  readonly facility: YearFacility
  readonly from: number
  readonly to: number
}
export const METERS: readonly YearMeter[] = FACILITIES.flatMap((facility, index) => {
  const installationNo = String(4_001_001 + index)
  const whole = { installationNo, facility, from: YEAR_FROM, to: YEAR_TO }
  if (!facility.isMeterChanged) return [whole]
  return [
    { ...whole, to: METER_CHANGE },
    { ...whole, installationNo: `${installationNo}-2`, from: METER_CHANGE },
  ]
})

const csv = (header: string, rows: readonly (readonly (string | number | undefined)[])[]): string =>
  [header, ...rows.map((cells) => cells.map((cell) => cell ?? '').join(';'))].join('\n')

const GROUPS = ['Sanayi', 'Çarşı'] as const

/** The files of the import of history. */
export function historyFiles(): Readonly<Record<string, string>> {
  const local = (at: number): string => new Date(at + 3 * HOUR).toISOString().slice(0, 16).replace('T', ' ')
  return {
    'scopes.csv': csv('name;declaration_source;declared_on', [
      ['Ege A.Ş.', 'official_document', '2025-10-01'],
    ]),
    'organizations.csv': csv('org_type;name', [['supplier', 'Ege Tedarik']]),
    'facilities.csv': csv(
      'name;region;scope;valid_from;abone_grubu;voltage_level;source_type;producer_tariff_group;supplier',
      FACILITIES.map((each) => [
        ...[each.name, 'Ege', 'Ege A.Ş.', '2025-10-01', each.group === 'Sanayi' ? 'sanayi' : 'ticarethane'],
        ...[each.voltage, each.source, each.producerClass && 'lisanssiz_uretici_1', 'Ege Tedarik'],
      ]),
    ),
    'meters.csv': csv(
      'facility;meter_no;measurement_role;valid_from;valid_to;installation_no;device',
      METERS.map(({ facility, installationNo, from, to }) => [
        ...[facility.name, `S-${installationNo}`, `main_${facility.role}`],
        ...[from === YEAR_FROM ? '2025-10-01' : local(from), to === YEAR_TO ? '' : local(to)],
        ...[installationNo, facility.isMeterChanged ? `S-${installationNo}` : ''],
      ]),
    ),
    'groups.csv': csv(
      'name;scope;responsible_supplier;group_status',
      GROUPS.map((name) => [name, 'Ege A.Ş.', 'Ege Tedarik', 'lum_reported']),
    ),
    'members.csv': csv(
      'group;facility;member_role;valid_from;valid_to',
      FACILITIES.map(({ group, name, role, leaves }) => [group, name, role, '2025-11-01', leaves]),
    ),
    'limit_accounts.csv': csv(
      'facility;year;initial_limit_kwh;limit_source',
      FACILITIES.flatMap(({ name, limits }) =>
        Object.entries(limits ?? {}).map(([year, limit]) => [name, year, limit, 'previous_year_consumption']),
      ),
    ),
  }
}

/** The readings of a meter; the time is the start of the hour. Hours without a value have no row. */
export const readingLines = ({ installationNo, facility, from, to }: YearMeter): string[] => {
  const lines: string[] = []
  for (let at = from; at < to; at += HOUR) {
    const wh = energyOf(facility, at)
    if (wh === null) continue
    const cells = facility.role === 'production' ? ['', kwhText(wh)] : [kwhText(wh), '']
    lines.push([installationNo, new Date(at).toISOString(), ...cells].join(';'))
  }
  return lines
}
const kwhText = (wh: bigint): string => `${wh / 1000n}.${String(wh % 1000n).padStart(3, '0')}`
