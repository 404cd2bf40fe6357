/**
 * Hourly netting computed a second time, from the text of the method alone. It imports nothing of the service, so that
 * a mistake there cannot repeat itself here. Energy is bigint Wh; prices and money are bigint millionths of a lira.
 */
export interface SecondFacility {
  readonly id: string
  readonly aboneGrubu: string
  readonly voltage: 'AG' | 'OG'
  /** The class of system usage of a producer: 1 or 2. */
  readonly producerClass: '1' | '2'
  readonly source: string
}
export interface SecondMember {
  readonly facility: SecondFacility
  readonly role: 'production' | 'consumption'
  /** Local days; the end is exclusive. */
  readonly from: string
  readonly to: string | null
}
export interface SecondPrice {
  readonly billingPeriod: string
  readonly validFrom: string
  readonly aboneGrubu: string
  readonly purpose: string
  readonly voltage: string
  readonly segment: string
  readonly step: string
  readonly price: bigint
}
export interface SecondInput {
  readonly members: readonly SecondMember[]
  /** Wh of a facility in an hour; null where its meter has no value. */
  readonly energy: (facilityId: string, hour: number) => bigint | null
  /** The first hour and the end, in epoch milliseconds. */
  readonly from: number
  readonly to: number
  /** The initial limit in Wh of an account. */
  readonly limit: (facilityId: string, year: string) => bigint
  readonly prices: readonly SecondPrice[]
  /** Months (`YYYY-MM`) in which the group is blocked. */
  readonly blocked: ReadonlySet<string>
}
/** One line for each row that the service writes. */
export interface SecondResult {
  readonly hours: string[]
  readonly virtualMeters: string[]
  readonly amounts: string[]
}

