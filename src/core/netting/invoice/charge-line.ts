import { iso, TURKEY_OFFSET_MS } from '../../../kernel/time.ts'
import { CAUSE_TEXTS, UNDECIDABLE_TEXTS } from './messages.ts'
import type { OwnFigures, Portion, Share } from './own-figures.ts'
import { percentText, shareOf, VAT_GENERAL, VAT_REDUCED } from './rates.ts'
import { findPriceRow, isOtherStep, isPrice, magnitude, nameOfRow, precisionOf } from './tariff-prices.ts'
import { AGREEING, differing, type Finding, type Outcome, undecidable } from './tax-lines.ts'
import {
  type ChargeKind,
  type EnergyKind,
  type FieldDifference,
  type InvoiceLine,
  type InvoiceTolerance,
  isCharge,
  type LineSpan,
  type PriceRow,
} from './types.ts'

export type EnergyLine = InvoiceLine & { readonly kind: ChargeKind | EnergyKind }

/** A line with its place among the lines of the invoice and among the results. */
export interface LineContext {
  readonly own: OwnFigures
  readonly tolerance: InvoiceTolerance
  readonly facilityId: string | null
  /** The parts of the results that the line is compared with; null: the whole charge. */
  readonly portions: readonly Portion[]
  /** Sum of the quantities of all lines of this charge and time, where every one states it. */
  readonly chargeQuantity: bigint | null
  /** Paid and over-limit surplus of the time as the invoice divides it, where it states both. */
  readonly surplusQuantity: bigint | null
  /** Hours by which the hours of the invoice are shifted; 0: not. */
  readonly shift: number
  /** An earlier line with the same figures. */
  readonly repeats: number | null
}

export interface ChargeOutcome {
  readonly outcome: Outcome
  readonly theirPrice: PriceRow | null
}

interface Own {
  readonly quantities: readonly bigint[]
  readonly amount: bigint | null
  /** The price of all portions; null where there are several or none. */
  readonly unitPrice: bigint | null
  readonly isPriced: boolean
}

/** Compares the energy, the price and the amount of a line with the results. */
export function checkCharge(line: EnergyLine, context: LineContext): ChargeOutcome {
  const only = (outcome: Outcome): ChargeOutcome => ({ outcome, theirPrice: null })
  const refusal = refusalOf(line, context)
  if (refusal) return only(refusal)
  const own = ownOf(line, context)
  if (own.quantities.length === 0) return only(undecidable(UNDECIDABLE_TEXTS.INVOICE_VALUE_UNKNOWN()))
  const differences = differencesOf(line, own, context)
  const isDifferent = (field: FieldDifference['field']) => differences.some((each) => each.field === field)
  const ours = own.amount ?? null
  const claim = line.amount === null || ours === null ? null : line.amount - ours
  const found = (finding: Pick<Finding, 'cause' | 'reason'>, theirPrice: PriceRow | null = null) => ({
    outcome: differing({ ...finding, differences, claim }),
    theirPrice,
  })
  if (context.repeats !== null) {
    const reason = CAUSE_TEXTS.INVOICE_LINE_TWICE({ line: context.repeats })
    const repeated = differing({ cause: 'duplicate', reason, differences, claim: line.amount })
    return { outcome: repeated, theirPrice: null }
  }
  if (isDifferent('quantity_kwh')) return found(quantityCause(line, own, context))
  if (differences.length > 0) {
    const { theirPrice, ...finding } = priceCause(line, own, context)
    return found(finding, theirPrice)
  }
  if (isContradictory(line, context.tolerance)) {
    return found({ cause: 'arithmetic', reason: CAUSE_TEXTS.INVOICE_LINE_ARITHMETIC() })
  }
  return only(undecided(line, own) ?? AGREEING)
}

