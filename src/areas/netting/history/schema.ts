import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  described,
  Id,
  Instant,
  Nullable,
  OneOf,
  Parameters,
  Word,
} from '../../../platform/http/fields.ts'
import { MessageText } from '../../../platform/http/message-texts.ts'
import { FilesBody } from '../../../platform/http/upload.ts'
import { KIND_NAMES } from './kinds.ts'
import { HISTORY_FILES_MAX } from './limits.ts'

const count = (description: string) => Type.Integer({ description })
const TenantId = described(Id, 'Tenant of the records. Default: the tenant of the caller.')
const Flag = (description: string) => Type.Optional(described(OneOf(['true', 'false']), description))
const Month = (description: string) => Type.Optional(described(BillingPeriod, description))
const FROM_TEXT = 'First month to calculate. Default: the month of the first membership.'
const TO_TEXT = 'Last month to calculate. Default: the current month.'

export const HistoryForm = Type.Object(
  {
    ...FilesBody(
      'One XLSX workbook with a sheet for each kind, or a CSV file for each kind, named like the sheet.',
      HISTORY_FILES_MAX,
    ),
    tenant_id: Type.Optional(TenantId),
    dry_run: Flag('true: nothing is stored; the report is that of the import. Default: false.'),
    calculate: Flag(
      'true: the months are calculated after the import, if a member of a group has one up to the present. ' +
        'Default: false.',
    ),
  },
  { title: 'HistoryForm' },
)

const position = {
  file: Type.String({ description: 'Name of the file.' }),
  sheet: Nullable(Type.String({ description: 'Name of the sheet; null for a CSV file.' })),
  row: Type.Integer({ description: 'Row of the sheet or line of the file, from 1.' }),
}
const RESULT_TEXT =
  'created; unchanged: the record exists with the same values; failed: see errors; not_checked: the row ' +
  'refers to a row with an error.'

const HistoryRow = Type.Object({
  ...position,
  kind: described(Word(KIND_NAMES), 'Kind of the record: the name of its sheet.'),
  result: described(Word(['created', 'unchanged', 'failed', 'not_checked']), RESULT_TEXT),
  id: Nullable(described(Id, 'Record of the row; null where nothing is stored.')),
})

const HistoryError = Type.Object({
  ...position,
  column: Nullable(Type.String({ description: 'English header of the column; null: the row as a whole.' })),
  code: Type.String({ description: 'Code of the error.' }),
  message: Type.String({ description: 'Text of the error, in the language of Accept-Language.' }),
  parameters: Parameters,
})

const StepState = Word(['open', 'calculated', 'unchanged', 'failed', 'skipped'])
const Step = Type.Object({
  billing_period: described(BillingPeriod, 'Month.'),
  group_id: Id,
  group_name: Type.String({ description: 'Name of the group.' }),
  state: described(
    StepState,
    'unchanged: the results are those of the same input; skipped: an earlier month of the group failed.',
  ),
  hours: Nullable(count('Calculated hours.')),
  error_code: Nullable(
    Type.String({ description: 'Code of the error of a month that failed or was skipped.' }),
  ),
  error_message: Nullable(MessageText('Its text.')),
  finished_at: Nullable(Instant),
})

export const HistoryCalculation = Type.Object(
  {
    id: Id,
    tenant_id: described(Id, 'Tenant of the groups.'),
    state: described(Word(['open', 'done', 'failed']), 'failed: finished, and at least one month failed.'),
    from: described(BillingPeriod, 'First month.'),
    to: described(BillingPeriod, 'Last month.'),
    steps_total: count('Months of groups.'),
    steps_done: count('Months of groups that are finished, including failed and skipped ones.'),
    created_at: Instant,
    finished_at: Nullable(Instant),
    steps: Type.Array(Step, { description: 'By month, in the order of the calculation.' }),
  },
  { title: 'HistoryCalculation' },
)

export const HistoryReport = Type.Object(
  {
    tenant_id: described(Id, 'Tenant of the records.'),
    dry_run: Type.Boolean({ description: 'true: nothing is stored.' }),
    applied: Type.Boolean({ description: 'true: all rows are stored. false: none.' }),
    created: count('Rows whose records are new; with applied false, would be.'),
    unchanged: count('Rows whose records exist with the same values.'),
    rows: Type.Array(HistoryRow, { description: 'Result of each row, by file and row.' }),
    errors: Type.Array(HistoryError, { description: 'The first errors, by file and row.' }),
    error_count: count('All errors, including those that are not listed.'),
    calculation: Nullable({
      ...HistoryCalculation,
      description: 'Started calculation; null without calculate, or when nothing is stored.',
    }),
  },
  { title: 'HistoryReport' },
)

export const CalculateHistory = Type.Object(
  {
    tenant_id: Type.Optional(TenantId),
    from: Month(FROM_TEXT),
    to: Month(TO_TEXT),
  },
  { title: 'CalculateHistory' },
)

export const TemplateQuery = Type.Object({
  language: Type.Optional(described(OneOf(['tr', 'en']), 'Default: Accept-Language, otherwise English.')),
})

export type HistoryForm = Static<typeof HistoryForm>
export type CalculateHistory = Static<typeof CalculateHistory>
