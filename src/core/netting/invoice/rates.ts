import type { BillingPeriod } from '../../../kernel/time.ts'
import type { AboneGrubu } from '../types.ts'
import type { FundKind, InvoiceLine, OwnResults } from './types.ts'

/**
 * Rates of taxes and funds in hundredths of a percent. Sources, none of which was at hand in full (our knowledge of the
 * law, see docs/understand/netting/invoice-check.md):
 *
 * - Value added tax (KDV) on electricity: 20 %, for homes and agricultural irrigation 10 %, since 10 July 2023
 *   (decision 7346 of the President).
 * - Municipal consumption tax (Elektrik ve Havagazı Tüketim Vergisi, BTV): Law 2464, articles 34 to 39: 1 % for
 *   manufacturing, 5 % otherwise.
 * - Share of the broadcaster (TRT payı) and energy fund: not charged since 1 January 2022 (Law 7346).
 */
export const VAT_GENERAL = 2000n
export const VAT_REDUCED = 1000n
const REDUCED_GROUPS: readonly (AboneGrubu | null)[] = ['mesken', 'tarimsal_sulama']
const CONSUMPTION_TAX_INDUSTRY = 100n
const CONSUMPTION_TAX = 500n
const FUNDS_END: BillingPeriod = '2022-01-01'

/** The rate that applies to all of the consumers; undefined where it is not known or not the same. */
function common(
  groups: OwnResults['subscriberGroups'],
  rateOf: (group: AboneGrubu) => bigint | undefined,
): bigint | undefined {
  const rates = new Set(groups.map((group) => (group === null ? undefined : rateOf(group))))
  return rates.size === 1 ? [...rates][0] : undefined
}

/** The rates of value added tax that are right for a line; empty: unknown. */
export function vatRatesOf({ kind }: InvoiceLine, { subscriberGroups, isByMonth }: OwnResults): bigint[] {
  if (kind === null) return []
  if (kind === 'skb') return [VAT_GENERAL]
  // A home that sells its surplus may be exempt as a tradesman (Income Tax Law, article 9).
  if (kind === 'bedelli') return isByMonth ? [VAT_GENERAL, 0n] : [VAT_GENERAL]
  const rate = common(subscriberGroups, (group) => {
    if (group === 'other') return undefined
    return REDUCED_GROUPS.includes(group) ? VAT_REDUCED : VAT_GENERAL
  })
  return rate === undefined ? [] : [rate]
}

/** The rate of a fund; 0 where it is not due, undefined where it is not known. */
export function fundRateOf(
  kind: FundKind,
  { billingPeriod, subscriberGroups }: Pick<OwnResults, 'billingPeriod' | 'subscriberGroups'>,
): bigint | undefined {
  if (kind !== 'consumption_tax') return billingPeriod >= FUNDS_END ? 0n : undefined
  return common(subscriberGroups, (group) => {
    if (group === 'other') return undefined
    return group === 'sanayi' ? CONSUMPTION_TAX_INDUSTRY : CONSUMPTION_TAX
  })
}

const RATE_ONE = 10_000n
/** A share of an amount, rounded half up to a millionth of a lira. */
export const shareOf = (amount: bigint, rate: bigint): bigint => {
  const product = amount * rate
  return (product < 0n ? product - RATE_ONE / 2n : product + RATE_ONE / 2n) / RATE_ONE
}

/** 2000 is 20, 70 is 0.7. */
export const percentText = (rate: bigint): string => String(Number(rate) / 100)
