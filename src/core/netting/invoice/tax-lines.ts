import type { Message } from '../../../kernel/messages.ts'
import { CAUSE_TEXTS, UNDECIDABLE_TEXTS } from './messages.ts'
import { fundRateOf, percentText, shareOf, vatRatesOf } from './rates.ts'
import { magnitude } from './tariff-prices.ts'
import {
  type Cause,
  type FieldDifference,
  type FundKind,
  type InvoiceLine,
  type InvoiceTolerance,
  isFund,
  isTotal,
  type OwnResults,
  type TotalKind,
} from './types.ts'

export interface Finding {
  readonly cause: Cause
  readonly reason: Message
  readonly differences: readonly FieldDifference[]
  readonly claim: bigint | null
}
/** What a check of a line says: a finding, agreement, or the reason why it says nothing. */
export type Outcome =
  | { readonly verdict: 'differing'; readonly finding: Finding }
  | { readonly verdict: 'agreeing' }
  | { readonly verdict: 'undecidable'; readonly reason: Message }

export const AGREEING: Outcome = { verdict: 'agreeing' }
export const undecidable = (reason: Message): Outcome => ({ verdict: 'undecidable', reason })
export const differing = (finding: Finding): Outcome => ({ verdict: 'differing', finding })

/** Checks the value added tax of a line: its amount, then its rate. */
export function checkVat(line: InvoiceLine, own: OwnResults, { lira }: InvoiceTolerance): Outcome {
  const { amount, vatRate, vat, gross } = line
  if (amount === null || (vatRate === null && vat === null)) return checkGross(line, lira)
  const rates = vatRatesOf(line, own)
  const rate = vatRate ?? rates.find((each) => vat !== null && magnitude(shareOf(amount, each) - vat) <= lira)
  if (vatRate !== null && vat !== null && magnitude(shareOf(amount, vatRate) - vat) > lira) {
    const ours = shareOf(amount, vatRate)
    const reason = CAUSE_TEXTS.INVOICE_VAT_AMOUNT({ rate_pct: percentText(vatRate) })
    return vatFinding(reason, [{ field: 'vat_try', theirs: vat, ours }], vat - ours)
  }
  const [expected] = rates
  if (expected === undefined) return undecidable(UNDECIDABLE_TEXTS.INVOICE_RATE_UNKNOWN())
  if (rate === undefined || !rates.includes(rate)) {
    const ours = shareOf(amount, expected)
    const theirs = vat ?? shareOf(amount, rate ?? 0n)
    const differences: FieldDifference[] = [{ field: 'vat_try', theirs, ours }]
    if (vatRate !== null) differences.unshift({ field: 'vat_rate_pct', theirs: vatRate, ours: expected })
    const stated = rate ?? (amount === 0n ? 0n : (theirs * 10_000n) / amount)
    const reason = CAUSE_TEXTS.INVOICE_VAT_RATE({
      rate_pct: percentText(stated),
      expected_pct: percentText(expected),
    })
    return vatFinding(reason, differences, theirs - ours)
  }
  return gross === null ? AGREEING : checkGross({ ...line, vat: vat ?? shareOf(amount, rate) }, lira)
}

const vatFinding = (reason: Message, differences: FieldDifference[], claim: bigint) =>
  differing({ cause: 'vat', reason, differences, claim })

function checkGross({ amount, vat, gross }: InvoiceLine, lira: bigint): Outcome {
  if (amount === null || vat === null || gross === null) return AGREEING
  const ours = amount + vat
  if (magnitude(gross - ours) <= 2n * lira) return AGREEING
  const reason = CAUSE_TEXTS.INVOICE_LINE_ARITHMETIC()
  const differences: FieldDifference[] = [{ field: 'gross_try', theirs: gross, ours }]
  return differing({ cause: 'arithmetic', reason, differences, claim: gross - ours })
}

/** Charges of consumption, on which the municipal consumption tax is levied. */
const TAXED = ['matched', 'sktt', 'mesken']

