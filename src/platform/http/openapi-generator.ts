import swagger from '@fastify/swagger'
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import { type Access, refusesApiKeys } from './access.ts'
import type { App } from './app-type.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from './limits.ts'
import { type ApiAreas, tagGroups } from './openapi-areas.ts'
import { describeCommonFields, describeCommonParameters } from './openapi-common-fields.ts'
import { extractComponents, resolverOf, withOptionalDefaults } from './openapi-components.ts'
import { ERROR_SCHEMAS, errorResponses } from './openapi-errors.ts'
import { addExamples } from './openapi-examples.ts'

export interface ApiInfo {
  readonly title: string
  readonly version: string
  /** Markdown; the rules that apply to all operations. */
  readonly description: string
}

/** Collects the routes that are added from now on. Returns a function that makes the OpenAPI document of them. */
export async function generateDocument(app: App, info: ApiInfo, areas: ApiAreas): Promise<() => object> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...info, license: { name: 'Apache-2.0' } },
      components: { securitySchemes: SECURITY_SCHEMES },
      security: [{ bearer: [] }, { apiKey: [] }],
    },
    hideUntagged: false,
    transform: ({ schema, url, route }) => ({
      schema: describeRoute((schema ?? {}) as Described, route),
      url: url.length > 1 ? url.replace(/\/$/, '') : url,
    }),
    transformObject: (made) =>
      Object.assign(finish((made as unknown as { openapiObject: Document }).openapiObject), {
        'x-tagGroups': tagGroups(areas),
      }) as never,
  })
  return () => app.swagger()
}

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of a login.',
  },
  apiKey: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'nst_…',
    description: 'API key of `POST /api/api-keys` or `POST /api/machine-keys`.',
  },
}
/** Operations that are closed to API keys. */
const SIGN_IN_ONLY = [{ bearer: [] }]

type Described = Record<string, unknown> & { description?: string; response?: Record<string, object> }

const SUCCESS: Readonly<Record<string, string>> = {
  '200': 'The request succeeded.',
  '201': 'The record was created, or the action was performed.',
  '202': 'The request was accepted.',
  '204': 'The request succeeded; the response has no body.',
  '503': 'A dependency is unavailable.',
}

function accessText(access: Access | undefined): string {
  switch (access?.kind) {
    case 'everyone':
      return 'Access: everybody, without a token.'
    case 'network':
      return 'Access: only from the networks of INTERNAL_ALLOWED_NETWORKS, without a token.'
    case 'broker':
      return (
        'Access: only from the networks of INTERNAL_ALLOWED_NETWORKS, and from another machine only with ' +
        'BROKER_WEBHOOK_SECRET as bearer token or as query parameter `secret` (401).'
      )
    case 'permission':
      return `Access: permission \`${access.permission}\`.`
    case 'superuser':
      return 'Access: superusers.'
    default:
      return 'Access: every signed-in user.'
  }
}

const ETAG = {
  ETag: { type: 'string', description: 'Version of the resource, for If-None-Match and If-Match.' },
}

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description:
    'A text that the client chooses: a request with the same key and body within 24 hours receives the first ' +
    'response again, with the header Idempotent-Replay: true.',
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH },
}

/** The responses of a route of `getResource`. */
const withEtag = (response: Record<string, object>): Record<string, object> => ({
  ...response,
  '200': { ...response['200'], headers: ETAG },
  '304': { type: 'null', description: 'The resource is unchanged since the version in If-None-Match.' },
})

/**
 * Adds to the description of a route what its schema does not contain: the access rule and the errors of
 * its scope.
 */
function describeRoute(schema: Described, { config, method }: RouteOptions): Described {
  const context = (config ?? {}) as FastifyContextConfig
  const { access, errorShape = 'standard', errors = [], resource, acceptsIdempotencyKey = false } = context
  const isPublic = access?.kind === 'everyone' || access?.kind === 'network' || access?.kind === 'broker'
  const isSignInOnly = refusesApiKeys(access)
  const response = Object.fromEntries(
    Object.entries(schema.response ?? {}).map(([status, answer]) => [
      status,
      { 'x-response-description': SUCCESS[status], ...answer },
    ]),
  )
  return {
    ...schema,
    ...(schema['querystring'] !== undefined && { querystring: withOptionalDefaults(schema['querystring']) }),
    ...(schema['body'] !== undefined && { body: withOptionalDefaults(schema['body']) }),
    description: [schema.description, accessText(access), isSignInOnly && 'API keys are refused (403).']
      .filter(Boolean)
      .join('\n\n'),
    ...(isPublic && { security: [] }),
    ...(isSignInOnly && { security: SIGN_IN_ONLY }),
    ...(schema.response && { response: resource ? withEtag(response) : response }),
    ...(acceptsIdempotencyKey && { 'x-idempotency-key': true }),
    'x-errors': {
      shape: errorShape,
      isPublic: isPublic && access?.kind !== 'broker',
      isGuarded: access?.kind === 'permission' || isSignInOnly,
      hasId: schema['params'] !== undefined,
      isWrite: method !== 'GET',
      // Callers from other networks are answered like callers of an unknown path.
      more: [...errors, ...(access?.kind === 'network' ? ([404] as const) : [])],
    },
  }
}

interface Operation {
  parameters?: { readonly name: string }[]
  responses: Record<string, object>
  'x-idempotency-key'?: boolean
  'x-errors'?: Parameters<typeof errorResponses>[0]
}
interface Document {
  paths: Readonly<Record<string, Record<string, Operation>>>
  components: Readonly<Record<string, object>>
}

/**
 * Adds the errors, and moves error responses and named shapes to the components, so that each is described only
 * once.
 */
function finish(document: Document): Document {
  const responses = new Map<string, object>()
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      const { 'x-errors': errors, 'x-idempotency-key': takesKey, ...rest } = operation
      if (!errors) continue
      if (takesKey) operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY]
      delete operation['x-idempotency-key']
      const own = withSharedResponses(rest.responses, responses)
      Object.assign(operation, { responses: { ...errorResponses(errors, responses), ...own } })
      delete operation['x-errors']
    }
  }
  const schemas = new Map<string, object>(Object.entries(ERROR_SCHEMAS))
  const paths = extractComponents(document.paths, schemas) as Document['paths']
  for (const schema of schemas.values()) describeCommonFields(schema)
  const resolve = resolverOf(schemas)
  for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
    describeCommonParameters(operation)
    addExamples(operation, resolve)
  }
  const components = { ...document.components, responses: byName(responses), schemas: byName(schemas) }
  return Object.assign(document, { paths, components })
}

/** The responses without a body, which are the same for every operation. */
const EMPTY_RESPONSES: Readonly<Record<string, { readonly name: string; readonly description: string }>> = {
  '204': { name: 'NoContent', description: 'The request succeeded; the response has no body.' },
  '304': { name: 'NotModified', description: 'The content is unchanged since the version in If-None-Match.' },
}

/** Moves the responses without a body to `components`. */
function withSharedResponses(
  own: Readonly<Record<string, object>>,
  components: Map<string, object>,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(own).map(([status, response]) => {
      const empty = EMPTY_RESPONSES[status]
      if (empty === undefined || 'content' in response) return [status, response]
      components.set(empty.name, { description: empty.description })
      return [status, { $ref: `#/components/responses/${empty.name}` }]
    }),
  )
}

const byName = (components: Map<string, object>): Record<string, object> =>
  Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)))