const HOUR = 3_600_000
const localDay = (at: number): string => new Date(at + 3 * HOUR).toISOString().slice(0, 10)
const iso = (at: number): string => new Date(at).toISOString()
const sum = (list: readonly bigint[]): bigint => list.reduce((total, value) => total + value, 0n)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const halfUp = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by)
const decimal = (value: bigint, digits: number): string => {
  const text = value.toString().padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
const kwh = (wh: bigint | null): string => (wh === null ? 'null' : decimal(wh, 3))

/** Splits a whole by weights with the largest remainder; equal remainders go to the smaller id, which comes first. */
function split(whole: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights)
  if (all === 0n) return weights.map(() => 0n)
  const parts = weights.map((weight) => (whole * weight) / all)
  const remainders = weights.map((weight, index) => ({ index, rest: (whole * weight) % all }))
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const left = Number(whole - sum(parts))
  for (const { index } of remainders.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n
  return parts
}

interface PriceQuery {
  readonly purpose: string
  readonly aboneGrubu: string
  readonly voltage?: string
  readonly segment?: string
  readonly step?: string
}

/** The price of an hour: the newest month, then the voltage level, then the exact segment and step. */
function findPrice(prices: readonly SecondPrice[], at: number, query: PriceQuery): bigint | undefined {
  const { purpose, aboneGrubu, voltage = 'AG', segment = 'tek', step = '' } = query
  const day = localDay(at)
  const rows = prices.filter(
    (row) =>
      row.purpose === purpose &&
      row.aboneGrubu === aboneGrubu &&
      row.billingPeriod.slice(0, 7) <= day.slice(0, 7) &&
      row.validFrom <= day,
  )
  for (const month of [...new Set(rows.map((row) => row.billingPeriod))].sort().reverse()) {
    for (const level of new Set([voltage, '', 'AG'])) {
      const found = rows.filter((row) => row.billingPeriod === month && row.voltage === level)
      for (const [wantedSegment, wantedStep] of [
        [segment, step],
        [segment, ''],
        ['tek', ''],
        ['', step],
        ['', ''],
      ] as const) {
        const hit = found.find((row) => row.segment === wantedSegment && row.step === wantedStep)
        if (hit) return hit.price
      }
    }
  }
  return undefined
}

const DAILY_STEP_WH = 30_000n

/** The use of a shop in the month so far, which decides the step of its prices. */
interface StepState {
  used: bigint
  isUnknown: boolean
  readonly threshold: bigint
}

function stepStateOf(member: SecondMember, month: string): StepState {
  let days = 0n
  for (let at = Date.parse(`${month}-01T00:00:00+03:00`); localDay(at).startsWith(month); at += 24 * HOUR) {
    if (isActive(member, at)) days += 1n
  }
  return { used: 0n, isUnknown: false, threshold: DAILY_STEP_WH * days }
}

const isActive = ({ from, to }: SecondMember, at: number): boolean => {
  const day = localDay(at)
  return from <= day && (to === null || day < to)
}

export function computeAgain(input: SecondInput): SecondResult {
  const members = [...input.members].sort((a, b) => (a.facility.id < b.facility.id ? -1 : 1))
  const result: SecondResult = { hours: [], virtualMeters: [], amounts: [] }
  const remaining = new Map<string, bigint>()
  const steps = new Map<string, StepState>()
  for (let at = input.from; at < input.to; at += HOUR) {
    const active = members.filter((member) => isActive(member, at))
    const hour = readHour(input, active, at)
    if (input.blocked.has(localDay(at).slice(0, 7))) writeBlocked(result, hour)
    else netHour({ input, result, remaining, steps }, hour)
  }
  return result
}

interface Hour {
  readonly at: number
  readonly producers: readonly SecondMember[]
  readonly consumers: readonly SecondMember[]
  readonly produced: readonly bigint[]
  readonly consumed: readonly bigint[]
  readonly isConsumptionMissing: boolean
  /** Null values, by consumer. */
  readonly consumedRaw: readonly (bigint | null)[]
}

function readHour(input: SecondInput, active: readonly SecondMember[], at: number): Hour {
  const producers = active.filter(({ role }) => role === 'production')
  const consumers = active.filter(({ role }) => role === 'consumption')
  const consumedRaw = consumers.map(({ facility }) => input.energy(facility.id, at))
  return {
    at,
    producers,
    consumers,
    produced: producers.map(({ facility }) => input.energy(facility.id, at) ?? 0n),
    consumed: consumedRaw.map((value) => value ?? 0n),
    consumedRaw,
    isConsumptionMissing: consumedRaw.every((value) => value === null),
  }
}

function writeBlocked({ hours, virtualMeters, amounts }: SecondResult, hour: Hour): void {
  const production = sum(hour.produced)
  hours.push([iso(hour.at), kwh(production), kwh(sum(hour.consumed)), 'free', kwh(production)].join(' '))
  if (production === 0n) return
  writeMeters(virtualMeters, hour, {
    type: 'bedelsiz',
    reason: 'group_conditions_not_met',
    split: hour.produced,
  })
  amounts.push([iso(hour.at), 'estimated_loss_or_risk', '-', '-', kwh(production), 'null', 'null'].join(' '))
}

function writeMeters(
  lines: string[],
  { at, producers }: Hour,
  { type, reason, split: parts }: { type: string; reason: string; split: readonly bigint[] },
): Map<string, bigint> {
  const bySource = new Map<string, bigint>()
  for (const [index, { facility }] of producers.entries()) {
    bySource.set(facility.source, (bySource.get(facility.source) ?? 0n) + (parts[index] ?? 0n))
  }
  for (const [source, wh] of bySource) {
    if (wh > 0n) lines.push([iso(at), type, source, reason, kwh(wh)].join(' '))
    else bySource.delete(source)
  }
  return bySource
}

interface State {
  readonly input: SecondInput
  readonly result: SecondResult
  readonly remaining: Map<string, bigint>
  readonly steps: Map<string, StepState>
}

function netHour(state: State, hour: Hour): void {
  const { input, result, remaining } = state
  const { at, producers, consumers, produced, consumed } = hour
  const year = localDay(at).slice(0, 4)
  const keys = consumers.map(({ facility }) => `${facility.id} ${year}`)
  for (const [index, { facility }] of consumers.entries()) {
    const key = keys[index] ?? ''
    if (!remaining.has(key)) remaining.set(key, input.limit(facility.id, year))
  }
  const left = keys.map((key) => remaining.get(key) ?? 0n)
  const before = sum(left)
  const production = sum(produced)
  const consumption = sum(consumed)
  const isFree = hour.isConsumptionMissing && production > 0n
  const matched = isFree ? 0n : smaller(production, consumption)
  const shares = split(matched, consumed)
  const own = split(matched, produced)
  const debits = shares.map((part, index) => smaller(part, left[index] ?? 0n))
  for (const [index, debit] of debits.entries()) left[index] = (left[index] ?? 0n) - debit
  const surplus = production - matched
  const paid = isFree ? 0n : smaller(surplus, sum(left))
  for (const [index, part] of split(paid, [...left]).entries()) left[index] = (left[index] ?? 0n) - part
  for (const [index, key] of keys.entries()) remaining.set(key, left[index] ?? 0n)
  const over = isFree ? 0n : surplus - paid
  const after = sum(left)
  result.hours.push(
    [
      ...[iso(at), kwh(production), kwh(hour.isConsumptionMissing ? null : consumption), kwh(matched)],
      ...[
        kwh(surplus),
        kwh(hour.isConsumptionMissing ? null : consumption - matched),
        kwh(paid),
        kwh(over),
        kwh(surplus - paid - over),
      ],
      ...[kwh(matched - sum(debits)), kwh(before), kwh(before - after), kwh(after)],
    ].join(' '),
  )
  const unmatched = produced.map((wh, index) => wh - (own[index] ?? 0n))
  const paidParts = split(paid, unmatched)
  const overParts = unmatched.map((wh, index) => wh - (paidParts[index] ?? 0n))
  priceConsumers(state, hour, shares)
  if (isFree) {
    writeMeters(result.virtualMeters, hour, {
      ...{ type: 'bedelsiz', reason: 'missing_consumption_data', split: unmatched },
    })
    const price = lowestRelated(input, hour)
    result.amounts.push(amountLine(at, { type: 'estimated_loss_or_risk', wh: surplus, price }))
    return
  }
  pricePaid(state, hour, paidParts)
  priceOver(state, hour, { overParts, classes: producers.map(({ facility }) => facility.producerClass) })
}

interface AmountSpec {
  readonly type: string
  readonly facilityId?: string
  readonly step?: string
  readonly wh: bigint
  readonly price: bigint | undefined
}
const amountLine = (at: number, { type, facilityId = '-', step = '-', wh, price }: AmountSpec): string =>
  [
    ...[iso(at), type, facilityId, step, kwh(wh)],
    ...(price === undefined ? ['null', 'null'] : [decimal(price, 6), decimal(halfUp(wh * price, 1000n), 6)]),
  ].join(' ')

const lowestRelated = ({ prices }: SecondInput, { at, consumers }: Hour): bigint | undefined =>
  [...new Set(consumers.map(({ facility }) => facility.aboneGrubu))]
    .flatMap(
      (aboneGrubu) =>
        findPrice(prices, at, { purpose: 'mahsuplasma_lowest_related_tariff', aboneGrubu }) ?? [],
    )
    .sort((a, b) => (a < b ? -1 : 1))[0]

function pricePaid({ input, result }: State, hour: Hour, parts: readonly bigint[]): void {
  const meters = { type: 'bedelli', reason: 'standard_matched', split: parts }
  for (const wh of writeMeters(result.virtualMeters, hour, meters).values()) {
    const price = lowestRelated(input, hour)
    result.amounts.push(amountLine(hour.at, { type: 'producer_payment_for_bedelli_surplus', wh, price }))
  }
}

/** The fee of a row of producers of different classes is weighted by their production. */
function priceOver(
  { input, result }: State,
  hour: Hour,
  { overParts, classes }: { overParts: readonly bigint[]; classes: readonly string[] },
): void {
  const meters = { type: 'skb_odemeli', reason: 'limit_exceeded', split: overParts }
  for (const [source, wh] of writeMeters(result.virtualMeters, hour, meters)) {
    let [weighted, weight] = [0n, 0n]
    for (const [index, { facility }] of hour.producers.entries()) {
      if (facility.source !== source) continue
      const step = classes[index] ?? ''
      const query = { purpose: 'system_usage', aboneGrubu: 'other', segment: '', step }
      const price = findPrice(input.prices, hour.at, query) ?? 0n
      weighted += price * (hour.produced[index] ?? 0n)
      weight += hour.produced[index] ?? 0n
    }
    const price = halfUp(weighted, weight)
    result.amounts.push(amountLine(hour.at, { type: 'system_usage_fee_for_skb', wh, price }))
  }
}

const PURPOSES = [
  ['supplier_payment_for_matched_consumption', 'mahsuplasma_related_tariff'],
  ['estimated_savings', 'customer_bill_active_energy'],
] as const

function priceConsumers({ input, result, steps }: State, hour: Hour, shares: readonly bigint[]): void {
  const { at, consumers } = hour
  const month = localDay(at).slice(0, 7)
  for (const [index, member] of consumers.entries()) {
    const { id, aboneGrubu, voltage } = member.facility
    const share = shares[index] ?? 0n
    const raw = hour.consumedRaw[index] ?? null
    // A group has steps where its prices have them: an OG shop until the first prices of its level.
    const flat = { purpose: 'mahsuplasma_related_tariff', aboneGrubu, voltage }
    const hasSteps = findPrice(input.prices, at, flat) === undefined
    const key = `${id} ${month}`
    const state = steps.get(key) ?? stepStateOf(member, month)
    steps.set(key, state)
    const parts = hasSteps ? stepParts(state, { share, used: raw ?? 0n }) : [{ step: '', wh: share }]
    state.used += raw ?? 0n
    state.isUnknown ||= raw === null
    for (const [type, purpose] of PURPOSES) {
      for (const { step, wh } of parts) {
        if (wh === 0n) continue
        const price = findPrice(input.prices, at, { purpose, aboneGrubu, voltage, step })
        result.amounts.push(amountLine(at, { type, facilityId: id, step: step || '-', wh, price }))
      }
    }
  }
}

function stepParts(
  { used: before, isUnknown, threshold }: StepState,
  { share, used }: { share: bigint; used: bigint },
) {
  if (isUnknown) return [{ step: '2', wh: share }]
  const start = before > threshold ? before : threshold
  const above = before + used > start ? before + used - start : 0n
  const high = smaller(share, above)
  return [
    { step: '1', wh: share - high },
    { step: '2', wh: high },
  ]
}
