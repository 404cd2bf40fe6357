import { type Static, Type } from 'typebox'
import { IMPORTED_SOURCES } from '../../../../core/netting/official-meters.ts'
import {
  described,
  Id,
  Instant,
  Nullable,
  OneOf,
  Parameters,
  Word,
} from '../../../../platform/http/fields.ts'
import type { UploadedFile } from '../../../../platform/http/upload.ts'
import { LABELS, MAIN_ROLES } from '../../shared/index.ts'
import { OSOS_REPORTED_MAX } from '../limits.ts'
import { INTERVAL_MINUTES, UNITS, VALUE_KINDS } from './settings.ts'

export const MeterDataForm = Type.Object(
  {
    file: Type.Unsafe<UploadedFile>({ format: 'binary', description: 'CSV file or XLSX workbook.' }),
    facility_id: Type.Optional(
      described(
        Id,
        'Facility whose meter is declared, together with measurement_role. The facts have the source ' +
          'customer_declared.',
      ),
    ),
    measurement_role: Type.Optional(described(OneOf(MAIN_ROLES), 'Measurement role of the declared meter.')),
    installation_id: Type.Optional(
      described(
        Id,
        'Instead of a facility: the installation that was read, with a measurement role. Readings of an OSOS ' +
          'installation are official.',
      ),
    ),
    value_kind: described(
      OneOf(VALUE_KINDS),
      'register: readings of a cumulative register. interval: energy of each interval.',
    ),
    unit: described(OneOf(UNITS), 'Unit of the values. A header that names another unit is an error.'),
    label: Type.Optional(
      described(
        OneOf(LABELS),
        'Required for intervals: whether a time is the end (hour_ending) or the start (hour_starting) of its ' +
          'interval, also for intervals shorter than an hour. Not allowed for registers.',
      ),
    ),
    interval_minutes: Type.Optional(
      described(
        OneOf(INTERVAL_MINUTES),
        'Required for intervals: their length. For registers: the time between readings, which decides what ' +
          'counts as covered; derived from the readings when absent.',
      ),
    ),
    multiplier: Type.Optional(
      Type.String({
        pattern: '^(?!0+(\\.0+)?$)\\d{1,12}(\\.\\d{1,6})?$',
        description: 'Factor of the values (çarpan), above 0. Default: 1.',
      }),
    ),
    utc_offset: Type.Optional(
      Type.String({
        pattern: '^[+-](0\\d|1[0-4]):(00|30|45)$',
        description: 'Offset of times without an offset of their own. Default: +03:00 (Turkey).',
      }),
    ),
    decimal_mark: Type.Optional(
      described(OneOf(['comma', 'point']), 'Decimal mark of the values. Default: found in the file.'),
    ),
    columns: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'JSON object of headers by column (date, time, import, export, value), for headers that are not known.',
      }),
    ),
    dry_run: Type.Optional(
      described(OneOf(['true', 'false']), 'true: nothing is written; the report is that of the import.'),
    ),
  },
  { title: 'MeterDataForm' },
)

const count = (description: string) => Type.Integer({ description })

export const MeterDataReport = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether nothing was to be written.' }),
    is_stored: Type.Boolean({
      description: 'Whether the file was stored: false for a dry run and for errors.',
    }),
    import_id: Nullable(described(Id, 'Id in the import log; null if nothing was stored.')),
    installation_id: Nullable(described(Id, 'Meter of the readings; null if nothing was stored.')),
    facility_id: Nullable(described(Id, 'Facility of the meter.')),
    measurement_role: described(Word(MAIN_ROLES), 'Measurement role of the meter.'),
    fact_source: described(Word(IMPORTED_SOURCES), 'Source of the facts.'),
    decimal_mark: described(OneOf(['.', ',']), 'Decimal mark that was used for the values.'),
    ignored_columns: Type.Array(Type.String(), { description: 'Headers that were not used.' }),
    rows_read: count('Number of rows below the headers, without blank rows and totals.'),
    rows_empty: count('Number of rows without a value.'),
    rows_repeated: count('Number of rows that repeat another row with the same value.'),
    from_hour: Nullable(described(Instant, 'Start of the first hour with a value; null without any.')),
    to_hour: Nullable(described(Instant, 'End of the last hour with a value; null without any.')),
    hours_read: count('Number of hours that the rows give.'),
    accepted: count('Number of new hours.'),
    unchanged: count('Number of hours that were already stored.'),
    corrected: count('Number of hours that replaced another value.'),
    suspect: count('Number of new or changed hours with an energy below zero; stored without a value.'),
    partial: count('Number of hours of which register readings cover less than 95 percent.'),
    resets: count('Number of hours in or around which the register fell; their facts are suspect.'),
    facts_written: count('Number of new or changed hourly facts.'),
    missing_hours: count('Number of hours without a value between the first and the last row.'),
    gaps: Type.Array(
      Type.Object({
        from_hour: described(Instant, 'Start of the first hour without a value.'),
        to_hour: described(Instant, 'End of the last hour without a value.'),
        hours: count('Number of hours.'),
      }),
      { description: `Ranges of hours without a value; the first ${OSOS_REPORTED_MAX}.` },
    ),
    errors: Type.Array(
      Type.Object({
        row: count('Row of the sheet, or line of the file, from 1.'),
        code: Type.String({ description: 'Code of the error.' }),
        parameters: Parameters,
        message: Type.String({ description: 'Description of the error.' }),
      }),
      {
        description: `Errors of rows, by row; the first ${OSOS_REPORTED_MAX}. With an error nothing is stored.`,
      },
    ),
    error_count: count('Number of errors of rows.'),
  },
  { title: 'MeterDataReport' },
)

export type MeterDataForm = Static<typeof MeterDataForm>
export type MeterDataReport = Static<typeof MeterDataReport>
