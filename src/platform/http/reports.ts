import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { REPORT_PRINTED_ROWS_MAX } from '../reports/limits.ts'
import { CONTENT_TYPES, REPORT_FORMATS, REPORT_LOCALES, type ReportFormat } from '../reports/report.ts'
import { attachment } from './attachment.ts'
import { described, OneOf } from './fields.ts'

/** The query parameters of every route that returns a report. */
export const ReportOptionsQuery = {
  format: described(
    OneOf(REPORT_FORMATS),
    'csv: UTF-8 with a byte order mark. xlsx: Turkey-local times. pdf: for reading and printing, at most ' +
      `${REPORT_PRINTED_ROWS_MAX} rows.`,
  ),
  locale: Type.Unsafe<(typeof REPORT_LOCALES)[number]>({
    ...OneOf(REPORT_LOCALES),
    default: 'tr',
    description: 'Language of the titles. tr: CSV with semicolons and decimal commas. en: commas and points.',
  }),
  headers: Type.Unsafe<'labels' | 'names'>({
    ...OneOf(['labels', 'names']),
    default: 'labels',
    description: 'labels: translated titles and words. names: the names and codes of the API, for programs.',
  }),
}

const File = Type.Unsafe<NodeJS.ReadableStream>({ type: 'string', format: 'binary' })

/** The response of such a route in the OpenAPI document. */
export const ReportResponse = {
  description: 'The file, as an attachment.',
  content: Object.fromEntries(
    Object.values(CONTENT_TYPES).map((type) => [type.split(';')[0], { schema: File }]),
  ),
}

/** Sends the file of a report; `fileName` is without extension. */
export const sendReport = (
  reply: FastifyReply,
  { fileName, format, content }: { fileName: string; format: ReportFormat; content: Readable },
) =>
  reply
    .type(CONTENT_TYPES[format])
    .header('Content-Disposition', attachment(`${fileName}.${format}`))
    .send(content)
