import { worseQuality } from '../../../core/netting/sources.ts'
import type { DataQuality } from '../../../core/netting/types.ts'
import { DAY_MS, periodRange } from '../../../kernel/time.ts'
import { languageOf } from '../../../platform/pdf/language.ts'
import { type PrintedColumn, printedDecimal } from '../../../platform/reports/printed.ts'
import type { Report } from '../../../platform/reports/report.ts'
import type { OutRow } from '../../../platform/tables/index.ts'
import { RESULT_HOUR_KWH_COLUMNS } from '../calculation/index.ts'
import { COLUMNS, type ColumnName, SENTENCES } from './labels.ts'
import { columnsOf, headOf, KwhSum, printedTable, type ReportContext, TrySum } from './report-context.ts'
import { type AmountRow, type HourRow, listAmounts, listHours, listMeters, type MeterRow } from './store.ts'

/** Reads the rows of the period day by day, so that memory does not depend on the length of the month. */
async function* byDay<Row>(
  { runIds, billingPeriod }: ReportContext,
  read: (range: { runIds: readonly string[]; from: number; to: number }) => Promise<Row[]>,
): AsyncGenerator<readonly Row[]> {
  const { from, to } = periodRange(billingPeriod)
  for (let day = from; day < to; day += DAY_MS) {
    const rows = await read({ runIds, from: day, to: Math.min(to, day + DAY_MS) })
    if (rows.length > 0) yield rows
  }
}

async function* mapRows<Row>(portions: AsyncIterable<readonly Row[]>, toRow: (row: Row) => OutRow) {
  for await (const rows of portions) yield rows.map(toRow)
}

const number = (title: string, width = 2): PrintedColumn => ({ title, width, isNumber: true })

const PRINTED_HOURS = [
  'production_kwh',
  'consumption_kwh',
  'matched_kwh',
  'net_import_kwh',
  'bedelli_kwh',
  'skb_kwh',
  'bedelsiz_kwh',
  'limit_used_kwh',
] as const

export function hoursReport(context: ReportContext): Report {
  const { tenant, words, locale } = context
  const days = () => byDay(context, (range) => listHours(tenant, range))
  return {
    ...headOf(context, 'hours'),
    columns: columnsOf(context, ['hour', ...RESULT_HOUR_KWH_COLUMNS, 'data_quality']),
    portions: mapRows(days(), (row) => [
      row.hour.getTime(),
      ...RESULT_HOUR_KWH_COLUMNS.map((column) => row[column]),
      words.word('data_quality', row.data_quality),
    ]),
    async printed() {
      const language = languageOf(locale)
      const total = makeSums()
      const rows: string[][] = []
      let quality: DataQuality = 'complete'
      for await (const hours of days()) {
        const sums = makeSums()
        const worst = hours.map((row) => row.data_quality).reduce(worseQuality, 'complete')
        quality = worseQuality(quality, worst)
        for (const row of hours) for (const column of PRINTED_HOURS) addTo([sums, total], column, row)
        const day = language.date(hours[0]?.hour.getTime() ?? 0)
        rows.push([day, ...textsOf(sums), words.word('data_quality', worst)])
      }
      rows.push([COLUMNS.total[locale], ...textsOf(total), words.word('data_quality', quality)])
      const columns = [
        { title: COLUMNS.day[locale], width: 1.6 },
        ...PRINTED_HOURS.map((column) => number(COLUMNS[column][locale])),
        { title: COLUMNS.data_quality[locale], width: 1.6 },
      ]
      return printedTable(context, columns, rows, [SENTENCES.byDay])
    },
  }

  function textsOf(sums: ReturnType<typeof makeSums>): string[] {
    return PRINTED_HOURS.map((column) => printedDecimal(sums[column].text(), locale))
  }
}

type PrintedHour = (typeof PRINTED_HOURS)[number]
const makeSums = () =>
  Object.fromEntries(PRINTED_HOURS.map((column) => [column, new KwhSum()])) as Record<PrintedHour, KwhSum>
const addTo = (sums: readonly Record<PrintedHour, KwhSum>[], column: PrintedHour, row: HourRow) => {
  for (const each of sums) each[column].add(row[column])
}

