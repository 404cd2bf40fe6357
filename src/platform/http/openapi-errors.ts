import { at } from '../../kernel/checked.ts'
import type { ErrorShape } from '../../kernel/errors.ts'
import { referenceTo } from './openapi-components.ts'

const text = (description: string) => ({ type: 'string', description })
const CODE = text('Fixed machine-readable code; docs/api/errors.md lists the codes.')
const MESSAGE = text('Human-readable description of the error.')

/** The text without its language: clients can compose their own, or react to it. */
const CONTENT = {
  message_code: text('Code of the text; docs/api/message-codes.md lists the codes with their texts.'),
  parameters: {
    type: 'object',
    description: 'The values in the text, by their names.',
    additionalProperties: true,
  },
}

const detailed = (detail: object, required: readonly string[]) => ({
  type: 'object',
  properties: {
    detail: { type: 'object', description: 'The error.', properties: detail, required },
  },
  required: ['detail'],
})

/** The schemas of error bodies, which platform/http/errors.ts builds. */
export const ERROR_SCHEMAS: Readonly<Record<string, object>> = {
  StandardError: {
    type: 'object',
    properties: { detail: MESSAGE, error_code: CODE, ...CONTENT },
    required: ['detail', 'error_code'],
  },
  NestedError: detailed({ error_code: CODE, message: MESSAGE, ...CONTENT }, ['error_code', 'message']),
  MarketError: detailed({ code: CODE, message: MESSAGE, ...CONTENT }, ['code', 'message']),
  PlainError: { type: 'object', properties: { detail: MESSAGE }, required: ['detail'] },
  FlatError: {
    type: 'object',
    properties: { error_code: CODE, message: MESSAGE, ...CONTENT },
    required: ['error_code', 'message'],
  },
  CollectorError: {
    type: 'object',
    properties: {
      code: text('Code of InfluxDB for the status, such as `invalid` or `too many requests`.'),
      message: MESSAGE,
      error_code: CODE,
      ...CONTENT,
    },
    required: ['code', 'message', 'error_code'],
  },
  ValidationError: {
    type: 'object',
    properties: {
      detail: {
        type: 'array',
        description: 'All validation failures of the request.',
        items: {
          type: 'object',
          properties: {
            loc: {
              type: 'array',
              description:
                'Location of the failure: body, query, path or header, then the path to the value.',
              items: { type: ['string', 'integer'] },
            },
            msg: text('Human-readable description of the failure.'),
            type: text('The violated rule.'),
            ...CONTENT,
          },
          required: ['loc', 'msg', 'type'],
        },
      },
    },
    required: ['detail'],
  },
}

/** The properties of an operation that determine its possible errors. */
export interface ErrorTraits {
  readonly shape: ErrorShape
  readonly isPublic: boolean
  /** True when the route requires a permission or a superuser. */
  readonly isGuarded: boolean
  readonly hasId: boolean
  readonly isWrite: boolean
  /** Errors that the other properties do not imply. */
  readonly more: readonly MoreErrors[]
}

/** Errors of single operations; a number is a status with the error shape of the scope. */
export type MoreErrors = 401 | 403 | 404 | 409 | 416 | 507 | 'sealed month' | 'flat 422'

const NAMES: Readonly<Partial<Record<ErrorShape, string>>> = {
  nested: 'NestedError',
  market: 'MarketError',
  collector: 'CollectorError',
}

interface ErrorResponse {
  readonly description: string
  /** Names of the schemas of the possible bodies. */
  readonly bodies: readonly string[]
  readonly headers?: object
}

const answer = (description: string, ...bodies: readonly string[]): ErrorResponse => ({ description, bodies })

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
  },
}

