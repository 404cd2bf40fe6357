import type { Message } from '../../../kernel/messages.ts'
import type { BillingPeriod } from '../../../kernel/time.ts'
import type { AboneGrubu, PriceRowInput } from '../types.ts'

/** Charges that the service calculates as amounts. */
export const CHARGE_KINDS = ['matched', 'bedelli', 'skb', 'sktt', 'mesken'] as const
/** Quantities without an amount. */
export const ENERGY_KINDS = ['production', 'consumption', 'surplus', 'net_import', 'bedelsiz'] as const
/** Energy fund (enerji fonu), share of the broadcaster (TRT payı), municipal consumption tax (BTV). */
export const FUND_KINDS = ['energy_fund', 'trt_share', 'consumption_tax'] as const
/** Sums of the invoice: without tax, value added tax (KDV), with tax. */
export const TOTAL_KINDS = ['net_total', 'vat_total', 'gross_total'] as const
export const LINE_KINDS = [...CHARGE_KINDS, ...ENERGY_KINDS, ...FUND_KINDS, ...TOTAL_KINDS] as const

export type ChargeKind = (typeof CHARGE_KINDS)[number]
export type EnergyKind = (typeof ENERGY_KINDS)[number]
export type FundKind = (typeof FUND_KINDS)[number]
export type TotalKind = (typeof TOTAL_KINDS)[number]
export type LineKind = (typeof LINE_KINDS)[number]

const isOneOf =
  <T extends string>(kinds: readonly T[]) =>
  (kind: string | null): kind is T =>
    (kinds as readonly string[]).includes(kind ?? '')
export const isCharge = isOneOf(CHARGE_KINDS)
export const isFund = isOneOf(FUND_KINDS)
export const isTotal = isOneOf(TOTAL_KINDS)

/** An hour, a day or a month of the local calendar, identified by its start. */
export interface LineSpan {
  readonly unit: 'hour' | 'day' | 'month'
  readonly from: number
}

/** A price as printed: millionths of a lira per kWh, and the number of its decimals. */
export interface PrintedPrice {
  readonly value: bigint
  readonly decimals: number
}

/** A line of an invoice. Null: not stated. Energy in Wh, money in millionths of a lira, rates in 0.01 %. */
export interface InvoiceLine {
  /** Row of the table, line of the text, or position in the e-Fatura, from 1. */
  readonly number: number
  readonly description: string | null
  /** Null: the text is not understood. */
  readonly kind: LineKind | null
  readonly span: LineSpan
  /** As in the file. */
  readonly facility: string | null
  readonly step: number | null
  readonly quantity: bigint | null
  readonly unitPrice: PrintedPrice | null
  /** Without value added tax. */
  readonly amount: bigint | null
  /** Rate of a fund or tax that is a line of its own. */
  readonly rate: bigint | null
  /** The amount that the rate applies to. */
  readonly base: bigint | null
  readonly vatRate: bigint | null
  readonly vat: bigint | null
  readonly gross: bigint | null
  /** A fund that the invoice states among its taxes, not among its lines. */
  readonly isTax: boolean
}

export type PriceRow = Pick<
  PriceRowInput,
  | 'id'
  | 'billingPeriod'
  | 'aboneGrubu'
  | 'purpose'
  | 'timeSegment'
  | 'stepNo'
  | 'tariffClass'
  | 'voltageLevel'
  | 'priceTryPerKwh'
>

/** An amount of the results. Null price and amount: a quantity without a price. */
export interface OwnAmount {
  readonly hour: number
  readonly kind: ChargeKind
  readonly facilityId: string | null
  readonly stepNo: number | null
  readonly quantity: bigint
  readonly unitPrice: bigint | null
  readonly amount: bigint | null
  readonly priceId: string | null
}

export const OWN_ENERGIES = [
  'production',
  'consumption',
  'matched',
  'surplus',
  'net_import',
  'bedelli',
  'skb',
  'bedelsiz',
] as const
export type OwnEnergy = (typeof OWN_ENERGIES)[number]
export type Energies = Readonly<Record<OwnEnergy, bigint | null>>

/** The current results of a group and month. */
export interface OwnResults {
  readonly billingPeriod: BillingPeriod
  /** A residential group is netted by the month: its hours are informational. */
  readonly isByMonth: boolean
  readonly hours: readonly { readonly hour: number; readonly energies: Energies }[]
  readonly month: Energies | null
  readonly amounts: readonly OwnAmount[]
  /** Price rows of the month and of earlier ones, among which the price of a line is searched. */
  readonly prices: readonly PriceRow[]
  /** Subscriber groups (abone grubu) of the consumers; null: unknown. */
  readonly subscriberGroups: readonly (AboneGrubu | null)[]
  facilityIdOf(text: string): string | undefined
}

/** Differences up to these values are not reported: energy in Wh, money in millionths of a lira. */
export interface InvoiceTolerance {
  readonly kwh: bigint
  readonly lira: bigint
}

/**
 * The probable cause of a difference:
 *
 * - hour: an hour or day is missing, counted twice, shifted, or has another reading
 * - quantity: the energy differs in another way
 * - unit: MWh instead of kWh, or the reverse
 * - limit: energy over the limit counts as paid, or the reverse
 * - price_row: the price of another row of a tariff, or of none
 * - tier: the other price step (kademe)
 * - vat: value added tax: its rate, its amount, or an amount that contains it
 * - fund: a fund or tax that is not due, or with another rate
 * - arithmetic: the figures of the line, or the sums of the invoice, contradict each other
 * - rounding: the amount follows from the printed price, which is rounded
 * - duplicate: the line repeats an earlier one
 * - unknown: none of these
 */
export const CAUSES = [
  'hour',
  'quantity',
  'unit',
  'limit',
  'price_row',
  'tier',
  'vat',
  'fund',
  'arithmetic',
  'rounding',
  'duplicate',
  'unknown',
] as const
export type Cause = (typeof CAUSES)[number]

export const VERDICTS = ['agreeing', 'differing', 'undecidable'] as const
export type Verdict = (typeof VERDICTS)[number]

export const DIFFERENCE_FIELDS = [
  'quantity_kwh',
  'unit_price_try_per_kwh',
  'amount_try',
  'rate_pct',
  'vat_rate_pct',
  'vat_try',
  'gross_try',
] as const
export type DifferenceField = (typeof DIFFERENCE_FIELDS)[number]

/** One figure of a line: theirs is that of the invoice. Units as in `InvoiceLine`. */
export interface FieldDifference {
  readonly field: DifferenceField
  readonly theirs: bigint
  /** Null: more than one value would be right. */
  readonly ours: bigint | null
}

export interface ClassifiedLine {
  readonly line: InvoiceLine
  readonly verdict: Verdict
  /** Set exactly when the line differs. */
  readonly cause: Cause | null
  /** The reason of a difference, or why it cannot be decided. */
  readonly reason: Message | null
  readonly differences: readonly FieldDifference[]
  /** Theirs minus ours in millionths of a lira, with tax where only the tax differs; null: unknown. */
  readonly claim: bigint | null
  readonly facilityId: string | null
  /** The price rows of the results for this line. */
  readonly ownPriceIds: readonly string[]
  /** The row whose price the invoice uses instead. */
  readonly theirPrice: PriceRow | null
}
