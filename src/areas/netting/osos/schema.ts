import { type Static, Type } from 'typebox'
import { IMPORTED_SOURCES } from '../../../core/netting/official-meters.ts'
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
import { ListQuery, Search } from '../../../platform/http/page.ts'
import type { UploadedFile } from '../../../platform/http/upload.ts'
import { HOURLY_LIST_LIMIT_MAX } from '../limits.ts'
import { LABELS, MAIN_ROLES, optional } from '../shared/index.ts'
import { OSOS_READINGS_PER_REQUEST_MAX, OSOS_REPORTED_MAX } from './limits.ts'
import { MeterDataSettings } from './meter-data/settings.ts'

const count = (description: string) => Type.Integer({ description })

const ROLE_TEXT =
  'Measurement role at the facility. null: derived from a device at the same metering point, ' +
  'otherwise from the only kind of meter of the facility (production or consumption), otherwise the ' +
  'boundary (pcc_import_export).'
const FACILITY_TEXT =
  'Facility of the official readings; metering points that refer to the installation take precedence ' +
  'while they are valid.'
const MULTIPLIER_TEXT = 'Factor from meter steps to kWh (çarpan); up to 6 decimals.'

export const Installation = Type.Object(
  {
    id: Id,
    installation_no: Type.String({
      description: 'Installation number (tesisat no); unique in the tenant.',
    }),
    facility_id: Nullable(described(Id, FACILITY_TEXT)),
    distribution_company_id: Nullable(described(Id, 'Distribution company that reads the installation.')),
    multiplier: described(Decimal, MULTIPLIER_TEXT),
    measurement_role: Nullable(described(Word(MAIN_ROLES), ROLE_TEXT)),
    fact_source: described(
      Word(IMPORTED_SOURCES),
      'Source of the facts: osos_official_meter, or customer_declared for a meter that an import of meter data ' +
        'created.',
    ),
    created_at: Instant,
  },
  { title: 'OsosInstallation' },
)

