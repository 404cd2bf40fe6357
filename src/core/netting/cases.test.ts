import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  makeAssignment,
  makeFacts,
  makeMember,
  makePrices,
  type PriceText,
} from '../../../test/support/netting/netting-input.ts'
import {
  formatKwh,
  formatPrice,
  formatTry,
  type Kwh,
  parseKwh,
  type Try,
  ZERO_KWH,
} from '../../kernel/decimal.ts'
import {
  dayStart,
  HOUR_MS,
  hoursOf,
  iso,
  localYear,
  periodStart,
  TURKEY_OFFSET_MS,
} from '../../kernel/time.ts'
import { computePeriod } from './period.ts'
import type {
  AssignmentInput,
  MeasurementRole,
  MemberInput,
  PeriodInput,
  PeriodResult,
  PricePurpose,
} from './types.ts'

/**
 * The golden cases: one JSON file each, quantities and money as exact strings, hours in local time. A fact is
 * one value for all hours of the run or a list with one for each; null is a missing value. An account that
 * says "carry" opens with the balance after the previous run. Of expected hours and sums only the written
 * fields are compared; the lists of meters, amounts, usage and warnings are compared whole where they are
 * written.
 */
interface Run {
  title: string
  status?: PeriodInput['eligibilityStatus']
  period: string
  from: string
  hours: number
  members: Record<string, Partial<MemberInput>>
  meters?: Record<string, MeasurementRole[]>
  accounts?: Record<string, string>
  facts: Record<string, Record<string, string | null | (string | null)[]>>
  prices?: { without?: PricePurpose[]; extra?: PriceText[] } | 'none'
  steps?: Record<string, { consumption: string; missing: boolean }>
  expect: Record<string, unknown>
}
interface Case {
  description: string
  runs: Run[]
}

const folder = new URL('./cases/', import.meta.url)
const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const tariff = readJson('prices-2026-04.json') as PriceText[]
const files = readdirSync(folder).filter((name) => !name.startsWith('prices-'))

const METERS: Record<MemberInput['role'], MeasurementRole[]> = {
  production: ['main_production'],
  consumption: ['main_consumption'],
  mixed: ['main_production', 'pcc_import_export'],
}

const localTime = (instant: number): string => iso(instant + TURKEY_OFFSET_MS).slice(0, 16)

function metersOf(run: Run, facilityId: string): AssignmentInput[] {
  const roles = run.meters?.[facilityId] ?? METERS[run.members[facilityId]?.role ?? 'consumption']
  return roles.map((role) => makeAssignment(facilityId, role))
}

function factsOf(run: Run, hours: readonly number[]): PeriodInput['facts'] {
  return Object.entries(run.facts).flatMap(([facilityId, kinds]) =>
    hours.flatMap((hour, index) => {
      const values = Object.entries(kinds).map(([kind, value]) => {
        const text = Array.isArray(value) ? (value[index] ?? null) : value
        return [kind, text === null ? null : parseKwh(text)]
      })
      return makeFacts(facilityId, hour, Object.fromEntries(values))
    }),
  )
}

function pricesOf({ period, prices }: Run): PeriodInput['prices'] {
  if (prices === 'none') return []
  const stored = tariff.filter((row) => !prices?.without?.includes(row.purpose))
  const own = { billingPeriod: period, validFrom: period }
  return makePrices([...stored, ...(prices?.extra ?? [])], own)
}

/**
 * `C` is the account of the period's year, `C/2027` that of the given year; the account id has the long form.
 */
function accountsOf(run: Run, balances: Map<string, Kwh>): PeriodInput['accounts'] {
  return Object.entries(run.accounts ?? {}).map(([key, opening]) => {
    const [facilityId = '', year = String(localYear(periodStart(run.period)))] = key.split('/')
    const accountId = `${facilityId}/${year}`
    const carried = balances.get(accountId) ?? ZERO_KWH
    const openingBalanceKwh = opening === 'carry' ? carried : parseKwh(opening)
    return { accountId, facilityId, year: Number(year), openingBalanceKwh }
  })
}

