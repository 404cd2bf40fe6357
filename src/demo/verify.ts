import {
  type DemoSite,
  type Facility,
  HOUR,
  halfUp,
  type Months,
  type Series,
  seed,
  seriesOf,
  shiftMonth,
  start,
  sum,
  table,
} from './verify-series.ts'

/**
 * Computes the last full month of the demo a second time, from seed/demo alone, and compares it with what the
 * public API answers: every hour to the Wh, every amount to the millionth of a lira. It imports nothing of
 * the service, so that a mistake there cannot repeat itself here. Energy is bigint Wh, prices and money
 * bigint millionths.
 */
export interface VerifyOptions extends Months {
  readonly url: string
  readonly token: string
  /** For the test of this program: changes the expected production of one hour by one Wh. */
  readonly spoiltHour?: number
}
export interface Verdict {
  readonly hours: number
  readonly amounts: number
  /** Null when the results are identical. */
  readonly difference: string | null
}

const QUANTITIES = ['production', 'consumption', 'matched', 'bedelli', 'skb', 'bedelsiz'] as const
const DAILY_STEP_WH = 8000n

const scaled = (text: string, decimals: number): bigint => {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(decimals, '0'))
}
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Distributes by the largest remainder; equal remainders go to the earlier one. */
function share(whole: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights)
  if (all === 0n) return weights.map(() => 0n)
  const parts = weights.map((weight) => (whole * weight) / all)
  const order = weights.map((weight, index) => ({ index, rest: (whole * weight) % all }))
  order.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  for (const { index } of order.slice(0, Number(whole - sum(parts)))) parts[index] = (parts[index] ?? 0n) + 1n
  return parts
}

const prices = [...table('prices-2026-04.csv'), ...table('../tariffs/epdk-2026-04-og.csv')]
interface PriceKey {
  readonly segment?: string
  readonly step?: string
  readonly level?: string
}
const price = (
  purpose: string,
  abone: string,
  { segment = 'tek', step = '', level = 'AG' }: PriceKey = {},
): bigint => {
  const found = prices.find(
    (row) =>
      row['price_purpose'] === purpose &&
      row['abone_grubu'] === abone &&
      row['time_segment'] === segment &&
      row['step_no'] === step &&
      ['', level].includes(row['gerilim_seviyesi'] ?? ''),
  )
  if (!found?.['price']) throw new Error(`no price ${purpose} ${abone} ${segment} ${step}`)
  return scaled(found['price'], 6)
}

