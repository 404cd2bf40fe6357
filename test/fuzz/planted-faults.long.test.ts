import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenApiDocument, operationsOf } from './document.ts'
import { type FuzzReport, type FuzzTarget, fuzz } from './fuzz.ts'
import { readOptions } from './options.ts'

const ITEM = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string', format: 'uuid' }, name: { type: 'string' } },
}
const ERROR = {
  type: 'object',
  required: ['detail', 'error_code'],
  properties: { detail: { type: 'string' }, error_code: { type: 'string' } },
}
const json = (schema: object, more: object = {}) => ({ content: { 'application/json': { schema } }, ...more })
const ID_PARAMETER = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
const BODY = {
  content: {
    'application/json': {
      schema: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 5 } } },
    },
  },
}
const errors = { 400: json(ERROR), 413: json(ERROR), 415: json(ERROR), 422: json(ERROR) }
const isPublic = { security: [] }

/** Every operation but the first three has one fault. */
const DOCUMENT: OpenApiDocument = {
  paths: {
    '/items': {
      get: { operationId: 'sound', ...isPublic, responses: { 200: json({ type: 'array', items: ITEM }) } },
      post: {
        operationId: 'create',
        ...isPublic,
        requestBody: BODY,
        responses: { 201: json(ITEM), ...errors },
      },
    },
    '/items/{id}': {
      get: {
        operationId: 'read',
        ...isPublic,
        parameters: [ID_PARAMETER],
        responses: { 200: json(ITEM), 404: json(ERROR), 422: json(ERROR) },
      },
      delete: {
        operationId: 'useAfterDelete',
        ...isPublic,
        parameters: [ID_PARAMETER],
        responses: { 204: {}, 404: json(ERROR), ...errors },
      },
    },
    '/crash': {
      get: { operationId: 'crash', ...isPublic, responses: { 200: json(ITEM), 500: json(ERROR) } },
    },
    '/crash-by-value': {
      post: {
        operationId: 'crashByValue',
        ...isPublic,
        requestBody: BODY,
        responses: { 200: json(ITEM), ...errors },
      },
    },
    '/undeclared': { get: { operationId: 'undeclared', ...isPublic, responses: { 200: json(ITEM) } } },
    '/wrong-schema': { get: { operationId: 'wrongSchema', ...isPublic, responses: { 200: json(ITEM) } } },
    '/wrong-type': { get: { operationId: 'wrongType', ...isPublic, responses: { 200: json(ITEM) } } },
    '/wrong-error': {
      get: { operationId: 'wrongError', ...isPublic, responses: { 409: json({ type: 'object' }) } },
    },
    '/no-header': {
      get: {
        operationId: 'noHeader',
        ...isPublic,
        responses: { 200: json(ITEM, { headers: { ETag: {} } }) },
      },
    },
    '/hang': { get: { operationId: 'hang', ...isPublic, responses: { 200: json(ITEM) } } },
    '/cut': { get: { operationId: 'cut', ...isPublic, responses: { 200: json(ITEM) } } },
    '/open': {
      get: {
        operationId: 'open',
        description: 'Access: superusers.',
        responses: { 200: json(ITEM), 401: json(ERROR) },
      },
    },
    '/logs': { get: { operationId: 'logs', ...isPublic, responses: { 200: json(ITEM) } } },
  },
}
const A_RECORD = { id: '0b0f1a52-9f0e-4a35-8f3e-1c1d8a0c1b11', name: 'a' }