/** Checks a line of a fund or tax against its base, which is that of the line or the charges of consumption. */
export function checkFund(
  line: InvoiceLine & { readonly kind: FundKind },
  own: OwnResults,
  { lines, tolerance }: { readonly lines: readonly InvoiceLine[]; readonly tolerance: InvoiceTolerance },
): Outcome {
  const { amount } = line
  if (amount === null) return undecidable(UNDECIDABLE_TEXTS.INVOICE_LINE_EMPTY())
  const expected = fundRateOf(line.kind, own)
  if (expected === 0n) {
    if (amount === 0n) return AGREEING
    const differences: FieldDifference[] = [{ field: 'amount_try', theirs: amount, ours: 0n }]
    return differing({
      cause: 'fund',
      reason: CAUSE_TEXTS.INVOICE_FUND_NOT_DUE(),
      differences,
      claim: amount,
    })
  }
  const base = line.base ?? sumOf(lines.filter(({ kind }) => TAXED.includes(kind ?? '')))
  if (base === null) return undecidable(UNDECIDABLE_TEXTS.INVOICE_BASE_UNKNOWN())
  const isShare = (rate: bigint) => magnitude(shareOf(base, rate) - amount) <= tolerance.lira
  if (line.rate !== null && !isShare(line.rate)) {
    const ours = shareOf(base, line.rate)
    const reason = CAUSE_TEXTS.INVOICE_FUND_AMOUNT({ rate_pct: percentText(line.rate) })
    const differences: FieldDifference[] = [{ field: 'amount_try', theirs: amount, ours }]
    return differing({ cause: 'fund', reason, differences, claim: amount - ours })
  }
  if (expected === undefined) return undecidable(UNDECIDABLE_TEXTS.INVOICE_RATE_UNKNOWN())
  if (isShare(expected) && (line.rate ?? expected) === expected) return AGREEING
  const ours = shareOf(base, expected)
  const stated = line.rate ?? (base === 0n ? 0n : (amount * 10_000n + base / 2n) / base)
  const reason = CAUSE_TEXTS.INVOICE_FUND_RATE({
    rate_pct: percentText(stated),
    expected_pct: percentText(expected),
  })
  const differences: FieldDifference[] = [{ field: 'amount_try', theirs: amount, ours }]
  if (line.rate !== null) differences.unshift({ field: 'rate_pct', theirs: line.rate, ours: expected })
  return differing({ cause: 'fund', reason, differences, claim: amount - ours })
}

function sumOf(lines: readonly InvoiceLine[]): bigint | null {
  const summed = summedLines(lines).filter(({ isTax }) => !isTax)
  if (summed.length === 0 || summed.some(({ amount }) => amount === null)) return null
  return summed.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
}

/** The lines of a sum: those of the month; the hours and days of an annex are their details. */
function summedLines(lines: readonly InvoiceLine[]): InvoiceLine[] {
  const charged = lines.filter(({ kind, amount }) => !isTotal(kind) && amount !== null)
  const ofMonth = charged.filter(({ span }) => span.unit === 'month')
  return ofMonth.length > 0 ? ofMonth : charged
}

/** Checks a sum of the invoice against its lines. */
export function checkTotal(
  { kind, amount }: InvoiceLine & { readonly kind: TotalKind },
  lines: readonly InvoiceLine[],
  { lira }: InvoiceTolerance,
): Outcome {
  if (amount === null) return undecidable(UNDECIDABLE_TEXTS.INVOICE_LINE_EMPTY())
  const ours = ownSum(kind, lines)
  if (ours === null) return undecidable(UNDECIDABLE_TEXTS.INVOICE_SUM_UNKNOWN())
  // Each line is rounded by itself.
  const rounding = lira * BigInt(Math.max(1, summedLines(lines).length))
  if (magnitude(amount - ours) <= rounding) return AGREEING
  return differing({
    cause: 'arithmetic',
    reason: CAUSE_TEXTS.INVOICE_SUM_DIFFERS(),
    differences: [{ field: 'amount_try', theirs: amount, ours }],
    claim: amount - ours,
  })
}

function ownSum(kind: TotalKind, lines: readonly InvoiceLine[]): bigint | null {
  if (kind === 'net_total') return sumOf(lines)
  if (kind === 'vat_total') return vatSum(lines)
  const stated = (total: TotalKind) => lines.find((line) => line.kind === total)?.amount
  const [net, vat] = [stated('net_total') ?? sumOf(lines), stated('vat_total') ?? vatSum(lines)]
  if (net === null || vat === null) return null
  const taxes = lines.reduce((sum, { isTax, amount }) => sum + (isTax ? (amount ?? 0n) : 0n), 0n)
  return net + vat + taxes
}

function vatSum(lines: readonly InvoiceLine[]): bigint | null {
  let sum = 0n
  for (const { amount, vat, vatRate, isTax } of summedLines(lines)) {
    if (amount === null || (vat === null && vatRate === null && !isTax)) return null
    sum += vat ?? shareOf(amount, vatRate ?? 0n)
  }
  return lines.length === 0 ? null : sum
}

export const isFundLine = (line: InvoiceLine): line is InvoiceLine & { readonly kind: FundKind } =>
  isFund(line.kind)
export const isTotalLine = (line: InvoiceLine): line is InvoiceLine & { readonly kind: TotalKind } =>
  isTotal(line.kind)