function refusalOf(line: EnergyLine, { own, facilityId }: LineContext): Outcome | undefined {
  const isCompared = line.quantity !== null || line.amount !== null || line.unitPrice !== null
  if (!isCompared) return undecidable(UNDECIDABLE_TEXTS.INVOICE_LINE_EMPTY())
  if ((line.quantity ?? 0n) < 0n || (line.amount ?? 0n) < 0n) {
    return undecidable(UNDECIDABLE_TEXTS.INVOICE_LINE_NEGATIVE())
  }
  if (line.facility !== null && facilityId === null) {
    return undecidable(UNDECIDABLE_TEXTS.INVOICE_FACILITY_UNKNOWN())
  }
  if (facilityId !== null && !['matched', 'sktt', 'mesken'].includes(line.kind)) {
    return undecidable(UNDECIDABLE_TEXTS.INVOICE_NOT_BY_FACILITY())
  }
  const isMeasured = line.kind === 'production' || line.kind === 'consumption'
  if (own.results.isByMonth && line.span.unit !== 'month' && !isMeasured) {
    return undecidable(UNDECIDABLE_TEXTS.INVOICE_BY_MONTH_ONLY())
  }
  if (!own.isKnown(line.span)) return undecidable(UNDECIDABLE_TEXTS.INVOICE_NOT_CALCULATED())
  return undefined
}

const sum = (portions: readonly Portion[]): bigint =>
  portions.reduce((total, { quantity }) => total + quantity, 0n)

function ownOf(line: EnergyLine, { own, portions, facilityId }: LineContext): Own {
  const energy =
    facilityId === null && line.step === null ? (own.energyOf(line.kind, line.span) ?? undefined) : undefined
  const isPriced = isCharge(line.kind) && own.hasAmounts(line.kind)
  const priced = isPriced ? sum(portions) : undefined
  const isWithMoney = line.amount !== null || line.unitPrice !== null
  // The energy of a charge may contain that of facilities with another charge (SKTT).
  const both = isWithMoney ? [priced ?? energy] : [energy, priced]
  const prices = new Set(portions.map(({ unitPrice }) => unitPrice))
  const [price] = prices
  const hasGap = portions.some(({ amount }) => amount === null)
  const isZero = !isPriced && energy === 0n
  return {
    quantities: both.filter((value) => value !== undefined),
    amount:
      (isPriced && !hasGap) || isZero
        ? portions.reduce((total, { amount }) => total + (amount ?? 0n), 0n)
        : null,
    unitPrice: prices.size === 1 ? (price ?? null) : null,
    isPriced,
  }
}

function differencesOf(line: EnergyLine, own: Own, { tolerance }: LineContext): FieldDifference[] {
  const differences: FieldDifference[] = []
  const { quantity, unitPrice, amount } = line
  const isQuantity = (value: bigint) => quantity !== null && magnitude(quantity - value) <= tolerance.kwh
  if (quantity !== null && !own.quantities.some(isQuantity)) {
    differences.push({ field: 'quantity_kwh', theirs: quantity, ours: own.quantities[0] ?? null })
  }
  if (unitPrice !== null && own.unitPrice !== null && !isPrice(unitPrice, own.unitPrice)) {
    differences.push({ field: 'unit_price_try_per_kwh', theirs: unitPrice.value, ours: own.unitPrice })
  }
  if (amount !== null && own.amount !== null && magnitude(amount - own.amount) > tolerance.lira) {
    differences.push({ field: 'amount_try', theirs: amount, ours: own.amount })
  }
  return differences
}

/** Quantity × price is not the amount, beyond what the printed decimals of the price allow. */
function isContradictory({ quantity, unitPrice, amount }: InvoiceLine, { lira }: InvoiceTolerance): boolean {
  if (quantity === null || unitPrice === null || amount === null) return false
  const allowed = (magnitude(quantity) * precisionOf(unitPrice)) / 1000n
  return magnitude((quantity * unitPrice.value) / 1000n - amount) > lira + allowed
}