/** A service with a planted fault in most of its operations. */
function makeFaultyService(log: string[]) {
  const app = Fastify()
  const records = new Map([[A_RECORD.id, A_RECORD]])
  const deleted = new Set<string>()
  app.addHook('onRequest', async (request, reply) => void reply.header('X-Request-Id', request.id))
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ detail: error.message, error_code: 'ERROR' }),
  )
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ detail: 'unknown', error_code: 'NOT_FOUND' }),
  )
  app.get('/items', () => [...records.values()])
  app.post('/items', (_request, reply) => reply.code(201).send(A_RECORD))
  const notFound = { detail: 'not found', error_code: 'NOT_FOUND' }
  app.get<{ Params: { id: string } }>(
    '/items/:id',
    ({ params }, reply) => records.get(params.id) ?? reply.code(404).send(notFound),
  )
  app.delete<{ Params: { id: string } }>('/items/:id', ({ params: { id } }, reply) => {
    if (!records.has(id)) return reply.code(404).send(notFound)
    if (deleted.has(id)) throw new Error('deleted twice')
    deleted.add(id)
    return reply.code(204).send()
  })
  app.get('/crash', () => {
    throw new Error('planted')
  })
  app.post<{ Body: { name: string } }>('/crash-by-value', ({ body }) => ({
    ...A_RECORD,
    name: body.name.slice(0, 5),
  }))
  app.get('/undeclared', (_request, reply) =>
    reply.code(418).send({ detail: 'a teapot', error_code: 'TEAPOT' }),
  )
  app.get('/wrong-schema', () => ({ id: 'no uuid', name: 'a' }))
  app.get('/wrong-type', (_request, reply) => reply.type('text/html').send('<p>a</p>'))
  app.get('/wrong-error', (_request, reply) => reply.code(409).send({ message: 'no code' }))
  app.get('/no-header', () => A_RECORD)
  let hasHung = false
  app.get('/hang', (_request, reply) => {
    if (hasHung) return A_RECORD
    hasHung = true
    return void reply.hijack()
  })
  app.get('/cut', (request) => void request.raw.socket.destroy())
  app.get('/open', () => A_RECORD)
  app.get('/logs', () => {
    log.push('planted error line')
    return A_RECORD
  })
  return app
}

describe('the fuzzer', () => {
  const log: string[] = []
  const app = makeFaultyService(log)
  let report: FuzzReport
  beforeAll(async () => {
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    const user = { name: 'nobody', caller: 'nobody', tenant: 1, share: 1, isCreator: true } as const
    const target: FuzzTarget = {
      baseUrl,
      users: [{ ...user, token: async () => undefined }],
      isProtected: () => false,
      logFaults: () => log.splice(0),
      isAlive: async () => true,
    }
    const options = readOptions(['--seed', '1', '--requests', '500'])
    if (!options) throw new Error('no options')
    report = await fuzz({ operations: operationsOf(DOCUMENT), target, options, hangMs: 5_000 })
  })
  afterAll(() => app.close())

  const faultsOf = (operation: string): string[] =>
    report.findings
      .filter((finding) => finding.operation.includes(`(${operation})`))
      .map(({ fault }) => fault)

  it('reports nothing for operations without a fault', () => {
    expect(['sound', 'create', 'read'].flatMap(faultsOf)).toEqual([])
  })

  it.each([
    ['crash', /^status 500/],
    ['crashByValue', /^status 500/],
    ['useAfterDelete', /^status 500/],
    ['undeclared', /^status 418 is not declared/],
    ['wrongSchema', /must match format "uuid"/],
    ['wrongType', /content type text\/html/],
    ['wrongError', /no known shape/],
    ['noHeader', /header ETag/],
    ['hang', /no response within 5 s/],
    ['cut', /no response: socket hang up/],
    ['open', /200 without a valid token/],
    ['logs', /planted error line/],
  ])('finds the planted fault of %s', (operation, fault) => {
    expect(faultsOf(operation).join('\n')).toMatch(fault)
  })

  it('prints each failing request as a command', () => {
    const found = report.findings.find(({ operation }) => operation.includes('(crashByValue)'))
    expect(found?.curl).toMatch(/^curl -i -X POST --path-as-is -g 'http:\/\/127\.0\.0\.1:\d+\/crash-by-value/)
  })
})
