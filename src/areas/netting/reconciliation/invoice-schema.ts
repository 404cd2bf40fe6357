import { type Static, Type } from 'typebox'
import { CAUSES, DIFFERENCE_FIELDS, LINE_KINDS, VERDICTS } from '../../../core/netting/invoice/types.ts'
import { Decimal, described, Id, Kwh, Nullable, Word } from '../../../platform/http/fields.ts'
import { RECONCILE_REPORTED_MAX } from '../limits.ts'
import { FILE_FORMATS } from './invoice-document.ts'

const text = (description: string) => Nullable(Type.String({ description }))
const date = (description: string) =>
  Nullable(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description }))

export const InvoiceHead = Type.Object(
  {
    number: text('Number of the invoice.'),
    issue_date: date('Date of the invoice.'),
    due_date: date('Last day of payment.'),
    supplier: text('Name of the supplier.'),
    supplier_tax_id: text('Tax number (VKN or TCKN) of the supplier.'),
  },
  { description: 'As stated.' },
)

const PriceOfLine = Type.Object({
  tariff_price_id: described(Id, 'Row of a tariff.'),
  name: Type.String({ description: 'Name.' }),
  price_try_per_kwh: described(Decimal, 'Price, TRY/kWh.'),
})

const LineDifference = Type.Object({
  field: described(Word(DIFFERENCE_FIELDS), 'Figure of the line.'),
  theirs: Type.String({ description: 'Value of the invoice, in the unit of the field.' }),
  ours: text('Our value.'),
  difference: text('Value of the invoice minus ours.'),
})

const kwh = (description: string) => Nullable(described(Kwh, description))
const lira = (description: string) => Nullable(described(Decimal, description))

export const ClassifiedLine = Type.Object({
  line: Type.Integer({
    description: 'Row or position.',
  }),
  description: text('Text of the line, or header of its column.'),
  kind: Nullable(described(Word(LINE_KINDS), 'Charge; null: unknown.')),
  key: Type.String({ description: 'Local time: 2026-11, 2026-11-05 or 2026-11-05 13:00.' }),
  facility_id: Nullable(described(Id, 'Facility, if the line names one of the group.')),
  step_no: Nullable(Type.Integer({ description: 'Price step (kademe).' })),
  quantity_kwh: kwh('Energy of the line, kWh.'),
  unit_price_try_per_kwh: lira('Price of the line, TRY/kWh.'),
  amount_try: lira('Amount of the line without value added tax, TRY.'),
  vat_rate_pct: text('Rate of value added tax, per cent.'),
  vat_try: lira('Value added tax of the line, TRY.'),
  verdict: described(Word(VERDICTS), 'Verdict.'),
  cause: Nullable(described(Word(CAUSES), 'Cause.')),
  reason: text('Text.'),
  differences: Type.Array(LineDifference, { description: 'The figures that differ.' }),
  claim_try: lira('Difference, TRY.'),
  our_prices: Type.Array(PriceOfLine, { description: 'Tariff rows that the results use for the line.' }),
  their_price: Nullable(described(PriceOfLine, 'Row used instead.')),
})

const count = (description: string) => Type.Integer({ description })

export const LINE_COUNTS = {
  agreeing: count('Number of agreeing lines.'),
  differing: count('Number of differing lines.'),
  undecidable: count('Number of undecidable lines.'),
} as const

/** The additional part of a reconciliation: the file as an invoice. */
export const INVOICE_FIELDS = {
  format: described(Word(FILE_FORMATS), 'Format.'),
  invoice: InvoiceHead,
  lines: Type.Array(ClassifiedLine, {
    description: `Lines: differing ones, then undecidable, then agreeing; at most ${RECONCILE_REPORTED_MAX}.`,
  }),
  line_counts: Type.Object(LINE_COUNTS, { description: 'Numbers of all lines.' }),
  claim_try: described(Decimal, 'Sum of the differences.'),
  runs: Type.Array(
    Type.Object({
      run_id: described(Id, 'Run.'),
      input_hash: Type.String({ description: 'SHA-256 of its input.' }),
      engine_version: Type.String({ description: 'Version of the engine.' }),
    }),
    { description: 'Current runs.' },
  ),
} as const

export type ClassifiedLineResponse = Static<typeof ClassifiedLine>
