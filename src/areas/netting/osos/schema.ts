import { type Static, Type } from 'typebox'
import {
  Decimal,
  DecimalIn,
  described,
  Id,
  Instant,
  InstantIn,
  Kwh,
  Nullable,
  OneOf,
  Text,
  Word,
} from '../../../platform/http/fields.ts'
import { ListQuery } from '../../../platform/http/page.ts'
import type { UploadedFile } from '../../../platform/http/upload.ts'
import { HOURLY_LIST_LIMIT_MAX } from '../limits.ts'
import { MAIN_ROLES, optional } from '../shared/index.ts'
import { LABELS } from './hour-labels.ts'
import { OSOS_READINGS_PER_REQUEST_MAX, OSOS_REPORTED_MAX } from './limits.ts'

const count = (description: string) => Type.Integer({ description })

const ROLE_TEXT =
  'What it measures at its facility. Null: derived, from a device at the same metering point, ' +
  'else from the facility’s ' +
  'only kind of meter (production or consumption), else the boundary (pcc_import_export).'
const FACILITY_TEXT =
  'The facility whose official readings it has; metering points that name the installation win while they are in force.'
const MULTIPLIER_TEXT = 'What a step of the meter is multiplied by to be kWh (çarpan); up to 6 decimals.'

export const Installation = Type.Object({
  id: Id,
  installation_no: Type.String({
    description: 'Number of the installation (tesisat no); unique in the tenant.',
  }),
  facility_id: Nullable(described(Id, FACILITY_TEXT)),
  distribution_company_id: Nullable(described(Id, 'The distribution company that reads it.')),
  multiplier: described(Decimal, MULTIPLIER_TEXT),
  measurement_role: Nullable(described(Word(MAIN_ROLES), ROLE_TEXT)),
  created_at: Instant,
})

const fields = {
  facility_id: optional(described(Id, FACILITY_TEXT)),
  distribution_company_id: optional(described(Id, 'An organization of type distribution_company.')),
  multiplier: Type.Optional(
    described(
      DecimalIn('positive'),
      `${MULTIPLIER_TEXT} 1 unless said. A change holds for what is read from then on.`,
    ),
  ),
  measurement_role: optional(described(OneOf(MAIN_ROLES), ROLE_TEXT)),
}
export const CreateInstallation = Type.Object({
  installation_no: described(Text(100), 'Number of the installation (tesisat no); unique in the tenant.'),
  ...fields,
})
/** Omitted fields are unchanged; null clears. */
export const UpdateInstallation = Type.Object({
  installation_no: Type.Optional(described(Text(100), 'Number of the installation.')),
  ...fields,
})
export const InstallationQuery = Type.Object({ ...ListQuery(), facility_id: Type.Optional(Id) })

const LABEL_TEXT =
  'Which end an hour is called by. hour_ending: 01:00 is the hour from 00:00 to 01:00, and ' +
  '24:00 (or 00:00 of the next ' +
  'day) the last of a day. hour_starting: 01:00 is the hour from 01:00 to 02:00.'
const MULTIPLIED_TEXT =
  'true: the values are kWh. false: they are steps of the meter, and each is multiplied by the ' +
  'installation’s multiplier.'

const Value = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'], maxLength: 40, description }),
  )
export const PostReadings = Type.Object({
  label: described(OneOf(LABELS), LABEL_TEXT),
  multiplied: Type.Boolean({ description: MULTIPLIED_TEXT }),
  readings: Type.Array(
    Type.Object({
      timestamp: Type.String({
        maxLength: 40,
        description: 'The label of the hour: a whole hour, ISO 8601; without an offset it is Turkey-local.',
      }),
      import_kwh: Value('Drawn from the grid in the hour: at most 3 decimals, 6 where multiplied is false.'),
      export_kwh: Value('Fed into the grid in the hour; the same.'),
    }),
    { minItems: 1, maxItems: OSOS_READINGS_PER_REQUEST_MAX, description: 'In any order.' },
  ),
})

const formFields = {
  file: Type.Unsafe<UploadedFile>({ format: 'binary', description: 'The CSV file or XLSX workbook.' }),
  label: described(OneOf(LABELS), LABEL_TEXT),
  multiplied: described(OneOf(['true', 'false']), MULTIPLIED_TEXT),
}
export const ImportForm = Type.Object(formFields)