/** The lines that are compared: `hour|…` with all quantities, and the amounts of the month. */
interface Expected {
  readonly hours: string[]
  readonly amounts: string[]
}
const text = (value: bigint, decimals: number): string => {
  const digits = value.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
const hourLine = (at: number, values: readonly bigint[]): string =>
  [new Date(at).toISOString(), ...values.map((value) => text(value, 3))].join(' ')
const amountLine = (
  at: number,
  type: string,
  id: string | null,
  [wh, unit]: readonly [bigint, bigint],
): string =>
  `${new Date(at).toISOString()} ${type} ${id} ${text(wh, 3)} x ${text(unit, 6)} = ${text(halfUp(wh * unit, 1000n), 6)}`

const segment = (at: number): string => {
  const clock = new Date(at + 3 * HOUR).getUTCHours()
  return clock >= 6 && clock < 17 ? 'gunduz' : clock >= 17 && clock < 22 ? 'puant' : 'gece'
}
const related = (facility: Facility): readonly [string, bigint] =>
  facility.tariff_supply_type === 'sktt'
    ? ['sktt_matched_consumption', price('sktt_active_energy', facility.abone_grubu ?? '')]
    : [
        'supplier_payment_for_matched_consumption',
        price('mahsuplasma_related_tariff', facility.abone_grubu ?? '', { level: facility.voltage_level }),
      ]

/** Nets hour by hour, each against the limit that remains after the previous hours of the year. */
function netHourly(list: readonly Series[], limits: Map<string, bigint>, options: VerifyOptions): Expected {
  const first = start(options.firstMonth)
  const yearStart = start(`${options.month.slice(0, 4)}-01-01`)
  const producers = list.filter(({ facility }) => facility.member_role !== 'consumption')
  const consumers = list.filter(({ facility }) => facility.member_role !== 'production')
  const left = consumers.map(({ id }) => limits.get(id) ?? 0n)
  const expected: Expected = { hours: [], amounts: [] }
  for (let at = Math.max(first, yearStart); at < start(shiftMonth(options.month, 1)); at += HOUR) {
    const hourIndex = (at - first) / HOUR
    const extra = at === options.spoiltHour ? 1n : 0n
    const production = sum(producers.map(({ produced }) => produced[hourIndex] ?? 0n)) + extra
    const consumed = consumers.map((one) => one.consumed[hourIndex] ?? 0n)
    const matched = smaller(production, sum(consumed))
    const parts = share(matched, consumed)
    for (const [index, part] of parts.entries())
      left[index] = (left[index] ?? 0n) - smaller(part, left[index] ?? 0n)
    const paid = smaller(production - matched, sum(left))
    for (const [index, part] of share(paid, [...left]).entries()) left[index] = (left[index] ?? 0n) - part
    if (at < start(options.month)) continue
    const over = production - matched - paid
    expected.hours.push(hourLine(at, [production, sum(consumed), matched, paid, over, 0n]))
    for (const [index, part] of parts.entries()) {
      const consumer = consumers[index]
      if (!consumer || part === 0n) continue
      const { id, facility } = consumer
      const [type, unit] = related(facility)
      const bill = price('customer_bill_active_energy', 'sanayi', {
        segment: facility.is_multi_time ? segment(at) : 'tek',
        level: facility.voltage_level,
      })
      expected.amounts.push(amountLine(at, type, id, [part, unit]))
      expected.amounts.push(amountLine(at, 'estimated_savings', id, [part, bill]))
    }
    const lowest = price('mahsuplasma_lowest_related_tariff', 'sanayi')
    const fee = price('system_usage', 'other', { segment: '', step: '2' })
    if (paid > 0n)
      expected.amounts.push(amountLine(at, 'producer_payment_for_bedelli_surplus', null, [paid, lowest]))
    if (over > 0n) expected.amounts.push(amountLine(at, 'system_usage_fee_for_skb', null, [over, fee]))
  }
  return expected
}

/**
 * Nets the month as one sum. Consumption above the daily step times the number of days has the higher price
 * and is netted first.
 */
function netMonthly(list: readonly Series[], options: VerifyOptions): Expected {
  const { month, firstMonth, spoiltHour } = options
  const from = (start(month) - start(firstMonth)) / HOUR
  const to = (start(shiftMonth(month, 1)) - start(firstMonth)) / HOUR
  const ofMonth = (values: readonly (bigint | null)[]): bigint[] =>
    values.slice(from, to).map((value) => value ?? 0n)
  const expected: Expected = { hours: [], amounts: [] }
  for (let index = from; index < to; index += 1) {
    const at = start(firstMonth) + index * HOUR
    const produced = sum(list.map((one) => one.produced[index] ?? 0n)) + (at === spoiltHour ? 1n : 0n)
    const consumed = sum(list.map((one) => one.consumed[index] ?? 0n))
    const matched = smaller(produced, consumed)
    expected.hours.push(hourLine(at, [produced, consumed, matched, produced - matched, 0n, 0n]))
  }
  const produced = sum(list.flatMap((one) => ofMonth(one.produced)))
  const consumed = list.map((one) => sum(ofMonth(one.consumed)))
  const matched = smaller(produced, sum(consumed))
  const threshold = DAILY_STEP_WH * BigInt((to - from) / 24)
  for (const [index, part] of share(matched, consumed).entries()) {
    const one = list[index]
    if (!one) continue
    const used = ofMonth(one.consumed).map((wh, hour) => smaller(wh, ofMonth(one.produced)[hour] ?? 0n))
    const above = (consumed[index] ?? 0n) > threshold ? (consumed[index] ?? 0n) - threshold : 0n
    const high = smaller(part, above)
    expected.amounts.push(...homeAmounts(start(month), one.id, { high, low: part - high, used: sum(used) }))
  }
  const payment = [produced - matched, price('mahsuplasma_lowest_related_tariff', 'mesken')] as const
  if (payment[0] > 0n) {
    expected.amounts.push(amountLine(start(month), 'producer_payment_for_bedelli_surplus', null, payment))
  }
  return expected
}

/**
 * Energy used behind the home's own meter also saves the distribution fee; it counts as the higher step
 * first.
 */
function homeAmounts(at: number, id: string, parts: { high: bigint; low: bigint; used: bigint }): string[] {
  const lines: string[] = []
  let left = parts.used
  for (const [step, quantity] of [
    ['2', parts.high],
    ['1', parts.low],
  ] as const) {
    const bill = price('customer_bill_active_energy', 'mesken', { step })
    const spared = smaller(quantity, left)
    left -= spared
    const pieces: [string, bigint, bigint][] = [
      ['mesken_monthly_amount', quantity, price('mahsuplasma_related_tariff', 'mesken', { step })],
      ['estimated_savings', spared, bill + price('distribution', 'mesken', { segment: '' })],
      ['estimated_savings', quantity - spared, bill],
    ]
    for (const [type, wh, unit] of pieces) if (wh > 0n) lines.push(amountLine(at, type, id, [wh, unit]))
  }
  return lines
}

type Row = Readonly<Record<string, unknown>>
const field = (row: Row, name: string): string => String(row[name])
const hourOf = (row: Row): string => new Date(field(row, 'hour')).toISOString()

/** Reads a list of the public API; the numbers in the response are the decimal strings that are compared. */
async function read({ url, token }: VerifyOptions, path: string): Promise<Row[]> {
  for (;;) {
    const response = await fetch(`${url}/api/mahsuplasma/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(30_000),
    })
    if (response.ok) return (await response.json()) as Row[]
    if (response.status !== 429) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
    const waitMs = Number(response.headers.get('retry-after') ?? 1) * 1000
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Reads a list in windows of `days` days, because no list returns more than 2,000 rows. */
async function readMonth(options: VerifyOptions, path: string, days: number): Promise<Row[]> {
  const end = start(shiftMonth(options.month, 1))
  const length = days * 24 * HOUR
  const answers: Row[] = []
  for (let from = start(options.month); from < end; from += length) {
    const to = new Date(Math.min(from + length, end)).toISOString()
    answers.push(...(await read(options, `${path}?from=${new Date(from).toISOString()}&to=${to}&limit=2000`)))
  }
  return answers
}

function firstDifference(expected: readonly string[], answered: readonly string[]): string | null {
  const [own, service] = [[...expected].sort(), [...answered].sort()]
  for (let index = 0; index < Math.max(own.length, service.length); index += 1) {
    if (own[index] !== service[index]) return `computed ${own[index]}, the service returned ${service[index]}`
  }
  return null
}

/** Computes and compares the month of both groups. */
export async function verifyMonth(options: VerifyOptions): Promise<Verdict> {
  const site = JSON.parse(seed('site.json')) as DemoSite
  const groups = await read(options, 'groups')
  const facilities = await read(options, 'facilities')
  const accounts = await read(options, `limits/accounts?year=${options.month.slice(0, 4)}`)
  const limits = new Map(
    accounts.map((row) => [field(row, 'facility_id'), scaled(field(row, 'initial_limit_kwh'), 3)]),
  )
  const idOf = (list: readonly Row[], name: string): string =>
    field(list.find((row) => row['name'] === name) ?? {}, 'id')
  let [hours, amounts] = [0, 0]
  for (const group of site.groups) {
    const list = group.facilities
      .map((facility) => seriesOf(site, facility, idOf(facilities, facility.name), options))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    const expected = group.netting === 'hourly' ? netHourly(list, limits, options) : netMonthly(list, options)
    const path = `groups/${idOf(groups, group.name)}`
    const hourRows = (await readMonth(options, `${path}/hourly`, 31)).map((row) =>
      [hourOf(row), ...QUANTITIES.map((name) => field(row, `${name}_kwh`))].join(' '),
    )
    const amountRows = (await readMonth(options, `${path}/amounts`, 8)).map((row) => {
      const [type, id, wh] = ['amount_type', 'facility_id', 'quantity_kwh'].map((name) => field(row, name))
      const [unit, amount] = ['unit_price_try_per_kwh', 'amount_try'].map((name) => field(row, name))
      return `${hourOf(row)} ${type} ${id} ${wh} x ${unit} = ${amount}`
    })
    const difference =
      firstDifference(expected.hours, hourRows) ?? firstDifference(expected.amounts, amountRows)
    if (difference) return { hours, amounts, difference: `${group.name}: ${difference}` }
    hours += expected.hours.length
    amounts += expected.amounts.length
  }
  return { hours, amounts, difference: null }
}