const METER_COLUMNS = ['virtual_meter_type', 'grid_operator', 'source_kind', 'reason_code'] as const

export function metersReport(context: ReportContext): Report {
  const { tenant, words, locale } = context
  const days = () => byDay(context, (range) => listMeters(tenant, range))
  const labelsOf = (row: MeterRow) => [
    words.word('virtual_meter_type', row.virtual_meter_type),
    row.grid_operator,
    words.word('source_kind', row.source_kind),
    words.word('reason_code', row.reason_code),
  ]
  return {
    ...headOf(context, 'virtual_meters'),
    columns: columnsOf(context, ['hour', ...METER_COLUMNS, 'energy_kwh']),
    portions: mapRows(days(), (row) => [row.hour.getTime(), ...labelsOf(row), row.energy_kwh]),
    async printed() {
      const language = languageOf(locale)
      const rows: string[][] = []
      for await (const hours of days()) {
        const sums = new Map<string, { labels: readonly (string | null)[]; sum: KwhSum }>()
        for (const row of hours) {
          const labels = labelsOf(row)
          const known = sums.get(labels.join('\n')) ?? { labels, sum: new KwhSum() }
          known.sum.add(row.energy_kwh)
          sums.set(labels.join('\n'), known)
        }
        const day = language.date(hours[0]?.hour.getTime() ?? 0)
        for (const { labels, sum } of sums.values())
          rows.push([day, ...labels.map((label) => label ?? '–'), printedDecimal(sum.text(), locale)])
      }
      const text = (column: ColumnName, width: number) => ({ title: COLUMNS[column][locale], width })
      const columns = [
        text('day', 1.4),
        text('virtual_meter_type', 1.6),
        text('grid_operator', 3),
        text('source_kind', 1.6),
        text('reason_code', 2.4),
        number(COLUMNS.energy_kwh[locale]),
      ]
      return printedTable(context, columns, rows, [SENTENCES.byDay])
    },
  }
}

const AMOUNT_COLUMNS = [
  'amount_type',
  'facility',
  'grid_operator',
  'source_kind',
  'step_no',
  'quantity_kwh',
  'unit_price_try_per_kwh',
  'amount_try',
] as const

export function amountsReport(context: ReportContext): Report {
  const { tenant, words, locale } = context
  const days = () => byDay(context, (range) => listAmounts(tenant, range))
  return {
    ...headOf(context, 'amounts'),
    columns: columnsOf(context, ['hour', ...AMOUNT_COLUMNS]),
    portions: mapRows(days(), (row) => [
      row.hour.getTime(),
      words.word('amount_type', row.amount_type),
      row.facility,
      row.grid_operator,
      row.source_kind === null ? null : words.word('source_kind', row.source_kind),
      row.step_no,
      row.quantity_kwh,
      row.unit_price_try_per_kwh,
      row.amount_try,
    ]),
    async printed() {
      const sums = new Map<string, AmountSum>()
      for await (const rows of days()) for (const row of rows) addAmount(sums, row)
      const sorted = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
      const rows = sorted.map(({ row, quantity, amount }) => [
        words.word('amount_type', row.amount_type),
        row.facility ?? row.grid_operator ?? '–',
        printedDecimal(quantity.text(), locale),
        printedDecimal(amount.text(), locale),
      ])
      const columns = [
        { title: COLUMNS.amount_type[locale], width: 4 },
        { title: COLUMNS.facility[locale], width: 3 },
        number(COLUMNS.quantity_kwh[locale]),
        number(COLUMNS.amount_try[locale]),
      ]
      const { byMonth, withoutTax, withoutPrice } = SENTENCES
      return printedTable(context, columns, rows, [byMonth, withoutTax, withoutPrice])
    },
  }
}

interface AmountSum {
  readonly row: AmountRow
  readonly quantity: KwhSum
  readonly amount: TrySum
}

function addAmount(sums: Map<string, AmountSum>, row: AmountRow): void {
  const key = `${row.amount_type}\n${row.facility ?? ''}\n${row.grid_operator ?? ''}`
  const known = sums.get(key) ?? { row, quantity: new KwhSum(), amount: new TrySum() }
  known.quantity.add(row.quantity_kwh)
  known.amount.add(row.amount_try)
  sums.set(key, known)
}
