import { HOUR_MS } from '../../../kernel/time.ts'
import { checkCharge, type EnergyLine, type LineContext } from './charge-line.ts'
import { UNDECIDABLE_TEXTS } from './messages.ts'
import { OwnFigures, type Portion } from './own-figures.ts'
import { isPrice, magnitude } from './tariff-prices.ts'
import {
  AGREEING,
  checkFund,
  checkTotal,
  checkVat,
  isFundLine,
  isTotalLine,
  type Outcome,
  undecidable,
} from './tax-lines.ts'
import {
  type ClassifiedLine,
  ENERGY_KINDS,
  type InvoiceLine,
  type InvoiceTolerance,
  isCharge,
  type OwnResults,
  type PriceRow,
} from './types.ts'

/**
 * Compares the lines of an invoice with the results of the month. Each line is classified by itself: a wrong amount is
 * a finding of its line, while taxes and sums that follow from it agree with the invoice's own figures.
 */
export function classifyInvoice(
  lines: readonly InvoiceLine[],
  results: OwnResults,
  tolerance: InvoiceTolerance,
): ClassifiedLine[] {
  const own = new OwnFigures(results)
  const charges = new Map<string, InvoiceLine[]>()
  for (const line of lines) {
    const key = keyOf(line)
    charges.set(key, [...(charges.get(key) ?? []), line])
  }
  const shift = shiftOf(lines, own, tolerance)
  const invoice = { own, tolerance, lines, charges, shift }
  return lines.map((line) => classifyLine(line, invoice))
}

interface Invoice {
  readonly own: OwnFigures
  readonly tolerance: InvoiceTolerance
  readonly lines: readonly InvoiceLine[]
  /** The lines of each charge and time. */
  readonly charges: ReadonlyMap<string, readonly InvoiceLine[]>
  readonly shift: number
}

const keyOf = ({ kind, span, facility }: InvoiceLine): string =>
  `${kind} ${span.unit} ${span.from} ${facility ?? ''}`

const isEnergyLine = (line: InvoiceLine): line is EnergyLine =>
  isCharge(line.kind) || (ENERGY_KINDS as readonly string[]).includes(line.kind ?? '')

function classifyLine(line: InvoiceLine, invoice: Invoice): ClassifiedLine {
  const { own, tolerance, lines } = invoice
  const facilityId = line.facility === null ? null : (own.results.facilityIdOf(line.facility) ?? null)
  const make = (outcome: Outcome, ids: readonly string[] = [], theirPrice: PriceRow | null = null) =>
    toClassified(line, outcome, { facilityId, ownPriceIds: ids, theirPrice })
  if (isTotalLine(line)) return make(checkTotal(line, lines, tolerance))
  const tax = line.isTax ? AGREEING : checkVat(line, own.results, tolerance)
  if (isFundLine(line)) {
    return make(firstFinding(checkFund(line, own.results, { lines, tolerance }), tax))
  }
  if (!isEnergyLine(line)) {
    const unknown = undecidable(UNDECIDABLE_TEXTS.INVOICE_KIND_UNKNOWN())
    return make(firstFinding(unknown, tax))
  }
  const context = contextOf(line, facilityId, invoice)
  const { outcome, theirPrice } = checkCharge(line, context)
  const ids = [...new Set(context.portions.flatMap(({ priceId }) => priceId ?? []))]
  return make(firstFinding(outcome, tax), ids, theirPrice)
}

/** A difference precedes a doubt, which precedes agreement. */
function firstFinding(first: Outcome, second: Outcome): Outcome {
  const both = [first, second]
  return (
    both.find(({ verdict }) => verdict === 'differing') ??
    both.find(({ verdict }) => verdict === 'undecidable') ??
    first
  )
}

const toClassified = (
  line: InvoiceLine,
  outcome: Outcome,
  rest: Pick<ClassifiedLine, 'facilityId' | 'ownPriceIds' | 'theirPrice'>,
): ClassifiedLine => ({
  line,
  verdict: outcome.verdict,
  cause: outcome.verdict === 'differing' ? outcome.finding.cause : null,
  reason:
    outcome.verdict === 'differing'
      ? outcome.finding.reason
      : outcome.verdict === 'undecidable'
        ? outcome.reason
        : null,
  differences: outcome.verdict === 'differing' ? outcome.finding.differences : [],
  claim: outcome.verdict === 'differing' ? outcome.finding.claim : null,
  ...rest,
})