function undecided(line: EnergyLine, own: Own): Outcome | undefined {
  if (line.amount === null && line.unitPrice === null) return undefined
  if (!isCharge(line.kind)) return undecidable(UNDECIDABLE_TEXTS.INVOICE_AMOUNT_NOT_CALCULATED())
  return own.amount === null ? undecidable(UNDECIDABLE_TEXTS.INVOICE_PRICE_MISSING()) : undefined
}

const KILO = 1000n
/** A megawatt-hour with three decimals is exact to half a kilowatt-hour. */
const MWH_PRECISION = 500n

function quantityCause(line: EnergyLine, { quantities, isPriced }: Own, context: LineContext) {
  const theirs = line.quantity ?? 0n
  const ours = quantities[0] ?? 0n
  const { own, shift } = context
  if (theirs !== 0n && isOtherUnit(theirs, ours)) {
    return { cause: 'unit', reason: CAUSE_TEXTS.INVOICE_UNIT_DIFFERS() } as const
  }
  if (line.span.unit === 'hour' && shift !== 0) {
    return { cause: 'hour', reason: CAUSE_TEXTS.INVOICE_HOURS_SHIFTED({ hours: shift }) } as const
  }
  if (line.span.unit !== 'month') {
    return {
      cause: 'hour',
      reason: CAUSE_TEXTS.INVOICE_HOUR_DIFFERS({ time: nameOfSpan(line.span) }),
    } as const
  }
  if (isMovedBetweenSteps(line, context)) {
    return { cause: 'tier', reason: CAUSE_TEXTS.INVOICE_TIER_QUANTITY() } as const
  }
  if (isMovedAtLimit(line, context)) {
    return { cause: 'limit', reason: CAUSE_TEXTS.INVOICE_LIMIT_DIFFERS() } as const
  }
  if (isCharge(line.kind)) {
    const share: Share = { kind: line.kind, facilityId: context.facilityId, step: line.step }
    const isPricedLine = isPriced && (line.amount !== null || line.unitPrice !== null || line.step !== null)
    const parts = partsThatExplain(theirs - ours, own.partsOf(share, isPricedLine), context.tolerance)
    if (parts.length > 0) {
      const hours = parts.map(nameOfSpan)
      const reason =
        theirs < ours
          ? CAUSE_TEXTS.INVOICE_HOURS_MISSING({ hours })
          : CAUSE_TEXTS.INVOICE_HOURS_TWICE({ hours })
      return { cause: 'hour', reason } as const
    }
  }
  return { cause: 'quantity', reason: CAUSE_TEXTS.INVOICE_QUANTITY_DIFFERS() } as const
}

const isOtherUnit = (theirs: bigint, ours: bigint): boolean =>
  magnitude(ours) > MWH_PRECISION &&
  (magnitude(theirs * KILO - ours) <= MWH_PRECISION || magnitude(theirs - ours * KILO) <= MWH_PRECISION)

function isMovedBetweenSteps(
  line: EnergyLine,
  { own, facilityId, chargeQuantity, tolerance }: LineContext,
): boolean {
  if (!isCharge(line.kind) || line.step === null || chargeQuantity === null) return false
  const all = sum(own.portionsOf({ kind: line.kind, facilityId, step: null }, line.span))
  return magnitude(all - chargeQuantity) <= tolerance.kwh
}

/** Paid and over-limit surplus are one surplus, which the limit divides. */
function isMovedAtLimit(
  { kind, quantity, span }: EnergyLine,
  { own, surplusQuantity, tolerance }: LineContext,
): boolean {
  if ((kind !== 'bedelli' && kind !== 'skb') || quantity === null) return false
  const [paid, over] = [own.energyOf('bedelli', span), own.energyOf('skb', span)]
  if (typeof paid !== 'bigint' || typeof over !== 'bigint') return false
  return magnitude(paid + over - (surplusQuantity ?? quantity)) <= tolerance.kwh
}

/** More parts with the same energy explain nothing. */
const PARTS_MAX = 3

