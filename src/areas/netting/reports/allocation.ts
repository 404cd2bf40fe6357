import type { AllocatedEnergy } from '../../../core/netting/allocation.ts'
import { formatKwh, type Kwh, total, ZERO_KWH } from '../../../kernel/decimal.ts'
import { printedDecimal } from '../../../platform/reports/printed.ts'
import type { Report } from '../../../platform/reports/report.ts'
import type { OutRow } from '../../../platform/tables/index.ts'
import { COLUMNS, SENTENCES } from './labels.ts'
import { headOf, printedTable, type ReportContext } from './report-context.ts'
import { listFacilityNames } from './store.ts'

/** A matrix with a row for each producer and a column for each consumer; the PDF lists its cells instead. */
export async function allocationReport(
  context: ReportContext,
  allocated: readonly AllocatedEnergy[],
): Promise<Report> {
  const { tenant, words, locale } = context
  const ids = allocated.flatMap(({ producerId, consumerId }) => [producerId, consumerId])
  const names = await listFacilityNames(tenant, [...new Set(ids)])
  const nameOf = (id: string): string => names.get(id) ?? id
  const sorted = (list: Iterable<string>): string[] =>
    [...new Set(list)].sort((a, b) => nameOf(a).localeCompare(nameOf(b), locale) || (a < b ? -1 : 1))
  const producers = sorted(allocated.map(({ producerId }) => producerId))
  const consumers = sorted(allocated.map(({ consumerId }) => consumerId))
  const cells = new Map<string, Kwh>()
  for (const { producerId, consumerId, matchedKwh } of allocated) {
    const key = `${producerId} ${consumerId}`
    cells.set(key, ((cells.get(key) ?? 0n) + matchedKwh) as Kwh)
  }
  const cell = (producer: string, consumer: string): Kwh => cells.get(`${producer} ${consumer}`) ?? ZERO_KWH
  const rowOf = (name: string, values: readonly Kwh[]): OutRow => [
    name,
    ...values.map(formatKwh),
    formatKwh(total(values)),
  ]
  const matrix = [
    ...producers.map((producer) =>
      rowOf(
        nameOf(producer),
        consumers.map((consumer) => cell(producer, consumer)),
      ),
    ),
    rowOf(
      words.title('total'),
      consumers.map((consumer) => total(producers.map((producer) => cell(producer, consumer)))),
    ),
  ]
  return {
    ...headOf(context, 'allocation'),
    columns: [
      { title: words.title('producer'), kind: 'text', width: 28 },
      ...consumers.map((consumer) => ({ title: nameOf(consumer), kind: 'number' as const, width: 18 })),
      { title: words.title('total'), kind: 'number', width: 18 },
    ],
    portions: [matrix],
    async printed() {
      const rows = producers.flatMap((producer) =>
        consumers.map((consumer) => [
          nameOf(producer),
          nameOf(consumer),
          printedDecimal(formatKwh(cell(producer, consumer)), locale),
        ]),
      )
      const sum = formatKwh(total([...cells.values()]))
      const columns = [
        { title: COLUMNS.producer[locale], width: 3 },
        { title: COLUMNS.consumer[locale], width: 3 },
        { title: COLUMNS.matched_kwh[locale], width: 2, isNumber: true },
      ]
      const all = [...rows, [COLUMNS.total[locale], '', printedDecimal(sum, locale)]]
      return printedTable(context, columns, all, [SENTENCES.allocation])
    },
  }
}
