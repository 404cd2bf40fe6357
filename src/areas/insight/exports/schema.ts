import { type Static, Type } from 'typebox'
import { METRIC_NAME_MAX_LENGTH } from '../../../kernel/limits.ts'
import { Id, Instant, InstantIn, Nullable, OneOf, Text } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { DELIMITERS } from '../../../platform/tables/index.ts'
import { INTERVALS } from '../../metering/rollup/index.ts'
import {
  EXPORT_DEVICES_MAX,
  EXPORT_DIRECT_ROWS_MAX,
  EXPORT_FILE_NAME_MAX_LENGTH,
  EXPORT_METRICS_MAX,
  EXPORT_PDF_DAYS_MAX,
} from './limits.ts'

export const FORMATS = ['csv', 'xlsx', 'pdf'] as const
export const EXPORT_INTERVALS = ['raw', ...INTERVALS] as const
export const LOCALES = ['tr', 'en'] as const
const STATUSES = ['queued', 'running', 'completed', 'failed'] as const

export const CreateExport = Type.Object({
  device_ids: Type.Array(Id, {
    minItems: 1,
    maxItems: EXPORT_DEVICES_MAX,
    description: 'In this order in the file; one that is named twice counts once.',
  }),
  start: { ...InstantIn, description: 'The first instant; by hour, day or month moved back to its start.' },
  end: Type.Optional({ ...InstantIn, description: 'Not included; else moved to its end. Default: now.' }),
  interval: Type.Unsafe<(typeof EXPORT_INTERVALS)[number]>({
    ...OneOf(EXPORT_INTERVALS),
    default: 'hourly',
    description:
      'raw: the samples as they were stored, registers as they stood. hourly, daily, monthly: energy of ' +
      'the bucket (kWh, ' +
      'kvarh) and means. At most 400 days of raw or hourly rows, 1,500 of daily and 7,400 of monthly ones.',
  }),
  metrics: Type.Optional(
    Type.Array(Text(METRIC_NAME_MAX_LENGTH), {
      minItems: 1,
      maxItems: EXPORT_METRICS_MAX,
      description:
        'The columns, by their names everywhere. raw: also the names of extra values. Else: the ' +
        'registers, voltage, ' +
        'current, active_power and power_factor. Default: those that occur (raw), or that the devices ' +
        'count. A PDF ' +
        'shows energy only.',
    }),
  ),
  format: Type.Unsafe<(typeof FORMATS)[number] | 'excel'>({
    ...OneOf([...FORMATS, 'excel']),
    description:
      `csv: UTF-8 with a byte order mark. xlsx: times on the Turkish clock; further sheets beyond ` +
      `1,048,576 rows; excel ` +
      `means the same. pdf: a ` +
      `report by day, beyond ${EXPORT_PDF_DAYS_MAX} days or with interval monthly by month.`,
  }),
  locale: Type.Unsafe<(typeof LOCALES)[number]>({
    ...OneOf(LOCALES),
    default: 'tr',
    description:
      'tr: csv with semicolons, 1,5 and 05.11.2026 13:00. en: commas, 1.5 and 2026-11-05T13:00:00+03:00. ' +
      'The language of ' +
      'the PDF.',
  }),
  delimiter: Type.Optional(
    Type.Unsafe<(typeof DELIMITERS)[number]>({
      ...OneOf(DELIMITERS),
      description: 'Of a csv, instead of the locale’s.',
    }),
  ),
  file_name: Type.Optional({
    ...Text(EXPORT_FILE_NAME_MAX_LENGTH),
    description: 'Without an ending. What a file name cannot hold is taken out.',
  }),
  async: Type.Boolean({
    default: false,
    description:
      `Made in the background whatever its size. More than ${EXPORT_DIRECT_ROWS_MAX} rows ` + 'always are.',
  }),
})

export const DataExport = Type.Object({
  export_id: Id,
  status: Type.Unsafe<(typeof STATUSES)[number]>({
    ...OneOf(STATUSES),
    description: 'queued, running, completed (there is a file) or failed (error says why).',
  }),
  progress_pct: Type.Integer({ minimum: 0, maximum: 100, description: 'Of the rows; 100 when completed.' }),
  format: Type.Unsafe<(typeof FORMATS)[number]>({ ...OneOf(FORMATS), description: 'Of the file.' }),
  file_name: Type.String({ description: 'As the download is called.' }),
  rows_done: Type.Integer({ description: 'Rows written.' }),
  rows_total: Nullable(Type.Integer({ description: 'Rows in all; null until they are counted.' })),
  size_bytes: Nullable(Type.Integer({ description: 'Of the file; null until it is completed.' })),
  error: Nullable(Type.String({ description: 'Why it failed.' })),
  request: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'What was asked for, as it is made.',
  }),
  created_at: Instant,
  started_at: Nullable(Instant),
  finished_at: Nullable(Instant),
  expires_at: { ...Instant, description: 'When it is deleted with its file.' },
})

export const ExportQuery = Type.Object({
  ...PageQuery(['created_at', 'file_name', 'status']),
  status: Type.Optional(OneOf(STATUSES)),
})

export type CreateExport = Static<typeof CreateExport>
export type DataExport = Static<typeof DataExport>
export type ExportQuery = Static<typeof ExportQuery>