function contextOf(line: EnergyLine, facilityId: string | null, invoice: Invoice): LineContext {
  const { own, tolerance, shift, charges } = invoice
  const siblings = charges.get(keyOf(line)) ?? []
  const surplus = (['bedelli', 'skb'] as const).map((kind) =>
    sumQuantity(charges.get(keyOf({ ...line, kind }))),
  )
  const repeated = siblings.find((each) => each.number < line.number && isRepeated(each, line))
  return {
    own,
    tolerance,
    facilityId,
    portions: portionsOf(line, facilityId, { own, siblings }),
    chargeQuantity: sumQuantity(siblings),
    surplusQuantity: surplus.includes(null)
      ? null
      : surplus.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n),
    shift,
    repeats: repeated?.number ?? null,
  }
}

/** The sum of the quantities of lines; null where one of them states none, or where there is no line. */
function sumQuantity(lines: readonly InvoiceLine[] = []): bigint | null {
  if (lines.length === 0 || lines.some(({ quantity }) => quantity === null)) return null
  return lines.reduce((sum, { quantity }) => sum + (quantity ?? 0n), 0n)
}

/** An invoice may state the energy and the amount of a charge in two lines; equal zeros repeat nothing. */
const isRepeated = (one: InvoiceLine, other: InvoiceLine): boolean =>
  one.step === other.step &&
  one.quantity === other.quantity &&
  one.amount === other.amount &&
  one.unitPrice?.value === other.unitPrice?.value &&
  [one.quantity, one.amount].some((value) => value !== null && value !== 0n)

/**
 * The parts of the results for a line. Where an invoice divides a charge into lines, each is compared with the part
 * that has its price, and a line whose price no part has with the parts that no other line has.
 */
function portionsOf(
  line: EnergyLine,
  facilityId: string | null,
  { own, siblings }: { readonly own: OwnFigures; readonly siblings: readonly InvoiceLine[] },
): readonly Portion[] {
  if (!isCharge(line.kind)) return []
  const { kind, step, span } = line
  const all = own.portionsOf({ kind, facilityId, step }, span)
  const different = siblings.filter(
    (each, index) => each.unitPrice && siblings.findIndex((other) => isRepeated(other, each)) === index,
  )
  if (step !== null || all.length < 2 || different.length < 2 || line.unitPrice === null) return all
  const priceOf = (each: InvoiceLine) =>
    all.filter(({ unitPrice }) => each.unitPrice && unitPrice !== null && isPrice(each.unitPrice, unitPrice))
  const exact = priceOf(line)
  if (exact.length > 0) return exact
  const taken = new Set(different.flatMap(priceOf))
  const rest = all.filter((portion) => !taken.has(portion))
  return rest.length > 0 ? rest : all
}

/** Fewer hours with energy than half a day prove nothing. */
const SHIFTED_HOURS_MIN = 12
const AGREEING_MIN_PCT = 90
const AGREEING_UNSHIFTED_MAX_PCT = 50

/** Hours by which the hours of the invoice are shifted; 0 where they are not. */
function shiftOf(lines: readonly InvoiceLine[], own: OwnFigures, { kwh }: InvoiceTolerance): number {
  const hourly = lines.filter(
    ({ span, quantity, kind, step, facility }) =>
      span.unit === 'hour' && quantity !== null && kind !== null && step === null && facility === null,
  )
  /** Percentage of the hours that agree with those of the shifted hour; hours without energy say nothing. */
  const agreement = (shift: number): number => {
    const compared = hourly.flatMap(({ kind, span, quantity }) => {
      const shifted = { ...span, from: span.from - shift * HOUR_MS }
      const value = kind === null ? undefined : own.energyOf(kind, shifted)
      if (typeof value !== 'bigint' || quantity === null || (value === 0n && quantity === 0n)) return []
      return [magnitude(value - quantity) <= kwh]
    })
    if (compared.length < SHIFTED_HOURS_MIN) return 0
    return (compared.filter((agrees) => agrees).length / compared.length) * 100
  }
  if (hourly.length < SHIFTED_HOURS_MIN || agreement(0) > AGREEING_UNSHIFTED_MAX_PCT) return 0
  return [1, -1].find((shift) => agreement(shift) >= AGREEING_MIN_PCT) ?? 0
}
