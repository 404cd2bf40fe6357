import { at } from '../../kernel/at.ts'
import type { ErrorShape } from '../../kernel/errors.ts'

const text = (description: string) => ({ type: 'string', description })
const CODE = text('A fixed word for programs; docs/api/errors.md lists them.')
const MESSAGE = text('For people.')

const detailed = (detail: object, required: readonly string[]) => ({
  type: 'object',
  properties: {
    detail: { type: 'object', description: 'What went wrong.', properties: detail, required },
  },
  required: ['detail'],
})

/** The bodies of errors: platform/http/errors.ts makes them. */
export const ERROR_SCHEMAS: Readonly<Record<string, object>> = {
  StandardError: {
    type: 'object',
    properties: { detail: MESSAGE, error_code: CODE },
    required: ['detail', 'error_code'],
  },
  NestedError: detailed({ error_code: CODE, message: MESSAGE }, ['error_code', 'message']),
  MarketError: detailed({ code: CODE, message: MESSAGE }, ['code', 'message']),
  ValidationError: {
    type: 'object',
    properties: {
      detail: {
        type: 'array',
        description: 'Every failure of the request, at once.',
        items: {
          type: 'object',
          properties: {
            loc: {
              type: 'array',
              description: 'Where: body, query, path or header, then the way to the value.',
              items: { type: ['string', 'integer'] },
            },
            msg: text('What is wrong.'),
            type: text('The rule that was broken.'),
          },
          required: ['loc', 'msg', 'type'],
        },
      },
    },
    required: ['detail'],
  },
}

/** What decides which errors an operation can answer. */
export interface ErrorTraits {
  readonly shape: ErrorShape
  readonly isPublic: boolean
  /** Needs a permission, or a superuser. */
  readonly isGuarded: boolean
  readonly hasId: boolean
  readonly hasBody: boolean
  readonly hasInput: boolean
  readonly isWrite: boolean
}

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
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
}

/** The error answers of an operation, by status. */
export function errorResponses(traits: ErrorTraits): Record<string, object> {
  const own = NAMES[traits.shape] ?? 'StandardError'
  return {
    ...(traits.hasBody && {
      '400': answer('VALIDATION_ERROR: the body is not JSON.', 'StandardError'),
      '413': answer('PAYLOAD_TOO_LARGE.', 'StandardError'),
      '415': answer('UNSUPPORTED_MEDIA_TYPE: send application/json.', 'StandardError'),
    }),
    ...(!traits.isPublic && {
      '401': answer('TOKEN_EXPIRED or INVALID_CREDENTIALS.', 'StandardError'),
    }),
    ...(traits.isGuarded && {
      '403': answer('PERMISSION_DENIED, or SUPERUSER_REQUIRED (nested).', 'StandardError', 'NestedError'),
    }),
    ...(traits.hasId && {
      '404': answer('There is no such record in the tenant of the caller.', own),
    }),
    ...(traits.isWrite && {
      '409': answer('The state of the data does not allow it.', own),
      ...(traits.hasId && { '412': answer('PRECONDITION_FAILED: If-Match names an older version.', own) }),
    }),
    ...(traits.hasInput && {
      '422': answer(
        'The request breaks its schema (a list of failures), or a rule (a code).',
        'ValidationError',
        own,
      ),
    }),
    '429': { ...answer('RATE_LIMITED.', 'StandardError'), headers: RETRY_AFTER },
    '500': answer('INTERNAL_ERROR: our mistake; the log has the rest under the request id.', own),
  }
}
