import { readFileSync } from 'node:fs'
import { addMonths, type BillingPeriod, periodOf, periodStart } from '../kernel/time.ts'
import { packageFile } from '../platform/files/package-file.ts'

/**
 * The demo site as data: seed/demo/site.json. It is a file and not code, so that the independent check of
 * the demo (verify.ts) reads the same data without sharing code with the service. Energy in whole Wh.
 */
export interface Site {
  readonly tenant: { readonly name: string; readonly slug: string }
  readonly user: { readonly email: string; readonly full_name: string }
  readonly region: { readonly name: string; readonly code: string }
  readonly city: string
  readonly scope: { readonly name: string; readonly declaration_source: 'customer_declaration' }
  readonly distribution_company: string
  readonly supplier: string
  readonly groups: readonly SiteGroup[]
  readonly events: SiteEvents
}

export interface SiteGroup {
  readonly key: 'A' | 'B'
  readonly name: string
  readonly netting: 'hourly' | 'monthly'
  readonly facilities: readonly SiteFacility[]
}

export interface SiteFacility {
  readonly name: string
  readonly member_role: 'production' | 'consumption' | 'mixed'
  readonly abone_grubu?: 'sanayi' | 'mesken'
  readonly tariff_supply_type?: 'regulated' | 'sktt' | 'bilateral'
  readonly is_multi_time?: boolean
  readonly source_type?: 'solar'
  readonly producer_tariff_group?: 'lisanssiz_uretici_2'
  readonly voltage_level: 'AG' | 'OG'
  readonly contracted_power_kw?: number
  /** Its share of the group's yearly limit; a facility without a share has no limit account. */
  readonly limit_share?: number
  readonly pv?: Photovoltaics
  readonly load?: Load
  readonly meters: readonly SiteMeter[]
}

export interface Photovoltaics {
  readonly building: number
  readonly installed_w: number
}

/** floor(load × permille / 1000) + base, of the hour that lies `shift_hours` earlier. */
export interface Load {
  readonly building: number
  readonly permille: number
  readonly base_wh: number
  readonly shift_hours: number
}

export interface SiteMeter {
  readonly name: string
  readonly role: 'main_production' | 'main_consumption' | 'pcc_import_export'
  /** The value of its registers at the start. */
  readonly first_wh: number
}

/** Events of the site; each number counts months back from the last full one. */
export interface SiteEvents {
  /** The meter is replaced; the new one starts at zero in this minute of the day. */
  readonly reset: EventDay & { readonly minute: number }
  readonly silent_day: EventDay
  readonly silent_hours: EventDay & { readonly first_hour: number; readonly hours: number }
}

interface EventDay {
  readonly meter: string
  readonly months_before: number
  readonly day: number
}

const SEED = packageFile('seed/demo/')

export const readSeed = (name: string): string => readFileSync(new URL(name, SEED), 'utf8')
export const readSite = (): Site => JSON.parse(readSeed('site.json')) as Site

/** The months of a demo, fixed at its first load. */
export interface Calendar {
  /** Oldest first; the last is the month of the load. */
  readonly months: readonly BillingPeriod[]
  readonly origin: number
  /** The month that is printed and verified. */
  readonly lastFullMonth: BillingPeriod
}

export const MONTHS_DEFAULT = 12

/** The last `count` months (at least 2), ending with the month of `now`. */
export function calendarUntil(now: number, count: number): Calendar {
  const current = periodOf(now)
  const months = Array.from({ length: count }, (_, index) => addMonths(current, index + 1 - count))
  return { months, origin: periodStart(months[0] ?? current), lastFullMonth: addMonths(current, -1) }
}

const NOTES = /^demo: (\d{4}-\d{2}-01) to (\d{4}-\d{2}-01)$/

/** Encodes the months in the notes of the demo's scope. */
export const calendarNotes = ({ months }: Calendar): string => `demo: ${months[0]} to ${months.at(-1)}`

export function calendarOfNotes(notes: string): Calendar {
  const [, first, last] = NOTES.exec(notes) ?? []
  if (!first || !last) throw new Error('the scope of the demo does not say which months it holds')
  const months: BillingPeriod[] = []
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month)
  return { months, origin: periodStart(first), lastFullMonth: addMonths(last, -1) }
}
