import { type Static, Type } from 'typebox'
import { METRIC_NAME_MAX_LENGTH } from '../../../kernel/limits.ts'
import { Id, Instant, InstantIn, Nullable, OneOf, Text } from '../../../platform/http/fields.ts'
import { MessageText } from '../../../platform/http/message-texts.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { localeField, type WithLocale } from '../../../platform/http/reports.ts'
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
export const HEADERS = ['names', 'labels'] as const
const STATUSES = ['queued', 'running', 'completed', 'failed'] as const

export const CreateExport = Type.Object(
  {
    device_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: EXPORT_DEVICES_MAX,
      description: 'Devices, in the order of the file; duplicates are ignored.',
    }),
    start: {
      ...InstantIn,
      description: 'Start of the range; rounded down to the bucket boundary for hourly, daily and monthly.',
    },
    end: Type.Optional({
      ...InstantIn,
      description:
        'End of the range, exclusive; rounded up to the bucket boundary for hourly, daily and monthly. ' +
        'Default: now.',
    }),
    interval: Type.Unsafe<(typeof EXPORT_INTERVALS)[number]>({
      ...OneOf(EXPORT_INTERVALS),
      default: 'hourly',
      description:
        'raw: samples as stored, with register readings. hourly, daily, monthly: energy of the bucket ' +
        '(kWh, kvarh) and mean values. At most 400 days of raw or hourly rows, 1,500 days of daily and ' +
        '7,400 days of monthly rows.',
    }),
    metrics: Type.Optional(
      Type.Array(Text(METRIC_NAME_MAX_LENGTH), {
        minItems: 1,
        maxItems: EXPORT_METRICS_MAX,
        description:
          'Columns, by metric name. raw: also the names of extra values. Otherwise: the registers, voltage, ' +
          'current, active_power and power_factor. Default: the metrics that occur (raw), or the registers ' +
          'of the devices. A PDF contains only energy.',
      }),
    ),
    format: Type.Unsafe<(typeof FORMATS)[number] | 'excel'>({
      ...OneOf([...FORMATS, 'excel']),
      description:
        'csv: UTF-8 with a byte order mark. xlsx: Turkey-local times, with additional sheets after ' +
        '1,048,576 rows; excel is an alias. pdf: a report by day; by month for more than ' +
        `${EXPORT_PDF_DAYS_MAX} days or interval monthly.`,
    }),
    locale: localeField(
      'tr: CSV with semicolons, 1,5 and 05.11.2026 13:00. en: commas, 1.5 and 2026-11-05T13:00:00+03:00. ' +
        'Also the language of the labels and of the PDF.',
    ),
    delimiter: Type.Optional(
      Type.Unsafe<(typeof DELIMITERS)[number]>({
        ...OneOf(DELIMITERS),
        description: 'Delimiter of a CSV, overrides that of the locale.',
      }),
    ),
    headers: Type.Optional(
      Type.Unsafe<(typeof HEADERS)[number]>({
        ...OneOf(HEADERS),
        description:
          'Headers of the columns. names: the names of the metrics in the API, for programs. labels: ' +
          'translated, with units. Default: names for csv, labels for xlsx.',
      }),
    ),
    file_name: Type.Optional({
      ...Text(EXPORT_FILE_NAME_MAX_LENGTH),
      description: 'File name without extension; invalid characters are removed.',
    }),
    async: Type.Boolean({
      default: false,
      description:
        'Create the file in the background regardless of its size. Exports with more than ' +
        `${EXPORT_DIRECT_ROWS_MAX} rows always run in the background.`,
    }),
  },
  { title: 'CreateExport' },
)

export const DataExport = Type.Object(
  {
    export_id: Id,
    status: Type.Unsafe<(typeof STATUSES)[number]>({
      ...OneOf(STATUSES),
      description: 'queued, running, completed (the file is available) or failed (error has the reason).',
    }),
    progress_pct: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Progress in % of the rows; 100 when completed.',
    }),
    format: Type.Unsafe<(typeof FORMATS)[number]>({ ...OneOf(FORMATS), description: 'Format of the file.' }),
    file_name: Type.String({ description: 'File name of the download.' }),
    rows_done: Type.Integer({ description: 'Number of rows written.' }),
    rows_total: Nullable(Type.Integer({ description: 'Total number of rows; null until they are counted.' })),
    size_bytes: Nullable(
      Type.Integer({ description: 'Size of the file in bytes; null until the export is completed.' }),
    ),
    error: Nullable(MessageText('Reason for the failure.')),
    request: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Parameters of the export, with defaults applied.',
    }),
    created_at: Instant,
    started_at: Nullable(Instant),
    finished_at: Nullable(Instant),
    expires_at: { ...Instant, description: 'Time at which the export and its file are deleted.' },
  },
  { title: 'DataExport' },
)

export const ExportQuery = Type.Object({
  ...PageQuery(['created_at', 'file_name', 'status']),
  search: Search('file name'),
  status: Type.Optional(OneOf(STATUSES)),
})

export type CreateExport = WithLocale<Static<typeof CreateExport>>
export type DataExport = Static<typeof DataExport>
export type ExportQuery = Static<typeof ExportQuery>
