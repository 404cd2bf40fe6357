import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../../../kernel/errors.ts'
import { type Language, textOf } from '../../../kernel/messages.ts'
import { acceptsTokenScheme, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../platform/http/errors.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { COLLECTOR_BODY_BYTES_MAX, COLLECTOR_FAULTS_SHOWN_MAX, COLLECTOR_RETRY_AFTER_S } from './limits.ts'
import { COLLECTOR_TEXTS } from './messages.ts'
import { LineProtocolQuery, RemoteWriteQuery } from './schema.ts'
import { type WriteOutcome, writeLines, writeSeries } from './write-service.ts'

const tags = ['measurements']
const write = needs('write:measurement')
const STORED =
  'The response is sent after the commit; a repetition changes nothing. Values that cannot be stored are named in ' +
  'the message of a 400 (partial write); all others are stored.'

/** Below /api/v2/write, the address of InfluxDB. */
export function lineProtocolRoutes(app: App): void {
  acceptBuffers(app)
  app.post(
    '/',
    {
      ...acceptsTokenScheme(write),
      bodyLimit: COLLECTOR_BODY_BYTES_MAX,
      schema: {
        tags,
        operationId: 'writeLineProtocol',
        summary: 'Store points in InfluxDB line protocol (Telegraf)',
        description:
          `The body is text in line protocol, plain or with Content-Encoding gzip. ${STORED} The API key may be sent ` +
          'as `Authorization: Token nst_…`.',
        querystring: LineProtocolQuery,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { body, headers, query } = request
      const outcome = await retryLater(reply, () =>
        writeLines(app.deps, request.tenantDb(), {
          body: toBuffer(body),
          encoding: headers['content-encoding'] ?? '',
          bucket: query.bucket,
          precision: query.precision ?? 'ns',
        }),
      )
      return answer(reply, outcome)
    },
  )
}

/** Below /api/v1/write, the address of Prometheus. */
export function remoteWriteRoutes(app: App): void {
  acceptBuffers(app)
  app.post(
    '/',
    {
      ...write,
      bodyLimit: COLLECTOR_BODY_BYTES_MAX,
      schema: {
        tags,
        operationId: 'writePrometheusSamples',
        summary: 'Store samples of Prometheus (remote write 1.0)',
        description:
          'The body is a prometheus.WriteRequest, compressed with Snappy; other versions are refused with 415. ' +
          `${STORED} Stale markers are ignored.`,
        querystring: RemoteWriteQuery,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { body, headers, query } = request
      const outcome = await retryLater(reply, () =>
        writeSeries(app.deps, request.tenantDb(), {
          body: toBuffer(body),
          encoding: headers['content-encoding'] ?? '',
          contentType: headers['content-type'] ?? '',
          mapping: query.mapping,
        }),
      )
      return answer(reply, outcome)
    },
  )
}

/** Bodies of any content type, in memory; errors as these clients expect them. */
function acceptBuffers(app: App): void {
  setErrorShape(app, 'collector')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

const toBuffer = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

async function retryLater<T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.status === 503)
      void reply.header('Retry-After', COLLECTOR_RETRY_AFTER_S)
    throw error
  }
}

function answer(reply: FastifyReply, { count, faults }: WriteOutcome) {
  if (faults.length === 0) return reply.code(204).send(null)
  const shown = faultTexts(faults, languageOf(reply))
  throw new AppError(
    400,
    'PARTIAL_WRITE',
    COLLECTOR_TEXTS.COLLECTOR_PARTIAL_WRITE({ dropped: faults.length, count, faults: shown }),
  )
}

function faultTexts(faults: WriteOutcome['faults'], language: Language): string {
  const texts = faults
    .slice(0, COLLECTOR_FAULTS_SHOWN_MAX)
    .map(({ origin, fault }) =>
      typeof origin === 'number'
        ? COLLECTOR_TEXTS.COLLECTOR_LINE_FAULT({ line: origin, fault })
        : COLLECTOR_TEXTS.COLLECTOR_SERIES_FAULT({ series: origin, fault }),
    )
  const more = faults.length - texts.length
  if (more > 0) texts.push(COLLECTOR_TEXTS.COLLECTOR_MORE_FAULTS({ count: more }))
  return texts.map((text) => textOf(text, language)).join('; ')
}