const STATUSES = ['accepted', 'unchanged', 'corrected', 'suspect', 'rejected'] as const
export type Status = (typeof STATUSES)[number]
const Status = described(
  Word(STATUSES),
  'accepted: new. unchanged: stored already. corrected: took the place of another value, which the history keeps. ' +
    'suspect: negative; kept without a value. rejected: not stored; the message says why.',
)
const message = Nullable(Type.String({ description: 'Why, where there is something to say.' }))
const counts = {
  import_id: described(Id, 'Under which the log keeps the request or file.'),
  rows_read: count('Readings of the request, or rows of the file below its header, totals left out.'),
  accepted: count('New readings.'),
  unchanged: count('Readings that were stored already.'),
  corrected: count('Readings that took the place of another value.'),
  suspect: count('New or changed readings below zero.'),
  rejected: count('Rows that are not stored.'),
  facts_written: count('Hourly facts of source osos_official_meter that are new or changed.'),
  short_days: Type.Array(
    Type.Object({
      installation_id: Id,
      date: Type.String({ format: 'date', description: 'Turkey-local day.' }),
      hours_present: count('Hours of the day with a value, stored before or now; a day has 24.'),
    }),
    { description: `Days of these readings that have fewer than 24 hours; the first ${OSOS_REPORTED_MAX}.` },
  ),
  short_days_total: count('How many days have fewer than 24 hours.'),
}
export const ReadingsReport = Type.Object({
  ...counts,
  rows: Type.Array(Type.Object({ index: count('Place in the request, from 0.'), status: Status, message }), {
    description: 'Every reading, in the order of the request.',
  }),
})
export const ImportReport = Type.Object({
  ...counts,
  rows: Type.Array(
    Type.Object({
      row: count('Row of the sheet or line of the file, from 1.'),
      status: Status,
      message,
    }),
    {
      description: `Rows that are corrected, suspect or rejected, in the order of the file; the first ${OSOS_REPORTED_MAX}.`,
    },
  ),
  ignored_columns: Type.Array(Type.String(), { description: 'Headers that mean nothing here.' }),
  decimal_mark: described(OneOf(['.', ',']), 'How the numbers of the file were read.'),
})

const RangeQuery = {
  from: Type.Optional(described(InstantIn, 'Hours that begin at this instant or later.')),
  to: Type.Optional(described(InstantIn, 'Hours that begin before this instant.')),
}
export const ReadingQuery = Type.Object({ ...ListQuery(HOURLY_LIST_LIMIT_MAX), ...RangeQuery })
const readingFields = {
  hour: described(Instant, 'Start of the hour.'),
  import_kwh: Nullable(described(Kwh, 'Drawn from the grid; null: not read, or suspect.')),
  export_kwh: Nullable(described(Kwh, 'Fed into the grid; null: not read, or suspect.')),
  is_suspect: Type.Boolean({ description: 'A negative energy was read: the hour has no value.' }),
  raw_text: Nullable(
    Type.String({ description: 'Of a suspect reading: import | export as they were read.' }),
  ),
  revision: count('Counts the values that the hour has had, from 1.'),
  import_id: described(Id, 'The request or file that it came in.'),
  stored_at: described(Instant, 'When this value was stored.'),
}
export const StoredReading = Type.Object(readingFields)
export const ReplacedReading = Type.Object({
  ...readingFields,
  replaced_at: described(Instant, 'When another value took its place.'),
  replaced_by: described(Id, 'The request or file that brought it.'),
})

export const LoggedImport = Type.Object({
  id: Id,
  installation_id: Nullable(described(Id, 'Null: a file for many installations.')),
  file_name: Nullable(Type.String({ description: 'Null: a request with JSON.' })),
  sha256: Nullable(Type.String({ description: 'Of the file, hexadecimal.' })),
  label: described(Word(LABELS), LABEL_TEXT),
  multiplied: Type.Boolean({ description: MULTIPLIED_TEXT }),
  rows_read: counts.rows_read,
  accepted: counts.accepted,
  unchanged: counts.unchanged,
  corrected: counts.corrected,
  suspect: counts.suspect,
  rejected: counts.rejected,
  created_by: Nullable(described(Id, 'The user who sent it.')),
  created_at: Instant,
})
export const ImportQuery = Type.Object({
  ...ListQuery(),
  installation_id: Type.Optional(described(Id, 'Requests and files for this installation alone.')),
})

const INTERVALS = ['hourly', 'daily', 'monthly'] as const
export const ConsumptionQuery = Type.Object({
  interval: { ...OneOf(INTERVALS), default: 'daily', description: 'Turkey-local hours, days or months.' },
  from: Type.Optional(
    described(
      InstantIn,
      'Widened to the start of its bucket. A day, a month or a year before `to` unless said.',
    ),
  ),
  to: Type.Optional(described(InstantIn, 'Widened to the end of its bucket. Now unless said.')),
})
export const Consumption = Type.Object({
  installation_id: Id,
  interval: OneOf(INTERVALS),
  from: described(Instant, 'Start of the first bucket.'),
  to: described(Instant, 'End of the last bucket.'),
  data: Type.Array(
    Type.Object({
      timestamp: described(Instant, 'Start of the bucket.'),
      import_kwh: Nullable(described(Kwh, 'Drawn from the grid; null: no data, 0.000: nothing was drawn.')),
      export_kwh: Nullable(described(Kwh, 'Fed into the grid; the same.')),
      net_kwh: Nullable(described(Kwh, 'Import less export; null where either is.')),
      hours_present: count('Hours of the bucket with a value.'),
      hours_expected: count('Hours of the bucket that are over.'),
    }),
    { description: 'Every bucket of the range, ascending.' },
  ),
})

export type Installation = Static<typeof Installation>
export type CreateInstallation = Static<typeof CreateInstallation>
export type UpdateInstallation = Static<typeof UpdateInstallation>
export type InstallationQuery = Static<typeof InstallationQuery>
export type PostReadings = Static<typeof PostReadings>
export type ReadingsReport = Static<typeof ReadingsReport>
export type ImportReport = Static<typeof ImportReport>
export type ReadingQuery = Static<typeof ReadingQuery>
export type ImportQuery = Static<typeof ImportQuery>
export type ConsumptionQuery = Static<typeof ConsumptionQuery>
export type Consumption = Static<typeof Consumption>
