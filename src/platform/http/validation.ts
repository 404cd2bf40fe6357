import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyRequest } from 'fastify'
import { decimalText } from '../../kernel/decimal.ts'
import { displayNameFault } from '../../kernel/display-name.ts'
import { isEmail } from '../../kernel/email.ts'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import { DEFAULT_LANGUAGE, type Message, textOf } from '../../kernel/messages.ts'
import { parseInstant, parseLocalDate, parsePeriod } from '../../kernel/time.ts'
import { UUID } from '../../kernel/uuid.ts'
import { passwordContentFault } from '../auth/password.ts'
import type { App } from './app-type.ts'
import { freeFormFault, isNestedDeeper, unstorableIn } from './json-text.ts'
import { BODY_DEPTH_MAX } from './limits.ts'
import { HTTP_TEXTS } from './messages.ts'
import { failureText } from './validation-texts.ts'

/**
 * A decimal of the wire: at most 12 digits before the point and `places` after it. The rule is published in
 * the OpenAPI document (`x-decimal`).
 */
export interface DecimalRule {
  readonly places: 3 | 6
  readonly sign: 'positive' | 'nonnegative' | 'nonzero' | 'any'
}

function isDecimal(value: unknown, { places, sign }: DecimalRule): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false
  const match = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(decimalText(value))
  if (!match || (match[3]?.length ?? 0) > places) return false
  const isZero = !/[1-9]/.test(`${match[2]}${match[3] ?? ''}`)
  if (isZero) return sign === 'any' || sign === 'nonnegative'
  return match[1] === '' || sign === 'any' || sign === 'nonzero'
}

const decimalMessage = ({ places, sign }: DecimalRule): string =>
  `must be a ${sign === 'any' ? '' : `${sign} `}decimal with at most ${places} decimals`

/** Adds a keyword with its own error message, which `failureText` composes; null is left to `type`. */
function addRule<R>(
  ajv: Ajv,
  keyword: `x-${string}`,
  faultOf: (value: unknown, rule: R) => string | Message | undefined,
) {
  ajv.addKeyword({
    keyword,
    errors: true,
    compile: (rule: R) => {
      const validate = (value: unknown): boolean => {
        const fault = value === null ? undefined : faultOf(value, rule)
        if (fault === undefined) return true
        const message = typeof fault === 'string' ? fault : textOf(fault)
        const params = { ...(typeof rule === 'object' && rule), ...(typeof fault === 'object' && { fault }) }
        Object.assign(validate, { errors: [{ keyword: keyword.slice(2), message, params }] })
        return false
      }
      return validate
    },
  })
}

/**
 * Makes an Ajv with the formats of the API and the keywords `x-decimal` (DecimalRule), `x-json`,
 * `x-password` and `x-display-name` (true).
 */
export function makeAjv(options: Options): Ajv {
  const ajv = addFormats.default(new Ajv({ allErrors: true, strict: false, discriminator: true, ...options }))
  ajv.addFormat('uuid', UUID)
  ajv.addFormat('email', isEmail)
  ajv.addFormat('date-time', (text: string) => parseInstant(text) !== undefined)
  ajv.addFormat('date', (text: string) => parseLocalDate(text) !== undefined)
  ajv.addFormat('billing-period', (text: string) => parsePeriod(text) !== undefined)
  addRule<DecimalRule>(ajv, 'x-decimal', (value, rule) =>
    isDecimal(value, rule) ? undefined : decimalMessage(rule),
  )
  addRule<true>(ajv, 'x-json', freeFormFault)
  addRule<true>(ajv, 'x-password', (value) =>
    typeof value === 'string' ? passwordContentFault(value) : undefined,
  )
  addRule<true>(ajv, 'x-display-name', (value) =>
    typeof value === 'string' ? displayNameFault(value) : undefined,
  )
  return ajv
}

export interface Validator {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}

/** A validator that is compiled when it is used first, because compiling takes most of the time of a start. */
export function lazyValidator(compile: () => ValidateFunction): Validator {
  let compiled: ValidateFunction | undefined
  const validate: Validator = (value) => {
    compiled ??= compile()
    const isValid = compiled(value)
    validate.errors = compiled.errors ?? null
    return isValid
  }
  return validate
}

