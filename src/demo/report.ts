import { formatKwh, formatTry, type Kwh, parseKwh, parsePrice, parseTry, total } from '../kernel/decimal.ts'
import { iso, periodRange } from '../kernel/time.ts'
import { type ApiRecord, type Client, text } from './client.ts'
import { type Comparison, compareNetting, meanPrice } from './money.ts'
import { priceInTable } from './prices.ts'
import type { SiteGroup } from './site.ts'

/** The last full month of one group, ready to print. */
export interface GroupReport {
  readonly group: SiteGroup
  readonly month: string
  readonly summary: ApiRecord
  readonly comparison: Comparison
}

const ENERGY: readonly (readonly [field: string, label: string])[] = [
  ['production_kwh', 'Production'],
  ['consumption_kwh', 'Consumption'],
  ['matched_kwh', 'Matched'],
  ['bedelli_kwh', 'Paid surplus'],
  ['skb_kwh', 'Over-limit surplus'],
  ['bedelsiz_kwh', 'Free (unpaid) surplus'],
]

/** The amounts with the direction of payment as seen from the site: + received, - paid. */
const MONEY: readonly (readonly [type: string, sign: string, meaning: string])[] = [
  ['supplier_payment_for_matched_consumption', '+', 'paid to the suppliers for matched energy'],
  ['sktt_matched_consumption', '+', 'the same at the last-resource tariff'],
  ['mesken_monthly_amount', '+', 'matched energy of homes, by the month'],
  ['producer_payment_for_bedelli_surplus', '+', 'paid to the producer for paid surplus'],
  ['system_usage_fee_for_skb', '-', 'owed by the producer for over-limit surplus'],
  ['estimated_savings', '+', 'estimate: what consumers need not buy'],
  ['estimated_loss_or_risk', '-', 'estimate: what free surplus did not earn'],
]

export async function readReport(
  client: Client,
  group: SiteGroup,
  query: { readonly groupId: string; readonly month: string },
): Promise<GroupReport> {
  const { groupId, month } = query
  const path = `mahsuplasma/groups/${groupId}`
  const summaries = await client.list(`${path}/monthly-summary?year=${month.slice(0, 4)}`)
  const summary = summaries.find((row) => row['billing_period'] === month)
  if (!summary) throw new Error(`${group.name} has no summary of ${month}`)
  const { from, to } = periodRange(month)
  const hours = await client.list(`${path}/hourly?from=${iso(from)}&to=${iso(to)}&limit=2000`)
  const abone = group.netting === 'hourly' ? 'sanayi' : 'mesken'
  const kwh = (field: string): Kwh => parseKwh(text(summary, field))
  const comparison = compareNetting({
    productionKwh: kwh('production_kwh'),
    consumptionKwh: kwh('consumption_kwh'),
    matchedByHourKwh: total(hours.map((hour) => parseKwh(text(hour, 'matched_kwh')))),
    savedTryPerKwh: meanPrice(parseTry(amountOf(summary, 'estimated_savings') ?? '0'), kwh('matched_kwh')),
    paidTryPerKwh: parsePrice(priceInTable('mahsuplasma_lowest_related_tariff', abone)),
    feeTryPerKwh: parsePrice(priceInTable('system_usage', 'other', 'lisanssiz_uretici_2')),
    limitKwh: summary['limit_opening_kwh'] == null ? null : kwh('limit_opening_kwh'),
  })
  return { group, month, summary, comparison }
}

const amountOf = (summary: ApiRecord, type: string): string | undefined =>
  (summary['amounts_try'] as Readonly<Record<string, string | null>>)[type] ?? undefined

const grouped = (decimal: string): string =>
  decimal.replace(
    /^(-?)(\d+)/,
    (_, sign: string, whole: string) => `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}`,
  )

const NUMBER_WIDTH = 18
const LABEL_WIDTH = 44
const line = (label: string, number: string, note = ''): string =>
  `  ${label.padEnd(LABEL_WIDTH)}${number.padStart(NUMBER_WIDTH)}${note && `   ${note}`}`.trimEnd()

const monthName = (month: string): string =>
  new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(month))

/** Returns the table of one group as lines. */
export function reportLines({ group, month, summary, comparison }: GroupReport): string[] {
  const isHourly = group.netting === 'hourly'
  const netting = isHourly ? 'netted by the hour' : 'homes, netted by the month'
  const money = MONEY.flatMap(([type, sign, meaning]) => {
    const amount = amountOf(summary, type)
    return amount === undefined ? [] : [line(type, grouped(amount), `${sign} ${meaning}`)]
  })
  const { matchedLessKwh, costTry } = comparison
  return [
    `${group.name} (group ${group.key}, ${netting}), ${monthName(month)}`,
    line('', 'kWh'),
    ...ENERGY.map(([field, label]) => line(label, grouped(text(summary, field)))),
    line('', 'TRY', '+ to the site, - from it'),
    ...money,
    isHourly ? '  Hourly netting instead of monthly cost' : '  Hourly netting instead of monthly would cost',
    line('  matched energy, kWh', grouped(formatKwh(matchedLessKwh))),
    line('  money, TRY', grouped(formatTry(costTry))),
  ]
}

export const METHOD =
  'Hourly against monthly: the month once as its hours and once as one slice; matched energy at the mean saving of ' +
  'the month,\nsurplus at the paid price within the limit left on its first day, less the system usage fee beyond.'
