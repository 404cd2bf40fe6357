import { type Kwh, mulPrice, type TryPerKwh } from '../../../kernel/decimal.ts'
import type { BillingPeriod, LocalDate } from '../../../kernel/time.ts'
import type { ConsumerShare } from '../match.ts'
import { WARNING_TEXTS } from '../messages.ts'
import { splitSteps } from '../steps.ts'
import type { AboneGrubu, AmountRow, MemberInput, PeriodInput, PriceRowInput } from '../types.ts'
import { openWarnings, type WarningList } from '../warning-list.ts'
import { isForHigherVoltage, openPriceBook, type PriceBook, type PriceQuery } from './price-choice.ts'

/** The context in which every amount of a run is priced. */
export interface Pricing {
  readonly book: PriceBook
  readonly warnings: WarningList
  readonly groupId: string
  readonly groupName: string
  readonly billingPeriod: BillingPeriod
  /** True for homes: their matched energy is one type of amount, that of all others two. */
  readonly isResidential: boolean
  /** The slice is a month: single-time prices only. */
  readonly isMonthly: boolean
  /** The bill price of one hour by `hourKey`; empty for netting by month. */
  readonly hourlyBillPrices: ReadonlyMap<string, TryPerKwh>
  /** The prices of each consumer on the last day that was asked for: the hours of a day have the same. */
  readonly days: WeakMap<PricedConsumer, DayPrices>
}

interface DayPrices {
  readonly date: LocalDate
  readonly found: FoundPrice[]
}

interface FoundPrice {
  readonly query: ConsumerQuery
  readonly row: PriceRowInput | null
  /** Whether the voltage of the row was compared. */
  isCompared: boolean
}

/** A query whose voltage level is that of the consumer. */
type ConsumerQuery = Omit<PriceQuery, 'voltageLevel'>

const hourKey = (facilityId: string, hour: number): string => `${facilityId} ${hour}`

type PricedInput = Pick<
  PeriodInput,
  'prices' | 'billingPeriod' | 'groupId' | 'groupName' | 'hourlyBillPrices'
>

/** Pricing with a list of warnings of its own. */
export const openPricing = (
  { prices, billingPeriod, groupId, groupName, hourlyBillPrices = [] }: PricedInput,
  kind: Pick<Pricing, 'isResidential' | 'isMonthly'>,
): Pricing => ({
  book: openPriceBook(prices, billingPeriod),
  warnings: openWarnings(),
  groupId,
  groupName,
  billingPeriod,
  hourlyBillPrices: new Map(
    kind.isMonthly
      ? []
      : hourlyBillPrices.map((row) => [hourKey(row.facilityId, row.hour), row.priceTryPerKwh]),
  ),
  days: new WeakMap(),
  ...kind,
})

/** The parameters of the texts that name the group. */
export const groupIn = ({ groupName, billingPeriod }: Pricing) => ({
  group: groupName,
  period: billingPeriod,
})

/** The parameters of the texts that name a facility. */
export const facilityIn = (pricing: Pricing, member: Pick<MemberInput, 'facilityId' | 'facilityName'>) => ({
  ...groupIn(pricing),
  facility: facilityName(member),
})

const facilityName = ({ facilityName: name, facilityId }: Pick<MemberInput, 'facilityId' | 'facilityName'>) =>
  name ?? WARNING_TEXTS.FACILITY_WITHOUT_NAME({ facility_id: facilityId })

/** The unit price and its row; null for a quantity without a price. */
export interface UnitPrice {
  readonly priceTryPerKwh: TryPerKwh
  readonly id: string
}

type Facts = Pick<AmountRow, 'hour' | 'amountType' | 'quantityKwh'> & Partial<AmountRow>

/** amount = quantity x price, half up to a millionth of a lira; without a price a quantity-only row. */
export const amountRow = (facts: Facts, price: UnitPrice | null): AmountRow => ({
  hour: facts.hour,
  amountType: facts.amountType,
  facilityId: facts.facilityId ?? null,
  gridOperatorId: facts.gridOperatorId ?? null,
  sourceKind: facts.sourceKind ?? null,
  stepNo: facts.stepNo ?? null,
  quantityKwh: facts.quantityKwh,
  unitPriceTryPerKwh: price?.priceTryPerKwh ?? null,
  amountTry: price && mulPrice(facts.quantityKwh, price.priceTryPerKwh),
  tariffPriceId: price?.id ?? null,
})

/** The row that stands for a market price: it has no id of a tariff, and neither step nor segment. */
const MARKET_PRICE_ID = 'market_price'

/** The price of a contract at market prices in an hour, as a row; undefined without such a contract. */
export function marketPrice(
  { hourlyBillPrices, billingPeriod }: Pricing,
  { hour, date }: { readonly hour: number; readonly date: LocalDate },
  { facilityId, aboneGrubu }: { readonly facilityId: string; readonly aboneGrubu: AboneGrubu },
): PriceRowInput | undefined {
  if (hourlyBillPrices.size === 0) return undefined
  const priceTryPerKwh = hourlyBillPrices.get(hourKey(facilityId, hour))
  if (priceTryPerKwh === undefined) return undefined
  return {
    id: MARKET_PRICE_ID,
    setId: MARKET_PRICE_ID,
    billingPeriod,
    setStatus: 'approved',
    approvedAt: 0,
    validFrom: date,
    validTo: date,
    aboneGrubu,
    purpose: 'customer_bill_active_energy',
    timeSegment: null,
    stepNo: null,
    tariffClass: null,
    tariffCode: null,
    voltageLevel: null,
    priceTryPerKwh,
  }
}