export interface ValidationFailure {
  loc: (string | number)[]
  msg: string
  type: string
  /** The content of a rule that no schema states; the handler of errors composes `msg` of it. */
  content?: Message
  /** The violated rule of a schema, of which the handler of errors composes `msg` in other languages. */
  violation?: ErrorObject
}

/** A failure of a rule that the schema does not state. */
export const ruleFailure = (
  loc: readonly (string | number)[],
  content: Message,
  type = 'value_error',
): ValidationFailure => ({ loc: [...loc], msg: textOf(content), type, content })

const PARTS = [
  ['params', 'path'],
  ['querystring', 'query'],
  ['headers', 'header'],
  ['body', 'body'],
] as const

const segments = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))

function failureOf(part: string, error: ErrorObject): ValidationFailure {
  const missing = error.keyword === 'required' ? [String(error.params['missingProperty'])] : []
  return {
    loc: [part, ...segments(error.instancePath), ...missing],
    msg: failureText(error, DEFAULT_LANGUAGE),
    type: error.keyword === 'required' ? 'missing' : error.keyword,
    violation: error,
  }
}

/** Returns all failures of all parts of the request; Fastify itself stops at the first part that fails. */
export function validationFailures(request: FastifyRequest): ValidationFailure[] {
  const data = {
    params: request.params,
    querystring: request.query,
    headers: request.headers,
    body: request.body,
  }
  return PARTS.flatMap(([part, name]) => {
    const validate = request.getValidationFunction(part) as {
      (value: unknown): boolean
      errors?: ErrorObject[] | null
    }
    if (!validate || validate(data[part])) return []
    return (validate.errors ?? []).map((error) => failureOf(name, error))
  })
}

/**
 * The error for a rule over several fields, which the schema cannot state; it has the form of a validation
 * failure.
 */
export const invalidInput = (loc: (string | number)[], content: string | Message): AppError =>
  invalidInputs(HTTP_TEXTS.REQUEST_NOT_VALID(), [
    typeof content === 'string' ? { loc, msg: content, type: 'value_error' } : ruleFailure(loc, content),
  ])

/** The error for several failures; `summary` appears in the log only. */
export const invalidInputs = (summary: Message, failures: readonly ValidationFailure[]): AppError =>
  new AppError(422, 'VALIDATION_ERROR', summary, { extra: { failures }, shape: 'failures' })

/** The error for an unsupported content type, raised only once it is certain that there is a body. */
const wrongType = () => new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', ERROR_TEXTS.CONTENT_TYPE_UNSUPPORTED())

/**
 * Parses JSON bodies only; an empty body counts as absent, whatever its content type. Refuses text that
 * PostgreSQL cannot store.
 */
export function parseJsonBodies(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, (request, body, done) =>
    parseJson(parse, { request, body: body as string, done }),
  )
  app.addContentTypeParser('*', ({ headers }, _body, done) => {
    const isEmpty = !headers['transfer-encoding'] && Number(headers['content-length'] ?? 0) === 0
    return isEmpty ? done(null, undefined) : done(wrongType())
  })
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.url?.includes('%00')) throw invalidInput(['query'], HTTP_TEXTS.TEXT_HAS_NUL())
  })
}

/**
 * Offers the bytes of JSON bodies to `decode`, for the routes of a scope; where it returns undefined, they are parsed
 * like any other body.
 */
export function decodeJsonBytes(app: App, decode: (body: Buffer) => unknown): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(JSON_TYPE)
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    const decoded = decode(body as Buffer)
    if (decoded !== undefined) return done(null, decoded)
    parseJson(parse, { request, body: body.toString('utf8'), done })
  })
}

const JSON_TYPE = 'application/json'

interface JsonBody {
  readonly request: FastifyRequest
  readonly body: string
  readonly done: (error: Error | null, body?: unknown) => void
}

function parseJson(parse: ReturnType<App['getDefaultJsonParser']>, { request, body, done }: JsonBody): void {
  if (body.length === 0) return void done(null, undefined)
  const fault = isNestedDeeper(body, BODY_DEPTH_MAX)
    ? HTTP_TEXTS.JSON_NESTED_TOO_DEEP({ max: BODY_DEPTH_MAX })
    : unstorableIn(body)
  if (fault === undefined) void parse(request, body, done)
  else done(invalidInput(['body'], fault))
}
