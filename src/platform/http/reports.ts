import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { REPORT_PRINTED_ROWS_MAX } from '../reports/limits.ts'
import {
  CONTENT_TYPES,
  REPORT_FORMATS,
  REPORT_LOCALES,
  type ReportFormat,
  type ReportLocale,
} from '../reports/report.ts'
import { attachment } from './attachment.ts'
import { described, OneOf } from './fields.ts'
import { languageOf } from './language.ts'

/** The language of a file, as a parameter of its request; `withLocale` selects one when it is absent. */
export const localeField = (description: string) =>
  Type.Optional(
    described(
      OneOf(REPORT_LOCALES),
      `${description} Default: the language of Accept-Language, tr without that header.`,
    ),
  )

/** The parameters of a request for a file after its language is selected. */
export type WithLocale<T> = T & { readonly locale: ReportLocale }

/** Selects the language of a file: that of the parameter, else by Accept-Language, else Turkish. */
export const withLocale = <T extends { readonly locale?: ReportLocale }>(
  reply: FastifyReply,
  options: T,
): WithLocale<T> => ({ ...options, locale: options.locale ?? languageOf(reply, 'tr') })

/** The query parameters of every route that returns a report. */
export const ReportOptionsQuery = {
  format: described(
    OneOf(REPORT_FORMATS),
    'csv: UTF-8 with a byte order mark. xlsx: Turkey-local times. pdf: for reading and printing, at most ' +
      `${REPORT_PRINTED_ROWS_MAX} rows.`,
  ),
  locale: localeField(
    'Language of the titles. tr: CSV with semicolons and decimal commas. en: commas and points.',
  ),
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
