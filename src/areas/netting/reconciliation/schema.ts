import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  DecimalIn,
  described,
  Id,
  KwhIn,
  LocalDate,
  Nullable,
  OneOf,
  Text,
} from '../../../platform/http/fields.ts'
import { OBJECTION_DAYS, RECONCILE_REPORTED_MAX } from '../limits.ts'
import { LABELS } from '../shared/index.ts'
import { KWH_FIELDS, TRY_FIELDS } from './columns.ts'
import { Reading } from './fields-schema.ts'
import { INVOICE_FIELDS } from './invoice-schema.ts'
import { SUPPLIER_LENGTH_MAX } from './limits.ts'

const Field = OneOf([...KWH_FIELDS, ...TRY_FIELDS])
const Figure = Type.String({ pattern: '^-?\\d+\\.\\d{3}(\\d{3})?$' })
const figure = (description: string) => described(Figure, `${description}.`)
const count = (description: string) => Type.Integer({ description })
const KEY = 'Local time that the row concerns: 2026-11, 2026-11-05 or 2026-11-05 13:00.'

export const SupplierQuery = Type.Optional(
  described(Text(SUPPLIER_LENGTH_MAX), 'Supplier of the field mapping; default: that of the invoice.'),
)

export const ReconcileQuery = Type.Object({
  billing_period: described(BillingPeriod, 'Month; any date of it is truncated.'),
  label: Type.Optional(
    described(
      OneOf(LABELS),
      'End of the hour that its label names. Default: docs/understand/netting/reconcile.md.',
    ),
  ),
  tolerance_kwh: Type.Optional(
    described(KwhIn('nonnegative'), 'Tolerance for energies, kWh; default 0.001.'),
  ),
  tolerance_try: Type.Optional(
    described(DecimalIn('nonnegative'), 'Tolerance for amounts, TRY; default 0.01.'),
  ),
  supplier: SupplierQuery,
})

const Difference = Type.Object({
  row: count('Row of the sheet, or line of the file, from 1.'),
  key: Type.String({ description: KEY }),
  facility_id: Nullable(described(Id, 'Facility, if the row concerns one facility.')),
  field: described(Field, 'Name of the figure.'),
  theirs: figure('Value of the file'),
  ours: Nullable(figure('Value of the current results; null if no amount has a price')),
  difference: Nullable(figure('Value of the file minus value of the results; null if the latter is null')),
})

const BadRow = Type.Object({
  row: count('Row of the sheet, or line of the file, from 1.'),
  column: Nullable(
    Type.String({ description: 'Header of the column in the file; null if the whole row is concerned.' }),
  ),
  message: Type.String({ description: 'Reason why the row or cell was skipped.' }),
})

const Total = Type.Object({
  field: described(Field, 'Name of the figure.'),
  theirs: figure('Sum of the compared figures of the file'),
  ours: figure('Sum of the compared figures of the results'),
  difference: figure('Value of the file minus value of the results'),
  compared: count('Number of compared figures.'),
  different: count('Number of figures that differ by more than the tolerance.'),
})

export const Reconciliation = Type.Object(
  {
    group_id: described(Id, 'Group.'),
    billing_period: described(BillingPeriod, 'Billing period: the first day of a Turkey-local month.'),
    rows_read: count('Number of rows with figures in the file.'),
    matched_rows: count('Number of rows in which all figures agree.'),
    different_rows: count('Number of rows with a figure that does not agree.'),
    rows: Type.Array(Difference, { description: 'Figures that do not agree, in the order of the file.' }),
    missing_theirs: Type.Array(Type.String(), {
      description:
        'Keys of the calculated hours (or days) of the month that are missing in a file by hour (or day).',
    }),
    missing_ours: Type.Array(
      Type.Object({
        row: count('Row of the file.'),
        key: Type.String({ description: KEY }),
      }),
      { description: 'Rows of the file for periods that are not calculated.' },
    ),
    bad_rows: Type.Array(BadRow, {
      description: 'Rows and cells that could not be read; the other rows and cells are compared.',
    }),
    counts: Type.Object(
      {
        rows: count('Number of figures that do not agree.'),
        missing_theirs: count('Number of keys that are missing in the file.'),
        missing_ours: count('Number of rows for periods that are not calculated.'),
        bad_rows: count('Number of rows and cells that could not be read.'),
      },
      {
        description: `Lengths of the four lists; each list contains at most ${RECONCILE_REPORTED_MAX} entries.`,
      },
    ),
    totals: Type.Array(Total, { description: 'Totals of the compared rows, by figure.' }),
    hints: Type.Array(
      Type.Object({
        code: described(OneOf(['HOURS_SHIFTED', 'DIFFERENCES_LOOK_LIKE_VAT']), 'Likely cause.'),
        parameters: Type.Unsafe<Record<string, string | number>>({
          ...Type.Object({}),
          additionalProperties: { type: ['string', 'number'] },
          description: 'Values of the cause: hours and label, or rate_pct.',
        }),
        message: Type.String({ description: 'Text of the cause.' }),
      }),
      { description: 'Likely causes of many differences.' },
    ),
    label: described(OneOf(LABELS), 'Label that was used for the hours of the file.'),
    tolerance_kwh: described(Figure, 'Applied tolerance for energies, kWh.'),
    tolerance_try: described(Figure, 'Applied tolerance for amounts, TRY.'),
    columns: Type.Unsafe<Record<string, string>>({
      ...Type.Object({}),
      additionalProperties: Type.String({ description: 'Name of the figure in this API.' }),
      description: 'Recognized columns: name of the figure by header of the file.',
    }),
    ignored_columns: Type.Array(Type.String(), { description: 'Headers that were not recognized.' }),
    decimal_mark: described(OneOf(['.', ',']), 'Decimal mark that was used for the numbers of the file.'),
    ...INVOICE_FIELDS,
    reading: Reading,
  },
  { title: 'Reconciliation' },
)

export const ObjectionQuery = Type.Object({
  ...ReconcileQuery.properties,
  received_on: Type.Optional(described(LocalDate, 'Day on which the invoice was received.')),
  objection_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description: `Days from then to the last day of an objection; default ${OBJECTION_DAYS}.`,
    }),
  ),
})

export const ObjectionResponse = {
  description: 'The PDF, as an attachment.',
  content: {
    'application/pdf': {
      schema: Type.Unsafe<NodeJS.ReadableStream>({ type: 'string', format: 'binary' }),
    },
  },
}

export type ObjectionQuery = Static<typeof ObjectionQuery>
export type ReconcileQuery = Static<typeof ReconcileQuery>
export type Reconciliation = Static<typeof Reconciliation>