/** What a price depends on besides the query. */
export type PricedConsumer = Pick<MemberInput, 'facilityId' | 'facilityName' | 'voltageLevel'>

/** The price of a consumer at its voltage level, with a warning where it is not certain to be of that level. */
export function findPrice(
  pricing: Pricing,
  consumer: PricedConsumer,
  query: ConsumerQuery,
  date: LocalDate,
): PriceRowInput | null {
  const found = findOnDay(pricing, consumer, query, date)
  if (found.row && !found.isCompared) warnOfVoltage(pricing, consumer, found.row, date)
  found.isCompared = true
  return found.row
}

/** As `findPrice`, without a warning. */
export const findUncompared = (
  pricing: Pricing,
  consumer: PricedConsumer,
  query: ConsumerQuery,
  date: LocalDate,
): PriceRowInput | null => findOnDay(pricing, consumer, query, date).row

function findOnDay(
  { book, days }: Pricing,
  consumer: PricedConsumer,
  query: ConsumerQuery,
  date: LocalDate,
): FoundPrice {
  let day = days.get(consumer)
  if (day?.date !== date) {
    day = { date, found: [] }
    days.set(consumer, day)
  }
  for (const known of day.found) if (isSame(known.query, query)) return known
  const row = book.resolve({ ...query, voltageLevel: consumer.voltageLevel ?? null }, date)
  const found = { query, row, isCompared: false }
  day.found.push(found)
  return found
}

const isSame = (a: ConsumerQuery, b: ConsumerQuery): boolean =>
  a.purpose === b.purpose && a.segment === b.segment && a.stepNo === b.stepNo && a.aboneGrubu === b.aboneGrubu

export function warnOfVoltage(
  pricing: Pricing,
  consumer: PricedConsumer,
  row: PriceRowInput,
  date: LocalDate,
): void {
  const { facilityId, voltageLevel } = consumer
  if (!voltageLevel) {
    if (!pricing.book.hasHigherVoltage(row, date)) return
    pricing.warnings.add('FACILITY_VOLTAGE_UNKNOWN', facilityId, () =>
      WARNING_TEXTS.FACILITY_VOLTAGE_UNKNOWN(facilityIn(pricing, consumer)),
    )
  } else if (voltageLevel !== 'AG' && row.voltageLevel === 'AG') {
    pricing.warnings.add('TARIFF_VOLTAGE_FALLBACK_AG', facilityId, () =>
      WARNING_TEXTS.TARIFF_VOLTAGE_FALLBACK_AG({
        ...facilityIn(pricing, consumer),
        voltage_level: voltageLevel,
      }),
    )
  }
}

/** A part of a matched quantity that one price row serves; null where none does. */
export interface PricedPart {
  readonly quantityKwh: Kwh
  readonly row: PriceRowInput | null
  readonly stepNo: number | null
}

/**
 * Prices a consumer's matched energy, split at the step threshold where the price has steps. Two warnings are
 * possible: a home is priced flat because no step price exists, and the step is assumed because the month to
 * date is unknown.
 */
export function priceMatched(
  pricing: Pricing,
  { party, consumptionKwh, matchedKwh }: ConsumerShare,
  lookup: (stepNo: number | null) => PriceRowInput | null,
): PricedPart[] {
  const { member, stepRoom } = party
  if (stepRoom === 'none') return [part(matchedKwh, lookup(null), null)]
  const low = lookup(1)
  const high = lookup(2)
  if (low?.id === high?.id) {
    if (low && isFlatForHome(member, low)) {
      pricing.warnings.add('TARIFF_MESKEN_STEP_FALLBACK_FLAT', member.facilityId, () =>
        WARNING_TEXTS.TARIFF_MESKEN_STEP_FALLBACK_FLAT(facilityIn(pricing, member)),
      )
    }
    return [part(matchedKwh, low, null)]
  }
  const split = splitSteps(matchedKwh, consumptionKwh, stepRoom)
  if (!split.isKnown) {
    pricing.warnings.add('TARIFF_STEP_STATE_MISSING_CONSERVATIVE', member.facilityId, () =>
      WARNING_TEXTS.TARIFF_STEP_STATE_MISSING_CONSERVATIVE(facilityIn(pricing, member)),
    )
  }
  return [part(split.lowKwh, low, 1), part(split.highKwh, high, 2)].filter((piece) => piece.quantityKwh > 0n)
}

const part = (quantityKwh: Kwh, row: PriceRowInput | null, stepNo: number | null): PricedPart => ({
  quantityKwh,
  row,
  stepNo: row ? row.stepNo : stepNo,
})

/** By law, a multi-time price and one above low voltage have no steps, so their flat rows are no fall-back. */
const isFlatForHome = (member: MemberInput, row: PriceRowInput): boolean =>
  member.aboneGrubu === 'mesken' &&
  row.id !== MARKET_PRICE_ID &&
  row.stepNo === null &&
  !isForHigherVoltage(row) &&
  (row.timeSegment === null || row.timeSegment === 'tek')
