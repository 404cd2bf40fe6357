import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  makeAssignment,
  makeFacts,
  makeMember,
  makePrices,
} from '../../../test/support/netting/netting-input.ts'
import { formatKwh, formatTry, type Kwh, parseKwh, subtract, type Try, wh } from '../../kernel/decimal.ts'
import { dayStart, HOUR_MS, type LocalDate, periodStart } from '../../kernel/time.ts'
import { COUNTS_AS, type CountsAs, compareNetting, type Side } from './comparison.ts'
import { forecastLimit } from './forecast/forecast.ts'
import { datesBetween } from './forecast/year-usage.ts'
import type { AmountType, PricePurpose } from './types.ts'

const doc = readFileSync(new URL('../../../docs/understand/netting/forecast.md', import.meta.url), 'utf8')

function block(title: string): string[] {
  const text = new RegExp(`^\`\`\`text ${title}.*\n([^\`]*)^\`\`\`$`, 'm').exec(doc)?.[1]
  return text?.trimEnd().split('\n') ?? []
}

function compareDocumented() {
  const start = periodStart('2026-06-01')
  const rows = block('hours').map((line) => line.split(' ') as [string, string, string])
  return compareNetting({
    groupId: 'group',
    groupName: 'Group',
    billingPeriod: '2026-06-01',
    window: { from: start, to: start + 24 * HOUR_MS },
    eligibilityStatus: 'valid',
    members: [makeMember('plant', { role: 'production' }), makeMember('works')],
    assignments: [makeAssignment('plant', 'main_production'), makeAssignment('works', 'main_consumption')],
    facts: rows.flatMap(([hour, production, consumption]) => [
      ...makeFacts('plant', start + Number(hour) * HOUR_MS, { production: parseKwh(production) }),
      ...makeFacts('works', start + Number(hour) * HOUR_MS, { consumption: parseKwh(consumption) }),
    ]),
    accounts: [{ accountId: 'a', facilityId: 'works', year: 2026, openingBalanceKwh: wh(100_000n) }],
    prices: block('prices').flatMap((line) => {
      const [purpose, price = ''] = line.split(' ')
      return makePrices([{ abone: 'sanayi', purpose: purpose as PricePurpose, price, segment: 'tek' }])
    }),
    stepStates: [],
  })
}

const kwh = (value: Kwh | null): string => (value === null ? 'null' : formatKwh(value))
const lira = (value: Try | null): string => (value === null ? 'null' : formatTry(value))

function linesOf({ energy, amounts, totalTry }: Side): string[] {
  const sum = (kind: CountsAs): string => {
    const types = (Object.keys(COUNTS_AS) as AmountType[]).filter((type) => COUNTS_AS[type] === kind)
    return `${kind} ${types.map((type) => lira(amounts[type].amountTry)).join(' + ')}`
  }
  return [
    `matched_kwh ${kwh(energy.matchedKwh)}`,
    `bedelli_kwh ${kwh(energy.bedelliKwh)}`,
    `net_import_kwh ${kwh(energy.netImportKwh)}`,
    `limit_used_kwh ${formatKwh(energy.limitUsedKwh)}`,
    sum('revenue'),
    sum('avoided_cost'),
    sum('cost'),
    `total ${lira(totalTry)}`,
  ]
}

test('the documented comparison equals the result of the engine', () => {
  const { hourly, monthly } = compareDocumented()
  expect(block('hourly')).toEqual(linesOf(hourly))
  expect(block('monthly')).toEqual(linesOf(monthly))
  const difference = hourly.totalTry && monthly.totalTry && subtract(hourly.totalTry, monthly.totalTry)
  expect(block('difference')).toEqual([`total ${lira(difference)}`])
})

test('the documented table states how each type of amount counts', () => {
  for (const [type, countsAs] of Object.entries(COUNTS_AS)) {
    const row = doc.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${type}\``))
    expect(row?.split('|')[2]?.trim().replace(' ', '_'), type).toBe(countsAs)
  }
})

test('the documented forecast equals the computed one', () => {
  const perDay = (date: LocalDate) =>
    date.slice(5, 7) >= '05' && date.slice(5, 7) <= '10' ? 30_000n : 10_000n
  const year = (from: LocalDate, to: LocalDate, share: bigint) => ({
    usedByDay: new Map(datesBetween(from, to).map((date) => [date, wh(perDay(date) / share)])),
    calculated: [{ from: dayStart(from), to: dayStart(to) }],
  })
  const result = forecastLimit({
    year: 2026,
    now: dayStart('2026-10-30'),
    current: { ...year('2026-01-01', '2026-10-30', 2n), remainingKwh: wh(40_000n) },
    lastYear: { ...year('2025-01-01', '2026-01-01', 1n), remainingKwh: wh(1n) },
  })
  expect(block('forecast')).toEqual([
    `scale ${formatKwh(result.comparedKwh)} / ${formatKwh(result.comparedLastYearKwh)}`,
    ...result.months.map(({ month, days, perDayKwh }) => `${month} ${days} days ${formatKwh(perDayKwh)}`),
    `run_out_date ${result.runOutDate}`,
    `shortfall_kwh ${formatKwh(result.shortfallKwh)}`,
    `confidence ${result.confidence}`,
  ])
})
