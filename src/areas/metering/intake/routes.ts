import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { decodeJsonBytes } from '../../../platform/http/validation.ts'
import { decodeSampleBytes } from './decode-bytes.ts'
import { INGEST_RETRY_AFTER_S, SAMPLES_BODY_BYTES_MAX } from './limits.ts'
import { PostSamples, SampleOutcome } from './schema.ts'

const tags = ['measurements']

export function intakeRoutes(app: App): void {
  decodeJsonBytes(app, decodeSampleBytes)
  app.post(
    '/',
    {
      ...needs('write:measurement'),
      bodyLimit: SAMPLES_BODY_BYTES_MAX,
      // The body is checked by the decoder, against the same rules, in a fraction of the time.
      validatorCompiler: () => () => true,
      schema: {
        tags,
        operationId: 'postMeasurements',
        summary: 'Store samples; the response is sent after the commit',
        description:
          'The operation is idempotent. A sample of an unknown device rejects the whole request with 422. If ' +
          'the samples cannot be stored in time, the response is 503 SERVICE_OVERLOADED with Retry-After.',
        body: PostSamples,
        response: { 201: SampleOutcome },
      },
    },
    async (request, reply) => {
      const { accepted, duplicates, setAside } = await storeSamples(request, reply)
      return reply.code(201).send({ accepted, duplicates, set_aside: [...setAside] })
    },
  )
}

async function storeSamples(request: FastifyRequest, reply: FastifyReply) {
  try {
    const document: unknown = request.body
    // The decoded body is large and is done with once it is in the queue: it shall not live until the commit.
    request.body = undefined
    return await request.server.deps.ingest.accept(request.principal.tenantId, document)
  } catch (error) {
    if (error instanceof AppError && error.status === 503) {
      void reply.header('Retry-After', INGEST_RETRY_AFTER_S)
    }
    throw error
  }
}
