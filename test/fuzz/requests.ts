import { bodyOf } from './bodies.ts'
import { withRules } from './body-rules.ts'
import type { RawRequest } from './client.ts'
import type { Operation, Parameter } from './document.ts'
import { strangeContentType, strangeHeaders } from './headers.ts'
import { hostileJson, hostileText, withHostileValue } from './hostile.ts'
import type { KnownRecord } from './pool.ts'
import type { FuzzRandom } from './random.ts'
import { generateValue, type ValueContext } from './values.ts'

/** `valid` satisfies the document, `input` violates it in a value, `protocol` in the path, headers or text. */
export type Mode = 'valid' | 'input' | 'protocol'

export interface FuzzRequest extends RawRequest {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
  /** The path or method was changed so that it may address another operation or none. */
  readonly isOffPath: boolean
}

export interface RequestContext {
  readonly random: FuzzRandom
  readonly today: number
  /** Existing records of the last id of the path. */
  readonly records: readonly KnownRecord[]
  idsOf(field: string): readonly string[]
}

/** Replacements of a segment of a path, already encoded. */
const SEGMENTS: readonly string[] = [
  '%2e%2e',
  '..',
  '.',
  '%2e',
  '%2f',
  '..%2f..',
  '%00',
  'a%00b',
  '%zz',
  '%',
  '%c0%ae',
  '%ff',
  '%ed%a0%80',
  '%252e%252e',
  '',
  '*',
  'null',
  'undefined',
  '0',
  '-1',
  '__proto__',
  'constructor',
  '%E2%98%80',
  'x'.repeat(199),
  'x'.repeat(201),
  'x'.repeat(9_000),
  ';a=b',
  ':id',
  '{id}',
  '%3Fa=b',
  '00000000-0000-0000-0000-000000000000',
  '%20',
]
const METHODS: readonly string[] = [
  'HEAD',
  'OPTIONS',
  'PATCH',
  'DELETE',
  'PUT',
  'POST',
  'GET',
  'TRACE',
  'PROPFIND',
]
const BODY_CHANGES_MAX = 2

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function valueContext({ random, today, idsOf }: RequestContext): ValueContext {
  // A request with few fields passes most rules between fields; one with many reaches more of them.
  return { random, today, idsOf, density: random.choose([0, 0, 15, 50]) ?? 0 }
}

/** Fills in the ids of a path: mostly those of an existing record. */
function paramsOf(operation: Operation, context: RequestContext): Record<string, string> {
  const { random, records } = context
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '')
  const record = random.chance(94) ? random.choose(records) : undefined
  const last = names.at(-1) ?? ''
  const known: Record<string, string> = record ? { ...record.params, [last]: record.id } : {}
  return Object.fromEntries(
    names.map((name) => {
      const schema = operation.parameters.find((parameter) => parameter.name === name)?.schema ?? {}
      return [name, known[name] ?? textOf(generateValue(schema, name, valueContext(context)))]
    }),
  )
}

const isSent = ({ schema }: Parameter, random: FuzzRandom): boolean =>
  random.chance('default' in schema ? 25 : 40)

function queryOf(operation: Operation, mode: Mode, context: RequestContext): string {
  const { random } = context
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  const changed = mode === 'input' ? random.choose(parameters) : undefined
  const pairs = parameters.flatMap((parameter) => {
    const { name, schema } = parameter
    if (parameter === changed) return random.chance(20) ? [] : [[name, hostileText(random)]]
    const isNeeded = parameter.required === true && !('default' in schema)
    if (!isNeeded && !isSent(parameter, random)) return []
    const values = [generateValue(schema, name, valueContext(context))].flat()
    return values.filter((value) => value !== null).map((value) => [name, textOf(value)])
  })
  if (mode === 'input' && random.chance(8))
    pairs.push([random.choose(['__proto__', 'x[]', 'limit', 'skip', '']) ?? '', '1'])
  const text = pairs.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&')
  return text === '' ? '' : `?${text}`
}

function contentOf(operation: Operation, mode: Mode, context: RequestContext) {
  const { random } = context
  const content = random.choose(Object.entries(operation.bodies))
  if (!content) return undefined
  const generated = generateValue(content[1], '', valueContext(context))
  let value = random.chance(85) ? withRules(operation.id, generated) : generated
  if (mode === 'input')
    for (let count = random.between(1, BODY_CHANGES_MAX); count > 0; count -= 1)
      value = withHostileValue(value, random)
  return { ...bodyOf(value, content, random), value }
}

/** Makes a request for an operation that satisfies the document, or violates it in a value. */
export function requestFor(operation: Operation, mode: Mode, context: RequestContext): FuzzRequest {
  const { random } = context
  const params = paramsOf(operation, context)
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const content = contentOf(operation, mode, context)
  const headers: Record<string, string> = content ? { 'Content-Type': content.contentType } : {}
  if (random.chance(4)) headers['Idempotency-Key'] = `key-${random.between(1, 50)}`
  const request = {
    operation,
    method: operation.method,
    path: path + queryOf(operation, mode, context),
    headers,
    params,
    body: content?.body,
    isOffPath: false,
  }
  return mode === 'protocol' ? violateProtocol(request, content?.value, random) : request
}

/** Changes what a client library would not let through: encodings, headers, the text of the body, the method. */
function violateProtocol(request: FuzzRequest, value: unknown, random: FuzzRandom): FuzzRequest {
  const { headers, path, body } = request
  switch (random.between(1, body ? 8 : 5)) {
    case 1:
    case 2:
      return { ...request, headers: { ...headers, ...strangeHeaders(random) } }
    case 3:
      return { ...request, path: withStrangeSegment(path, random), isOffPath: true }
    case 4:
      return {
        ...request,
        path:
          path +
          (random.choose(['?%00', '?a=%zz', '?=&&=&', '?__proto__[x]=1', '#x', '/', '?limit=1&limit=2']) ??
            ''),
        isOffPath: true,
      }
    case 5:
      return { ...request, method: random.choose(METHODS) ?? 'HEAD', isOffPath: true }
    case 6:
      return { ...request, headers: { ...headers, 'Content-Type': strangeContentType(random) } }
    default:
      return { ...request, body: hostileJson(value, random) }
  }
}

function withStrangeSegment(path: string, random: FuzzRandom): string {
  const [plain = '', query] = path.split('?')
  const segments = plain.split('/')
  segments[random.between(1, segments.length - 1)] = random.choose(SEGMENTS) ?? ''
  return segments.join('/') + (query === undefined ? '' : `?${query}`)
}