function partsThatExplain<T extends LineSpan & { readonly quantity: bigint }>(
  difference: bigint,
  parts: readonly T[],
  { kwh }: InvoiceTolerance,
): T[] {
  const wanted = magnitude(difference)
  const found = parts.filter(({ quantity }) => quantity !== 0n && magnitude(quantity - wanted) <= kwh)
  const hours = found.filter(({ unit }) => unit === 'hour')
  const named = hours.length > 0 ? hours : found
  return named.length <= PARTS_MAX ? named : []
}

/** 2026-11, 2026-11-05, or 2026-11-05 13:00. */
export function nameOfSpan({ unit, from }: LineSpan): string {
  const local = iso(from + TURKEY_OFFSET_MS)
  if (unit === 'month') return local.slice(0, 7)
  return unit === 'day' ? local.slice(0, 10) : `${local.slice(0, 10)} ${local.slice(11, 16)}`
}

/** The cause of a price or amount that differs while the energy agrees. */
function priceCause(line: EnergyLine, own: Own, context: LineContext) {
  const { own: figures, portions, tolerance } = context
  const { amount, unitPrice } = line
  const plain = (cause: 'vat' | 'arithmetic' | 'rounding' | 'unknown', reason: Finding['reason']) => ({
    cause,
    reason,
    theirPrice: null,
  })
  const isWithVat = (rate: bigint): boolean => {
    if (amount !== null && own.amount !== null && own.amount !== 0n)
      return magnitude(amount - own.amount - shareOf(own.amount, rate)) <= tolerance.lira * 2n
    return (
      unitPrice !== null &&
      own.unitPrice !== null &&
      isPrice(unitPrice, own.unitPrice + shareOf(own.unitPrice, rate))
    )
  }
  const vatRate = [VAT_GENERAL, VAT_REDUCED].find(isWithVat)
  if (vatRate !== undefined) {
    return plain('vat', CAUSE_TEXTS.INVOICE_AMOUNT_WITH_VAT({ rate_pct: percentText(vatRate) }))
  }
  const quantity = line.quantity ?? own.quantities[0] ?? 0n
  const isOwnPrice = unitPrice !== null && own.unitPrice !== null && isPrice(unitPrice, own.unitPrice)
  if (isOwnPrice && amount !== null) {
    return isContradictory({ ...line, quantity, unitPrice: { ...unitPrice, decimals: 6 } }, tolerance)
      ? plain('arithmetic', CAUSE_TEXTS.INVOICE_LINE_ARITHMETIC())
      : plain('rounding', CAUSE_TEXTS.INVOICE_PRICE_ROUNDED())
  }
  const isUsed = (price: bigint): boolean => {
    if (unitPrice !== null) return isPrice(unitPrice, price)
    return (
      amount !== null &&
      quantity !== 0n &&
      magnitude((quantity * price) / KILO - amount) <= tolerance.lira * 2n
    )
  }
  const ids = new Set(portions.map(({ priceId }) => priceId))
  const ownRows = figures.results.prices.filter(({ id }) => ids.has(id))
  // Without a price of its own, all energy may be charged at one of the steps of the results.
  const used = ownRows.length > 1 ? ownRows.find((row) => isUsed(row.priceTryPerKwh)) : undefined
  const row = used ?? findPriceRow(figures.results.prices, { own: ownRows, isUsed })
  if (!row) {
    const isStated = unitPrice !== null || quantity !== 0n
    return isStated
      ? { cause: 'price_row' as const, reason: CAUSE_TEXTS.INVOICE_PRICE_UNKNOWN(), theirPrice: null }
      : plain('unknown', CAUSE_TEXTS.INVOICE_AMOUNT_DIFFERS())
  }
  if (isOtherStep(row, ownRows)) {
    const reason = CAUSE_TEXTS.INVOICE_TIER_PRICE({ step: row.stepNo })
    return { cause: 'tier' as const, reason, theirPrice: row }
  }
  const reason = CAUSE_TEXTS.INVOICE_PRICE_OF_OTHER_ROW({ row: nameOfRow(row) })
  return { cause: 'price_row' as const, reason, theirPrice: row }
}