const fields = {
  facility_id: optional(described(Id, FACILITY_TEXT)),
  distribution_company_id: optional(described(Id, 'Organization of the type distribution_company.')),
  multiplier: Type.Optional(
    described(
      DecimalIn('positive'),
      `${MULTIPLIER_TEXT} Default: 1. A change applies to readings imported afterwards.`,
    ),
  ),
  measurement_role: optional(described(OneOf(MAIN_ROLES), ROLE_TEXT)),
}
export const CreateInstallation = Type.Object(
  {
    installation_no: described(Text(100), 'Installation number (tesisat no); unique in the tenant.'),
    ...fields,
  },
  { title: 'CreateOsosInstallation' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateInstallation = Type.Object(
  {
    installation_no: Type.Optional(described(Text(100), 'Installation number.')),
    ...fields,
  },
  { title: 'UpdateOsosInstallation' },
)
export const InstallationQuery = Type.Object({
  ...ListQuery(),
  search: Search('installation number'),
  facility_id: Type.Optional(Id),
})

const LABEL_TEXT =
  'Convention of the hour labels. hour_ending: 01:00 is the hour from 00:00 to 01:00, and 24:00 (or ' +
  '00:00 of the next day) the last hour of a day. hour_starting: 01:00 is the hour from 01:00 to ' +
  '02:00.'
const MULTIPLIED_TEXT =
  'true: the values are kWh. false: the values are meter steps and are multiplied by the multiplier ' +
  'of the installation.'

const Value = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'], maxLength: 40, description }),
  )
export const PostReadings = Type.Object(
  {
    label: described(OneOf(LABELS), LABEL_TEXT),
    multiplied: Type.Boolean({ description: MULTIPLIED_TEXT }),
    readings: Type.Array(
      Type.Object({
        timestamp: Type.String({
          maxLength: 40,
          description: 'Label of the hour: a whole hour, ISO 8601; Turkey-local without an offset.',
        }),
        import_kwh: Value(
          'Energy drawn from the grid in the hour: at most 3 decimals, 6 if multiplied is false.',
        ),
        export_kwh: Value(
          'Energy fed into the grid in the hour: at most 3 decimals, 6 if multiplied is false.',
        ),
      }),
      { minItems: 1, maxItems: OSOS_READINGS_PER_REQUEST_MAX, description: 'Readings in any order.' },
    ),
  },
  { title: 'PostOsosReadings' },
)

const formFields = {
  file: Type.Unsafe<UploadedFile>({ format: 'binary', description: 'CSV file or XLSX workbook.' }),
  label: described(OneOf(LABELS), LABEL_TEXT),
  multiplied: described(OneOf(['true', 'false']), MULTIPLIED_TEXT),
}
export const ImportForm = Type.Object(formFields, { title: 'OsosImportForm' })

export const STATUSES = ['accepted', 'unchanged', 'corrected', 'suspect', 'rejected'] as const
export type Status = (typeof STATUSES)[number]
const Status = described(
  Word(STATUSES),
  'accepted: new. unchanged: already stored. corrected: replaced another value, which is kept in the ' +
    'history. suspect: negative; stored without a value. rejected: not stored; the message contains ' +
    'the reason.',
)
const message = Nullable(Type.String({ description: 'Reason for the status, if any.' }))
const counts = {
  import_id: described(Id, 'Id of the request or file in the import log.'),
  rows_read: count(
    'Number of readings of the request, or rows of the file below its header, without rows of totals.',
  ),
  accepted: count('Number of new readings.'),
  unchanged: count('Number of readings that were already stored.'),
  corrected: count('Number of readings that replaced another value.'),
  suspect: count('Number of new or changed readings below zero.'),
  rejected: count('Number of rows that are not stored.'),
  facts_written: count('Number of new or changed hourly facts with the source osos_official_meter.'),
  short_days: Type.Array(
    Type.Object({
      installation_id: Id,
      date: Type.String({ format: 'date', description: 'Turkey-local day.' }),
      hours_present: count(
        'Number of hours of the day with a value, including those stored earlier; a day has 24.',
      ),
    }),
    { description: `Days of these readings with fewer than 24 hours; the first ${OSOS_REPORTED_MAX}.` },
  ),
  short_days_total: count('Number of days with fewer than 24 hours.'),
}
export const ReadingsReport = Type.Object(
  {
    ...counts,
    rows: Type.Array(
      Type.Object({ index: count('Index in the request, from 0.'), status: Status, message }),
      {
        description: 'Result of every reading, in the order of the request.',
      },
    ),
  },
  { title: 'OsosReadingsReport' },
)
export const ImportReport = Type.Object(
  {
    ...counts,
    rows: Type.Array(
      Type.Object({
        row: count('Row of the sheet, or line of the file, from 1.'),
        status: Status,
        message,
      }),
      {
        description: `Corrected, suspect and rejected rows in the order of the file; the first ${OSOS_REPORTED_MAX}.`,
      },
    ),
    ignored_columns: Type.Array(Type.String(), { description: 'Headers that were not recognized.' }),
    decimal_mark: described(OneOf(['.', ',']), 'Decimal mark that was used for the numbers of the file.'),
  },
  { title: 'OsosImportReport' },
)

const RangeQuery = {
  from: Type.Optional(described(InstantIn, 'Only hours that begin at or after this time.')),
  to: Type.Optional(described(InstantIn, 'Only hours that begin before this time.')),
}
export const ReadingQuery = Type.Object({ ...ListQuery(HOURLY_LIST_LIMIT_MAX), ...RangeQuery })
const readingFields = {
  hour: described(Instant, 'Start of the hour.'),
  import_kwh: Nullable(described(Kwh, 'Energy drawn from the grid, kWh; null: not read, or suspect.')),
  export_kwh: Nullable(described(Kwh, 'Energy fed into the grid, kWh; null: not read, or suspect.')),
  is_suspect: Type.Boolean({ description: 'Whether the reading was negative; the hour then has no value.' }),
  raw_text: Nullable(Type.String({ description: 'Raw text of a suspect reading: import | export as read.' })),
  completeness_pct: Type.Number({
    description: 'Percent of the hour that register readings cover; 100 for ready hourly energy.',
  }),
  is_reset: Type.Boolean({
    description:
      'Whether the register fell in or around the hour: the value is what the meter can have counted.',
  }),
  revision: count('Revision of the value of the hour, from 1.'),
  import_id: described(Id, 'Import (request or file) of the value.'),
  stored_at: described(Instant, 'Time at which the value was stored.'),
}
export const StoredReading = Type.Object(readingFields, { title: 'OsosReading' })
export const ReplacedReading = Type.Object(
  {
    ...readingFields,
    replaced_at: described(Instant, 'Time at which another value replaced this one.'),
    replaced_by: described(Id, 'Import (request or file) of the replacing value.'),
  },
  { title: 'ReplacedOsosReading' },
)

export const LoggedImport = Type.Object(
  {
    id: Id,
    installation_id: Nullable(described(Id, 'Installation; null: a file for several installations.')),
    file_name: Nullable(Type.String({ description: 'Name of the file; null: a JSON request.' })),
    sha256: Nullable(Type.String({ description: 'SHA-256 of the file, hexadecimal.' })),
    label: Nullable(described(Word(LABELS), `${LABEL_TEXT} null: register readings, which have no label.`)),
    multiplied: Type.Boolean({ description: MULTIPLIED_TEXT }),
    settings: Nullable(MeterDataSettings),
    rows_read: counts.rows_read,
    accepted: counts.accepted,
    unchanged: counts.unchanged,
    corrected: counts.corrected,
    suspect: counts.suspect,
    rejected: counts.rejected,
    created_by: Nullable(described(Id, 'User who sent the import.')),
    created_at: Instant,
  },
  { title: 'OsosImport' },
)
export const ImportQuery = Type.Object({
  ...ListQuery(),
  search: Search('file name'),
  installation_id: Type.Optional(described(Id, 'Only imports for this installation.')),
})

const INTERVALS = ['hourly', 'daily', 'monthly'] as const
export const ConsumptionQuery = Type.Object({
  interval: {
    ...OneOf(INTERVALS),
    default: 'daily',
    description: 'Bucket size: Turkey-local hours, days or months.',
  },
  from: Type.Optional(
    described(
      InstantIn,
      'Start, rounded down to the start of its bucket. Default: a day, a month or a year before `to`.',
    ),
  ),
  to: Type.Optional(described(InstantIn, 'End, rounded up to the end of its bucket. Default: now.')),
})
export const Consumption = Type.Object(
  {
    installation_id: Id,
    interval: OneOf(INTERVALS),
    from: described(Instant, 'Start of the first bucket.'),
    to: described(Instant, 'End of the last bucket.'),
    data: Type.Array(
      Type.Object({
        timestamp: described(Instant, 'Start of the bucket.'),
        import_kwh: Nullable(
          described(Kwh, 'Energy drawn from the grid, kWh; null: no data, 0.000: no energy was drawn.'),
        ),
        export_kwh: Nullable(
          described(Kwh, 'Energy fed into the grid, kWh; null: no data, 0.000: no energy was fed.'),
        ),
        net_kwh: Nullable(described(Kwh, 'Import minus export, kWh; null if either is null.')),
        hours_present: count('Number of hours of the bucket with a value.'),
        hours_expected: count('Number of completed hours of the bucket.'),
      }),
      { description: 'All buckets of the range in ascending order.' },
    ),
  },
  { title: 'OsosConsumption' },
)

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
