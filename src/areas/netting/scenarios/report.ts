import { found } from '../../../kernel/errors.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { languageOf } from '../../../platform/pdf/language.ts'
import { makePrinted, printedDecimal } from '../../../platform/reports/printed.ts'
import { openReport, type Report, type ReportLocale } from '../../../platform/reports/report.ts'
import { memberRows, monthRow, resultOf } from './results.ts'
import type { ScenarioReportQuery } from './schema.ts'
import * as store from './store.ts'

type Labels = Readonly<Record<ReportLocale, string>>
const label = (tr: string, en: string): Labels => ({ tr, en })

const TITLE: Readonly<Record<ScenarioReportQuery['kind'], Labels>> = {
  months: label('Senaryo: aylar', 'Scenario: months'),
  members: label('Senaryo: tesisler', 'Scenario: facilities'),
  hours: label('Senaryo: saatler', 'Scenario: hours'),
}
const FIXED = {
  group: label('Grup', 'Group'),
  billing_period: label('Fatura dönemi', 'Billing period'),
  facility: label('Tesis', 'Facility'),
  hour: label('Saat başlangıcı (Türkiye saati)', 'Start of the hour (Turkish time)'),
  benefit_try: label('Fayda (TL)', 'Benefit (TRY)'),
}
const FIGURES: Readonly<Record<string, Labels>> = {
  production_kwh: label('Üretim (kWh)', 'Production (kWh)'),
  consumption_kwh: label('Tüketim (kWh)', 'Consumption (kWh)'),
  matched_kwh: label('Mahsuplaşan (kWh)', 'Matched (kWh)'),
  matched_consumption_kwh: label('Mahsuplaşan tüketim (kWh)', 'Matched consumption (kWh)'),
  net_import_kwh: label('Satın alınan (kWh)', 'Bought (kWh)'),
  bedelli_kwh: label('Bedelli (kWh)', 'Paid surplus (kWh)'),
  skb_kwh: label('SKB ödemeli (kWh)', 'Surplus with system usage fee (kWh)'),
  revenue_try: label('Gelir (TL)', 'Revenue (TRY)'),
  fee_try: label('Bedel (TL)', 'Fee (TRY)'),
  purchase_try: label('Satın alma (TL)', 'Purchase (TRY)'),
  balance_try: label('Bakiye (TL)', 'Balance (TRY)'),
}
const SIDES = { base: label('temel', 'base'), scenario: label('senaryo', 'scenario') }
const STALE = label(
  'Temeldeki bir sonuç hesaptan sonra değişti.',
  'A result of the base has changed since the calculation.',
)

const FIELDS: Readonly<Record<ScenarioReportQuery['kind'], readonly string[]>> = {
  months: [
    'production_kwh',
    'consumption_kwh',
    'matched_kwh',
    'net_import_kwh',
    'bedelli_kwh',
    'skb_kwh',
    'balance_try',
  ],
  members: [
    'production_kwh',
    'consumption_kwh',
    'matched_consumption_kwh',
    'net_import_kwh',
    'bedelli_kwh',
    'skb_kwh',
  ].concat(['revenue_try', 'fee_try', 'purchase_try']),
  hours: [
    'production_kwh',
    'consumption_kwh',
    'matched_kwh',
    'net_import_kwh',
    'bedelli_kwh',
    'skb_kwh',
    'balance_try',
  ],
}
/** What the PDF shows, because a page has room for a few columns. */
const PRINTED = [
  'matched_kwh',
  'matched_consumption_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'purchase_try',
  'balance_try',
]

type Cell = string | null
interface ReportRow {
  /** Texts; of the hours also the start of the hour, epoch milliseconds. */
  readonly keys: readonly (string | number)[]
  readonly base: Readonly<Record<string, Cell>> | null
  readonly scenario: Readonly<Record<string, Cell>> | null
}
const asFigures = (value: object | null) => value as Readonly<Record<string, Cell>> | null

/** Opens a report of a finished scenario: every figure without and with the changes. */
export async function openScenarioReport(
  tenant: TenantDb,
  id: string,
  { query, now }: { readonly query: ScenarioReportQuery; readonly now: number },
) {
  const { scenario, months } = await resultOf(tenant, id)
  const { kind, format, locale } = query
  const isNames = query.headers === 'names'
  const keys = [
    'group',
    'billing_period',
    ...(kind === 'members' ? ['facility'] : kind === 'hours' ? ['hour'] : []),
  ]
  const titleOf = (name: string) =>
    isNames ? name : ((FIXED as Record<string, Labels>)[name]?.[locale] ?? name)
  const figureTitle = (name: string, side: keyof typeof SIDES) =>
    isNames ? `${side}_${name}` : `${FIGURES[name]?.[locale] ?? name}, ${SIDES[side][locale]}`
  const fields = FIELDS[kind]
  const rowsOf = async function* (): AsyncGenerator<ReportRow[]> {
    if (kind === 'months') {
      yield months.map(monthRow).map((row) => ({
        keys: [row.group_name, row.billing_period],
        base: asFigures(row.base),
        scenario: asFigures(row.scenario),
      }))
    } else if (kind === 'members') {
      yield (await memberRows(tenant, scenario, months)).map((row) => ({
        keys: [row.group_name, row.billing_period, row.facility_name ?? row.facility_id],
        base: asFigures(row.base),
        scenario: asFigures(row.scenario),
      }))
    } else {
      for (const { group_id: groupId, group_name, billing_period: billingPeriod } of months) {
        const hours = found('month', await store.readHours(tenant, id, { groupId, billingPeriod }))
        yield hours.map((row) => ({
          keys: [group_name, billingPeriod, Date.parse(row.hour)],
          base: asFigures(row.base),
          scenario: asFigures(row.scenario),
        }))
      }
    }
  }
  const columns = fields.flatMap((name) => [
    { name, side: 'base' as const },
    { name, side: 'scenario' as const },
  ])
  const report: Report = {
    title: TITLE[kind][locale],
    fileName: `netsaat-scenario-${kind}-${id}`,
    columns: [
      ...keys.map((name) => ({
        title: titleOf(name),
        kind: name === 'hour' ? ('instant' as const) : ('text' as const),
      })),
      ...columns.map(({ name, side }) => ({ title: figureTitle(name, side), kind: 'number' as const })),
    ],
    portions: (async function* () {
      for await (const rows of rowsOf())
        yield rows.map((row) => [...row.keys, ...columns.map(({ name, side }) => row[side]?.[name] ?? null)])
    })(),
    async printed() {
      const shown = columns.filter(({ name }) => PRINTED.includes(name))
      const rows: string[][] = []
      for await (const portion of rowsOf())
        for (const row of portion)
          rows.push([
            ...row.keys.map((key) => (typeof key === 'number' ? languageOf(locale).time(key) : key)),
            ...shown.map(({ name, side }) => printedDecimal(row[side]?.[name] ?? null, locale)),
          ])
      return makePrinted({
        lines: [scenario.name, `${scenario.from_period.slice(0, 7)} – ${scenario.to_period.slice(0, 7)}`],
        columns: [
          ...keys.map((name) => ({ title: titleOf(name), width: 2 })),
          ...shown.map(({ name, side }) => ({ title: figureTitle(name, side), width: 2, isNumber: true })),
        ],
        rows,
        notes: scenario.is_stale ? [STALE[locale]] : [],
      })
    },
  }
  return { fileName: report.fileName, content: await openReport(report, { format, locale, at: now }) }
}
