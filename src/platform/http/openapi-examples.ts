/**
 * Examples of the OpenAPI document. Purpose: the documentation page and generated tools show for every operation a
 * request that the schemas accept, and the response to it.
 *
 * The examples are derived from the schemas, so that they cannot contradict them: required fields in requests, all
 * fields in responses; enumerations, defaults, formats, patterns and bounds decide the values. Where a rule outside of
 * the schema matters, the schema names an example itself (`examples`). A test validates every example. Identifiers are
 * made up: the request has to name records of the tenant.
 */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly default?: Json
  readonly examples?: readonly Json[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly minProperties?: number
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  /** Present where the value is a decimal of the wire. */
  readonly 'x-decimal'?: unknown
}
/** A list of one example: unlike a single `example`, generators of types do not copy it into comments. */
type Examples = { readonly [name: string]: { readonly value: Json } }
interface Media {
  readonly schema?: Schema
  /** The example that a schema names; @fastify/swagger moves it here. */
  example?: Json
  examples?: Examples
}
interface Body {
  readonly content?: Readonly<Record<string, Media>>
}
interface Parameter {
  readonly name: string
  readonly required?: boolean
  readonly schema?: Schema
  examples?: Examples
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Body>>
}

const ID = '3f2b8c1e-5d0a-4c57-9b1e-7a64d2f0c911'
const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: ID,
  'date-time': '2026-11-20T09:00:00Z',
  date: '2026-11-01',
  'billing-period': '2026-11-01',
  email: 'operator@plant.example',
  uri: 'https://plant.example/hook',
}
const METRIC = 'active_power'
/** Values of text fields whose names say what they hold. */
const BY_NAME: Readonly<Record<string, string>> = {
  name: 'Roof plant',
  full_name: 'Ayşe Yılmaz',
  city: 'İzmir',
  email: 'operator@plant.example',
  reason: 'The official reading came late.',
  password: 'a long passphrase 42',
  new_password: 'a longer passphrase 43',
  current_password: 'a long passphrase 42',
  metric: METRIC,
  cpid: 'CP-17',
  device_ids: ID,
  from: '2026-11-20T06:00:00Z',
  to: '2026-11-20T09:00:00Z',
  start: '2026-11-20T06:00:00Z',
  end: '2026-11-20T09:00:00Z',
}
/** Tried in this sequence against a pattern and the bounds of the length. */
const TEXTS = [
  '12.500',
  '1.234500',
  '4.25',
  '2026-11-01',
  '2026-11',
  '2026-11-20T09:00:00Z',
  ID,
  'text',
  'TR',
  '08:00',
  '123456',
  '9f86d081884c7d65',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '123456789:an-example-of-a-bot-token',
  '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n',
]
const TEXT = 'text'
const DECIMAL = '12.500'
/** Deeper values of recursive shapes are left out. */
const DEPTH_MAX = 12

type Resolve = (schema: Schema) => Schema

interface Context {
  readonly resolve: Resolve
  /** Requests have their required fields only. */
  readonly isRequest: boolean
  readonly depth: number
}

const typeOf = ({ type, properties, items }: Schema): string => {
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return types.find((one) => one !== 'null') ?? (properties ? 'object' : items ? 'array' : 'string')
}

/** A value that the schema accepts, for a field of that name. */
function exampleOf(name: string, unresolved: Schema, context: Context): Json {
  const schema = context.resolve(unresolved)
  const [given] = schema.examples ?? []
  if (given !== undefined) return given
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.find((value) => value !== null) ?? null
  if (schema.default !== undefined && schema.default !== null) return schema.default
  if (schema['x-decimal'] !== undefined) return DECIMAL
  const choice = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find(
    (one) => context.resolve(one).type !== 'null',
  )
  if (choice) return exampleOf(name, choice, context)
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, context)
    case 'array':
      return itemsOf(name, schema, context)
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'null':
      return null
    default:
      return textOf(name, schema)
  }
}

function objectOf(schema: Schema, context: Context): Json {
  const { properties = {}, required = [], minProperties = 0 } = schema
  if (context.depth >= DEPTH_MAX) return {}
  const entry = entryOf(schema)
  if (entry && Object.keys(properties).length === 0)
    return { [METRIC]: exampleOf(METRIC, entry, { ...context, depth: context.depth + 1 }) }
  const names = Object.keys(properties)
  const needed = context.isRequest ? names.filter((name) => required.includes(name)) : names
  const optional = names.filter((name) => !needed.includes(name))
  // A change without a field changes nothing.
  const wanted = [...needed, ...optional.slice(0, Math.max(0, Math.max(minProperties, 1) - needed.length))]
  return Object.fromEntries(
    wanted.map((name) => [
      name,
      exampleOf(name, properties[name] ?? {}, { ...context, depth: context.depth + 1 }),
    ]),
  )
}

/** The schema of the values of a map. */
const entryOf = ({ additionalProperties, patternProperties }: Schema): Schema | undefined =>
  Object.values(patternProperties ?? {})[0] ??
  (typeof additionalProperties === 'object' ? additionalProperties : undefined)

function itemsOf(name: string, { items, minItems = 0 }: Schema, context: Context): Json {
  if (!items || context.depth >= DEPTH_MAX) return []
  return Array.from({ length: Math.max(1, minItems) }, () =>
    exampleOf(name.replace(/s$/, ''), items, { ...context, depth: context.depth + 1 }),
  )
}

function numberOf({ minimum, exclusiveMinimum, maximum = Number.POSITIVE_INFINITY }: Schema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1)
  return Math.min(Math.max(1, least), maximum)
}

function textOf(name: string, { format, pattern, minLength = 0, maxLength = 1000 }: Schema): string {
  const candidates = [
    BY_FORMAT[format ?? ''],
    BY_NAME[name],
    pattern === undefined ? TEXT : undefined,
    ...TEXTS,
  ]
  const matcher = new RegExp(pattern ?? '', 'u')
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && matcher.test(text)
  return (
    candidates.find((text) => text !== undefined && fits(text)) ??
    TEXT.padEnd(minLength, 'x').slice(0, maxLength)
  )
}

const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json$/

/** Adds examples to the parameters, the body and the successful responses of an operation. */
export function addExamples({ parameters, requestBody, responses }: Operation, resolve: Resolve): void {
  for (const parameter of parameters ?? [])
    if (parameter.required && parameter.schema)
      parameter.examples ??= listOf(exampleOf(parameter.name, parameter.schema, requestOf(resolve)))
  addTo(requestBody, requestOf(resolve))
  for (const [status, response] of Object.entries(responses ?? {}))
    if (status.startsWith('2')) addTo(response, { resolve, isRequest: false, depth: 0 })
}

const listOf = (value: Json): Examples => ({ example: { value } })
const requestOf = (resolve: Resolve): Context => ({ resolve, isRequest: true, depth: 0 })

function addTo(body: Body | undefined, context: Context): void {
  for (const [type, media] of Object.entries(body?.content ?? {})) {
    if (!media.schema || !JSON_TYPE.test(type)) continue
    const { example: given } = media
    media.examples ??= listOf(given === undefined ? exampleOf('', media.schema, context) : given)
    // A document with both is not valid.
    delete media.example
  }
}
