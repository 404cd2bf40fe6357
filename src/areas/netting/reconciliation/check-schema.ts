import { type Static, Type } from 'typebox'
import { CAUSES, VERDICTS } from '../../../core/netting/invoice/types.ts'
import {
  BillingPeriod,
  Decimal,
  DecimalIn,
  described,
  Id,
  Instant,
  LocalDate,
  Nullable,
  OneOf,
  Text,
  Word,
} from '../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../platform/http/page.ts'
import { ReportOptionsQuery, type WithLocale } from '../../../platform/http/reports.ts'
import { OBJECTION_DAYS_SETTING_MAX } from '../limits.ts'
import { FILE_FORMATS } from './invoice-document.ts'
import { LINE_COUNTS } from './invoice-schema.ts'
import { OBJECTION_NOTE_LENGTH_MAX } from './limits.ts'
import { ReconcileQuery, Reconciliation } from './schema.ts'

const OBJECTION_STATUSES = ['open', 'sent', 'answered', 'settled'] as const

const text = (description: string) => Nullable(Type.String({ description }))
const days = (description: string) =>
  Type.Integer({ minimum: 1, maximum: OBJECTION_DAYS_SETTING_MAX, description })
const amount = (description: string) => Nullable(described(Decimal, description))

const HEAD = {
  id: Id,
  group_id: described(Id, 'Group.'),
  group_name: Type.String({ description: 'Name of the group.' }),
  billing_period: described(BillingPeriod, 'Billing period.'),
  repeats: Nullable(described(Id, 'Check that this one repeats.')),
  file_name: Type.String({ description: 'Name of the file.' }),
  file_sha256: Type.String({ description: 'SHA-256 of the file.' }),
  format: described(Word(FILE_FORMATS), 'Format.'),
  supplier: text('Supplier.'),
  invoice_number: text('Number of the invoice.'),
  ...LINE_COUNTS,
  claim_try: described(Decimal, 'Sum of the differences.'),
  is_stale: Type.Boolean({ description: 'The current results are not those of the check.' }),
  created_at: described(Instant, 'Time of the check.'),
  created_by: described(Id, 'User who made it.'),
  objection_status: described(
    Word(OBJECTION_STATUSES),
    'Status of the objection: one for all checks of a file.',
  ),
  received_on: described(LocalDate, 'Day on which the invoice was received.'),
  received_from: described(
    Word(['user', 'invoice', 'check']),
    'Source of that day: a user, the date of the invoice, the first check.',
  ),
  objection_days: Type.Integer({ description: 'Days from then to the last day.' }),
  objection_due_on: described(LocalDate, 'Last day of an objection.'),
  objection_reminder_on: described(LocalDate, 'Day on which the reminder begins.'),
} as const

export const CheckHead = Type.Object(HEAD, { title: 'InvoiceCheckHead' })

const ObjectionStep = Type.Object({
  id: Id,
  status: described(Word(OBJECTION_STATUSES), 'Status from then on.'),
  on: described(LocalDate, 'Day.'),
  amount_try: amount('Amount, TRY.'),
  note: text('Note.'),
  created_at: described(Instant, 'Time of the record.'),
  created_by: described(Id, 'User who made it.'),
})

export const Check = Type.Object(
  {
    ...HEAD,
    input_hash: Type.String({
      description: 'SHA-256 of file, settings, mapping and inputs of the runs.',
    }),
    report: described(Reconciliation, 'Report, as of the time of the check.'),
    steps: Type.Array(ObjectionStep, { description: 'What happened with the objection.' }),
  },
  { title: 'InvoiceCheck' },
)

export const CheckQuery = Type.Object({
  ...ReconcileQuery.properties,
  received_on: Type.Optional(
    described(LocalDate, 'Day on which the invoice was received; default: its date, else today.'),
  ),
})

export const ChecksQuery = Type.Object({
  group_id: Type.Optional(described(Id, 'Only checks of this group.')),
  billing_period: Type.Optional(described(BillingPeriod, 'Only checks of this month.')),
  status: Type.Optional(described(OneOf(OBJECTION_STATUSES), 'Only those whose objection has this status.')),
  search: Search('name of the file, supplier, number of the invoice'),
  ...ListQuery(),
})

export const UpdateObjection = Type.Object(
  {
    received_on: Type.Optional(described(LocalDate, 'Day on which the invoice was received.')),
    objection_days: Type.Optional(days('Days from then to the last day of an objection.')),
  },
  { title: 'UpdateInvoiceObjection', minProperties: 1 },
)

export const NewStep = Type.Object(
  {
    status: described(
      OneOf(OBJECTION_STATUSES),
      'sent, answered (409 before it is sent), settled, or open again.',
    ),
    on: described(LocalDate, 'Day; not in the future.'),
    amount_try: Type.Optional(described(DecimalIn('nonnegative'), 'Amount, TRY.')),
    note: Type.Optional(described(Text(OBJECTION_NOTE_LENGTH_MAX), 'Note.')),
  },
  { title: 'NewInvoiceObjectionStep' },
)

const verdict = Nullable(described(Word(VERDICTS), 'Verdict; null: no such line.'))
const cause = Nullable(described(Word(CAUSES), 'Cause.'))

export const ComparisonQuery = Type.Object({
  with: Type.Optional(described(Id, 'Earlier check; default: the one that this check repeats.')),
})

export const CheckComparison = Type.Object(
  {
    before_id: described(Id, 'Earlier check.'),
    after_id: described(Id, 'This check.'),
    is_file_changed: Type.Boolean({ description: 'The files differ.' }),
    is_reading_changed: Type.Boolean({
      description: 'The files were read differently: mapping or settings.',
    }),
    are_results_changed: Type.Boolean({ description: 'The results were of other runs.' }),
    claim_before_try: described(Decimal, 'Sum of the differences before.'),
    claim_after_try: described(Decimal, 'Sum of the differences after.'),
    lines: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Row or position.' }),
        key: Type.String({ description: 'Local time.' }),
        description: text('Text of the line.'),
        before_verdict: verdict,
        before_cause: cause,
        before_claim_try: amount('Difference, TRY.'),
        after_verdict: verdict,
        after_cause: cause,
        after_claim_try: amount('Difference, TRY.'),
      }),
      { description: 'Lines with another verdict, cause or difference.' },
    ),
  },
  { title: 'InvoiceCheckComparison' },
)

export const CheckReportQuery = Type.Object(ReportOptionsQuery)

export type CheckQuery = Static<typeof CheckQuery>
export type ChecksQuery = Static<typeof ChecksQuery>
export type CheckHead = Static<typeof CheckHead>
export type Check = Static<typeof Check>
export type CheckComparison = Static<typeof CheckComparison>
export type CheckReportQuery = WithLocale<Static<typeof CheckReportQuery>>
export type NewStep = Static<typeof NewStep>
export type UpdateObjection = Static<typeof UpdateObjection>
