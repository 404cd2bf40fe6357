import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { at } from '../../../kernel/checked.ts'
import { wh } from '../../../kernel/decimal.ts'
import { addMonths, type BillingPeriod, HOUR_MS, periodEnd, periodStart } from '../../../kernel/time.ts'
import type { HourlyForecastInput } from './forecast-hours.ts'
import { addScore, emptySums, scoreOf } from './score.ts'
import type { HourlySeries } from './series.ts'

const fileOf = (path: string): string =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8').trimEnd()
const rowsOf = (path: string): string[] =>
  fileOf(path)
    .split('\n')
    .filter((line) => !line.startsWith('#'))
const hoursOfDays = (path: string): number[] => rowsOf(path).flatMap((line) => line.split(',').map(Number))

const doc = fileOf('docs/understand/netting/hourly-forecast.md')
const solarShape = hoursOfDays('seed/profiles/solar-2024.csv')

const seriesOf = (from: BillingPeriod, values: readonly number[]): HourlySeries => ({
  from: periodStart(from),
  valuesKwh: values.map((value) => wh(BigInt(value))),
})

/** A column of the homes, in the order in which it was measured: from 1 August on. */
function homeSeries(column: number): HourlySeries {
  const rows = rowsOf('seed/demo/hours.csv').slice(1)
  const first = rows.findIndex((row) => row.startsWith('08-01,00'))
  const values = [...rows.slice(first), ...rows.slice(0, first)].map((row) =>
    Number(at(row.split(','), column)),
  )
  return seriesOf('2022-08-01', values)
}

function scoreMonths(
  kind: HourlyForecastInput['kind'],
  history: HourlySeries,
  { from, months }: { readonly from: BillingPeriod; readonly months: number },
) {
  const sums = emptySums()
  for (let index = 0; index < months; index += 1) {
    const month = addMonths(from, index)
    const hours = (periodEnd(month) - periodStart(month)) / HOUR_MS
    // The homes are in California, so Turkish holidays say nothing about them.
    const calendar = () => undefined
    addScore(sums, { kind, history, from: periodStart(month), hours, solarShape, calendar })
  }
  const { maeWh, weekMaeWh, yearMaeWh, pinballWh, coveragePermille } = scoreOf(sums)
  const coverage = `${(Number(coveragePermille) / 10).toFixed(1)} %`
  return [maeWh, weekMaeWh, yearMaeWh ?? '-', pinballWh, coverage].map(String)
}

test('the scores of the document are those of the held-back months', () => {
  const homes = { from: '2022-11-01', months: 9 }
  const national = [...solarShape, ...hoursOfDays('test/data/solar-plan-2025.csv')]
  const scores = new Map<string, string[]>()
  for (const [index, home] of ['home 1', 'home 2', 'home 3'].entries()) {
    scores.set(`${home}, load`, scoreMonths('consumption', homeSeries(2 + 2 * index), homes))
    scores.set(`${home}, plant`, scoreMonths('production', homeSeries(3 + 2 * index), homes))
  }
  const solar = seriesOf('2024-01-01', national)
  scores.set('national solar plan', scoreMonths('production', solar, { from: '2025-01-01', months: 11 }))
  const block = /^```text scores.*\n([^`]*)^```$/m.exec(doc)?.[1] ?? ''
  const lines = [...scores].map(([name, values]) => `${name}: ${values.join(', ')}`)
  expect(block.trimEnd().split('\n')).toEqual(lines)
})
