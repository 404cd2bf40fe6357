import { at } from '../../kernel/checked.ts'
import type { ErrorShape } from '../../kernel/errors.ts'

const text = (description: string) => ({ type: 'string', description })
const CODE = text('Fixed machine-readable code; docs/api/errors.md lists the codes.')
const MESSAGE = text('Human-readable description of the error.')

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
    properties: { detail: MESSAGE, error_code: CODE },
    required: ['detail', 'error_code'],
  },
  NestedError: detailed({ error_code: CODE, message: MESSAGE }, ['error_code', 'message']),
  MarketError: detailed({ code: CODE, message: MESSAGE }, ['code', 'message']),
  PlainError: { type: 'object', properties: { detail: MESSAGE }, required: ['detail'] },
  FlatError: {
    type: 'object',
    properties: { error_code: CODE, message: MESSAGE },
    required: ['error_code', 'message'],
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

const NAMES: Readonly<Partial<Record<ErrorShape, string>>> = { nested: 'NestedError', market: 'MarketError' }

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const answer = (description: string, ...names: readonly string[]) => ({
  description,
  content: {
    'application/json': {
      schema: names.length === 1 ? reference(at(names, 0)) : { anyOf: names.map(reference) },
    },
  },
})

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
    '401': answer('TOKEN_EXPIRED or INVALID_CREDENTIALS.', 'StandardError'),
  }),
  ...((isGuarded || more.includes(403)) && {
    '403': answer(
      'PERMISSION_DENIED, or SUPERUSER_REQUIRED (in the nested form).',
      'StandardError',
      'NestedError',
    ),
  }),
})

const recordErrors = ({ hasId, isWrite, more }: ErrorTraits, own: string) => ({
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
  '422': answer(
    'The request violates its schema (a list of failures) or a rule (an error code).',
    'ValidationError',
    own,
    ...(more.includes('flat 422') ? ['FlatError'] : []),
  ),
})

/** Returns the error responses of an operation, by status. */
export function errorResponses(traits: ErrorTraits): Record<string, object> {
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
