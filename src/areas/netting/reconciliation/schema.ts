import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  DecimalIn,
  described,
  Id,
  KwhIn,
  Nullable,
  OneOf,
} from '../../../platform/http/fields.ts'
import { RECONCILE_REPORTED_MAX } from '../limits.ts'
import { KWH_FIELDS, TRY_FIELDS } from './columns.ts'

const Field = OneOf([...KWH_FIELDS, ...TRY_FIELDS])
const UNITS = 'kWh with 3 decimals, TRY with 6, as the field has it'
const Figure = Type.String({ pattern: '^-?\\d+\\.\\d{3}(\\d{3})?$' })
const figure = (description: string) => described(Figure, `${description}; ${UNITS}.`)
const count = (description: string) => Type.Integer({ description })
const KEY = 'What it is about, in local time: 2026-11, 2026-11-05 or 2026-11-05 13:00.'

export const ReconcileQuery = Type.Object({
  billing_period: described(BillingPeriod, 'The month; any date of it is truncated.'),
  tolerance_kwh: Type.Optional(
    described(KwhIn('nonnegative'), 'Energy that differs by no more agrees; kWh, 0.001 unless said.'),
  ),
  tolerance_try: Type.Optional(
    described(DecimalIn('nonnegative'), 'Money that differs by no more agrees; TRY, 0.01 unless said.'),
  ),
})

const Difference = Type.Object({
  row: count('Row of the sheet or line of the file, from 1.'),
  key: Type.String({ description: KEY }),
  facility_id: Nullable(described(Id, 'Set where the row is about one facility.')),
  field: described(Field, 'The figure.'),
  theirs: figure('What the file says'),
  ours: Nullable(figure('What the current results say; null where no amount has a price')),
  difference: Nullable(figure('Theirs less ours; null where ours is')),
})

const BadRow = Type.Object({
  row: count('Row of the sheet or line of the file, from 1.'),
  column: Nullable(
    Type.String({ description: 'Its header in the file; null where the whole row is meant.' }),
  ),
  message: Type.String({ description: 'Why it was left out.' }),
})

const Total = Type.Object({
  field: described(Field, 'The figure.'),
  theirs: figure('Sum of what was compared, of the file'),
  ours: figure('Sum of the same, of the results'),
  difference: figure('Theirs less ours'),
  compared: count('Figures compared.'),
  different: count('Figures that differ by more than the tolerance.'),
})

export const Reconciliation = Type.Object({
  group_id: described(Id, 'The group.'),
  billing_period: described(BillingPeriod, 'The Turkey-local month, by its first day.'),
  rows_read: count('Rows of figures in the file.'),
  matched_rows: count('Rows whose every figure agrees.'),
  different_rows: count('Rows with a figure that does not agree.'),
  rows: Type.Array(Difference, { description: 'The figures that do not agree, in the order of the file.' }),
  missing_theirs: Type.Array(Type.String(), {
    description:
      'Calculated hours (or days) of the month that a file by the hour (or day) does not have; their keys.',
  }),
  missing_ours: Type.Array(
    Type.Object({
      row: count('Row of the file.'),
      key: Type.String({ description: KEY }),
    }),
    { description: 'Rows of the file about what is not calculated.' },
  ),
  bad_rows: Type.Array(BadRow, { description: 'What could not be read; the other rows and cells count.' }),
  counts: Type.Object(
    {
      rows: count('Figures that do not agree.'),
      missing_theirs: count('Keys that the file does not have.'),
      missing_ours: count('Rows that are not calculated.'),
      bad_rows: count('What could not be read.'),
    },
    { description: `How long the four lists are; each shows its first ${RECONCILE_REPORTED_MAX} entries.` },
  ),
  totals: Type.Array(Total, { description: 'By figure, over what was compared.' }),
  tolerance_kwh: described(Figure, 'The tolerance applied; kWh.'),
  tolerance_try: described(Figure, 'The tolerance applied; TRY.'),
  columns: Type.Unsafe<Record<string, string>>({
    ...Type.Object({}),
    additionalProperties: Type.String({ description: 'Our name.' }),
    description: 'The columns understood: our name by the file’s header.',
  }),
  ignored_columns: Type.Array(Type.String(), { description: 'Headers that mean nothing here.' }),
  decimal_mark: described(OneOf(['.', ',']), 'How the numbers of the file were read.'),
})

export type ReconcileQuery = Static<typeof ReconcileQuery>
export type Reconciliation = Static<typeof Reconciliation>