function inputOf(run: Run, balances: Map<string, Kwh>): PeriodInput {
  const from = dayStart(run.from.slice(0, 10)) + Number(run.from.slice(11, 13)) * HOUR_MS
  const window = { from, to: from + run.hours * HOUR_MS }
  return {
    groupId: 'group',
    groupName: 'Group',
    billingPeriod: run.period,
    window,
    eligibilityStatus: run.status ?? 'valid',
    members: Object.entries(run.members).map(([facilityId, own]) => makeMember(facilityId, own)),
    assignments: Object.keys(run.members).flatMap((facilityId) => metersOf(run, facilityId)),
    facts: factsOf(run, hoursOf(window)),
    accounts: accountsOf(run, balances),
    prices: pricesOf(run),
    stepStates: Object.entries(run.steps ?? {}).map(([facilityId, state]) => ({
      facilityId,
      consumptionKwh: parseKwh(state.consumption),
      hasMissingHour: state.missing,
    })),
  }
}

/** Bigints as the text of their unit, and hours in local time, so that a case reads like a bill. */
function readable(value: unknown, field = ''): unknown {
  if (typeof value === 'bigint') return /Try/.test(field) ? formatTry(value as Try) : formatKwh(value as Kwh)
  if (field === 'hour') return localTime(value as number)
  if (Array.isArray(value)) return value.map((item) => readable(item))
  if (value === null || typeof value !== 'object') return value
  const isMoney = field === 'amountsTry'
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, readable(item, isMoney ? `${key}Try` : key)]),
  )
}

/** An amount as one line: hour, type, facility, quantity x price = amount. */
const amountLine = (row: PeriodResult['amounts'][number]): string =>
  [
    localTime(row.hour),
    row.amountType,
    row.facilityId ?? row.sourceKind ?? '-',
    ...(row.stepNo === null ? [] : [`step ${row.stepNo}`]),
    `${formatKwh(row.quantityKwh)} x`,
    row.unitPriceTryPerKwh === null ? '?' : formatPrice(row.unitPriceTryPerKwh),
    `= ${row.amountTry === null ? '?' : formatTry(row.amountTry)}`,
  ].join(' ')

const meterLine = (row: PeriodResult['virtualMeters'][number]): string =>
  [
    localTime(row.hour),
    row.virtualMeterType,
    row.gridOperatorId ?? '-',
    row.sourceKind,
    row.reasonCode,
    formatKwh(row.quantityKwh),
  ].join(' ')

const usageLine = (row: PeriodResult['usage'][number]): string =>
  `${localTime(row.hour)} ${row.accountId} ${formatKwh(row.matchedKwh)} + ${formatKwh(row.paidSurplusKwh)}`

const show = (result: PeriodResult): Record<string, unknown> => ({
  scenario: result.scenario,
  hours: readable(result.hours),
  meters: result.virtualMeters.map(meterLine),
  amounts: result.amounts.map(amountLine),
  usage: result.usage.map(usageLine),
  balances: Object.fromEntries(
    result.usageByAccount.map((account) => [account.accountId, formatKwh(account.closingBalanceKwh)]),
  ),
  summary: readable(result.summary),
  warnings: result.warnings.map((warning) => `${warning.code} ${warning.subject}`),
})

describe('golden case', () => {
  expect(files.length).toBeGreaterThan(15)
  for (const file of files) {
    const { description, runs } = readJson(file) as Case
    test(`${file}: ${description}`, () => {
      const balances = new Map<string, Kwh>()
      for (const run of runs) {
        const result = computePeriod(inputOf(run, balances))
        for (const account of result.usageByAccount)
          balances.set(account.accountId, account.closingBalanceKwh)
        expect(show(result), run.title).toMatchObject(run.expect)
      }
    })
  }
})