const requestErrors = ({ isPublic, isGuarded, isWrite, more }: ErrorTraits) => ({
  ...(isWrite && {
    '400': answer('VALIDATION_ERROR: the request body is not valid JSON.', 'StandardError'),
    '413': answer('PAYLOAD_TOO_LARGE.', 'StandardError'),
    '415': answer('UNSUPPORTED_MEDIA_TYPE: send application/json.', 'StandardError'),
  }),
  ...((!isPublic || more.includes(401)) && {
    '401': answer('TOKEN_EXPIRED, INVALID_CREDENTIALS or TENANT_INACTIVE.', 'StandardError'),
  }),
  ...((isGuarded || more.includes(403)) && {
    '403': answer(
      'PERMISSION_DENIED, or SUPERUSER_REQUIRED (in the nested form).',
      'StandardError',
      'NestedError',
    ),
  }),
})

const recordErrors = ({ shape, hasId, isWrite, more }: ErrorTraits, own: string) => ({
  ...((hasId || more.includes(404)) && {
    '404': answer('The tenant of the caller has no record with this id.', own),
  }),
  ...((isWrite || more.includes(409)) && {
    '409': answer(
      'The operation conflicts with the current state of the data.',
      own,
      ...(more.includes('sealed month') ? ['PlainError'] : []),
    ),
  }),
  ...(isWrite &&
    hasId && {
      '412': answer('PRECONDITION_FAILED: the version in If-Match is not the current one.', own),
    }),
  ...(more.includes(416) && {
    '416': answer('RANGE_NOT_SATISFIABLE: Range begins beyond the end of the file.', own),
  }),
  // Collectors get 400 instead, as from InfluxDB.
  ...(shape !== 'collector' && {
    '422': answer(
      'The request violates its schema (a list of failures) or a rule (an error code).',
      'ValidationError',
      own,
      ...(more.includes('flat 422') ? ['FlatError'] : []),
    ),
  }),
})

function errorsByStatus(traits: ErrorTraits): Readonly<Record<string, ErrorResponse>> {
  const own = NAMES[traits.shape] ?? 'StandardError'
  return {
    ...requestErrors(traits),
    ...recordErrors(traits, own),
    '429': { ...answer('RATE_LIMITED.', 'StandardError'), headers: RETRY_AFTER },
    '500': answer(
      'INTERNAL_ERROR: a fault of the service; the log contains the details under the request id.',
      own,
    ),
    '503': answer(
      'SERVICE_UNAVAILABLE or SERVICE_OVERLOADED, with Retry-After: send the request again later. Or a dependency ' +
        'is missing, which the code names.',
      own,
    ),
    ...(traits.more.includes(507) && { '507': answer('STORAGE_FULL: the disk is nearly full.', own) }),
  }
}

const STATUS_NAMES: Readonly<Record<string, string>> = {
  '400': 'BadRequest',
  '401': 'Unauthorized',
  '403': 'Forbidden',
  '404': 'NotFound',
  '409': 'Conflict',
  '412': 'PreconditionFailed',
  '413': 'PayloadTooLarge',
  '415': 'UnsupportedMediaType',
  '416': 'RangeNotSatisfiable',
  '422': 'Unprocessable',
  '429': 'RateLimited',
  '500': 'InternalError',
  '503': 'Unavailable',
  '507': 'StorageFull',
}

/** The usual bodies of a status add nothing to its name: `NotFound`, `NotFoundNested`, `ConflictNestedPlain`. */
function nameOf(status: string, { bodies }: ErrorResponse): string {
  const unusual = bodies.filter((body) => body !== 'StandardError' && body !== 'ValidationError')
  return `${STATUS_NAMES[status]}${unusual.map((body) => body.replace(/Error$/, '')).join('')}`
}

const contentOf = ({ description, bodies, headers }: ErrorResponse): object => ({
  description,
  ...(headers && { headers }),
  content: {
    'application/json': {
      schema: bodies.length === 1 ? referenceTo(at(bodies, 0)) : { anyOf: bodies.map(referenceTo) },
    },
  },
})

/**
 * Returns the error responses of an operation by status, as references, and adds the responses that they name to
 * `components`.
 */
export function errorResponses(traits: ErrorTraits, components: Map<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(errorsByStatus(traits)).map(([status, usual]) => {
      const response = traits.shape === 'collector' ? { ...usual, bodies: ['CollectorError'] } : usual
      const name = nameOf(status, response)
      components.set(name, contentOf(response))
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}
