import { nameOfSpan } from '../../../core/netting/invoice/charge-line.ts'
import { classifyInvoice } from '../../../core/netting/invoice/classify.ts'
import { percentText } from '../../../core/netting/invoice/rates.ts'
import { nameOfRow } from '../../../core/netting/invoice/tariff-prices.ts'
import {
  type ClassifiedLine,
  type DifferenceField,
  isTotal,
  type PriceRow,
  VERDICTS,
} from '../../../core/netting/invoice/types.ts'
import {
  formatKwh,
  formatPrice,
  formatTry,
  type Kwh,
  type Try,
  type TryPerKwh,
} from '../../../kernel/decimal.ts'
import { type Language, type Message, textOf } from '../../../kernel/messages.ts'
import { RECONCILE_REPORTED_MAX } from '../limits.ts'
import type { InvoiceFile } from './invoice-document.ts'
import type { ClassifiedLineResponse } from './invoice-schema.ts'
import type { ProvenResults } from './own-results.ts'
import type { Tolerance } from './tolerance.ts'

/** A classified line as it is stored: the reason is composed in the language of its reader. */
export type StoredLine = Omit<ClassifiedLineResponse, 'reason'> & { readonly reason: Message | null }

export const withReason = (line: StoredLine, language: Language): ClassifiedLineResponse => ({
  ...line,
  reason: line.reason && textOf(line.reason, language),
})

/** The lines of a file with their verdicts, and what they are from. */
export function invoiceFields(file: InvoiceFile, results: ProvenResults, tolerance: Tolerance) {
  const classified = classifyInvoice(file.lines, results, tolerance)
  const byVerdict = (verdict: ClassifiedLine['verdict']) =>
    classified.filter((line) => line.verdict === verdict)
  const [agreeing, differing, undecidable] = VERDICTS.map(byVerdict) as [
    ClassifiedLine[],
    ClassifiedLine[],
    ClassifiedLine[],
  ]
  return {
    format: file.format,
    invoice: file.head,
    lines: [...differing, ...undecidable, ...agreeing]
      .slice(0, RECONCILE_REPORTED_MAX)
      .map((line) => toStored(line, results)),
    line_counts: {
      agreeing: agreeing.length,
      differing: differing.length,
      undecidable: undecidable.length,
    },
    claim_try: formatTry(claimOf(differing)),
    runs: results.runs.map(({ id, inputHash, engineVersion }) => ({
      run_id: id,
      input_hash: inputHash,
      engine_version: engineVersion,
    })),
  }
}

/** The sum of the differences; the hours of an annex are details of the lines of the month, and a sum is no line. */
function claimOf(differing: readonly ClassifiedLine[]): Try {
  const claimed = differing.filter(({ line, claim }) => claim !== null && !isTotal(line.kind))
  const ofMonth = claimed.filter(({ line }) => line.span.unit === 'month')
  const summed = ofMonth.length > 0 ? ofMonth : claimed
  return summed.reduce((sum, { claim }) => sum + (claim ?? 0n), 0n) as Try
}

const FORMAT_OF: Readonly<Record<DifferenceField, (value: bigint) => string>> = {
  quantity_kwh: (value) => formatKwh(value as Kwh),
  unit_price_try_per_kwh: (value) => formatPrice(value as TryPerKwh),
  amount_try: (value) => formatTry(value as Try),
  rate_pct: percentText,
  vat_rate_pct: percentText,
  vat_try: (value) => formatTry(value as Try),
  gross_try: (value) => formatTry(value as Try),
}

const priceOf = (row: PriceRow) => ({
  tariff_price_id: row.id,
  name: nameOfRow(row),
  price_try_per_kwh: formatPrice(row.priceTryPerKwh),
})

const formatted = (field: DifferenceField, value: bigint | null): string | null =>
  value === null ? null : FORMAT_OF[field](value)

function toStored(classified: ClassifiedLine, { priceRows }: ProvenResults): StoredLine {
  const { line, verdict, cause, reason, differences, claim, facilityId, ownPriceIds, theirPrice } = classified
  return {
    line: line.number,
    description: line.description,
    kind: line.kind,
    key: nameOfSpan(line.span),
    facility_id: facilityId,
    step_no: line.step,
    quantity_kwh: formatted('quantity_kwh', line.quantity),
    unit_price_try_per_kwh: formatted('unit_price_try_per_kwh', line.unitPrice?.value ?? null),
    amount_try: formatted('amount_try', line.amount),
    vat_rate_pct: formatted('vat_rate_pct', line.vatRate),
    vat_try: formatted('vat_try', line.vat),
    verdict,
    cause,
    reason,
    differences: differences.map(({ field, theirs, ours }) => ({
      field,
      theirs: FORMAT_OF[field](theirs),
      ours: formatted(field, ours),
      difference: formatted(field, ours === null ? null : theirs - ours),
    })),
    claim_try: formatted('amount_try', claim),
    our_prices: ownPriceIds.flatMap((id) => {
      const row = priceRows.get(id)
      return row ? [priceOf(row)] : []
    }),
    their_price: theirPrice && priceOf(theirPrice),
  }
}
