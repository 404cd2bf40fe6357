/**
 * Generates clients/typescript/src/api.ts, the types of the TypeScript client, from the OpenAPI document: one type
 * for each named schema, and one entry of `Operations` for each operation. It supports the keywords that the
 * document uses and throws for any other, so that no part of a schema is dropped silently.
 */
export const CLIENT_TYPES_FILE = new URL('../clients/typescript/src/api.ts', import.meta.url)

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Requests of the message broker, which no client sends. */
const INTERNAL = '/api/internal/'
const FILE = 'FileStream'
const UNSUPPORTED = ['allOf', 'not', 'patternProperties', 'prefixItems', 'const', 'nullable']
const KEY_HEADER = 'Idempotency-Key'

const quote = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

function comment(text: string | undefined, indent: string): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')
  return `${indent}/**\n${body}\n${indent} */\n`
}

const arrayText = (item: string): string => `readonly ${/^\w+$/.test(item) ? item : `(${item})`}[]`

/** The envelope of lists, whose type is declared once. */
const PAGE_FIELDS = ['items', 'total', 'skip', 'limit']
const PAGE = `/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Number of records that match the filters. */
  readonly total: number
  /** Offset of the first record of this page. */
  readonly skip: number
  /** Maximum number of records of this page. */
  readonly limit: number
}
`

function primitive(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return arrayText(schema.items ? typeText(schema.items, indent) : 'unknown')
    case 'object':
      return objectText(schema, indent)
    default:
      return type
  }
}

/** Of schemas and operations only arrays and maps are readonly: the word before each field was a tenth of the file. */
function objectText({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `
  const value =
    typeof additionalProperties === 'object' ? typeText(additionalProperties, inner) : ('unknown' as const)
  if (!properties || Object.keys(properties).length === 0) return `Readonly<Record<string, ${value}>>`
  if (Object.keys(properties).join() === PAGE_FIELDS.join() && properties['items']?.items)
    return `Page<${typeText(properties['items'].items, indent)}>`
  const fields = Object.entries(properties).map(([name, field]) => {
    const type = typeText(field, inner)
    const isRequired = required.includes(name)
    const head = `${comment(field.description, inner)}${inner}${quote(name)}`
    return isRequired ? `${head}: ${type}\n` : `${head}?: ${type} | undefined\n`
  })
  const others = additionalProperties ? `${inner}[name: string]: unknown\n` : ''
  return `{\n${fields.join('')}${others}${indent}}`
}

function typeText(schema: Schema, indent = ''): string {
  for (const keyword of UNSUPPORTED)
    if (keyword in schema) throw new Error(`the generator does not support ${keyword}`)
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '')
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map((choice) => typeText(choice, indent)))
  if (schema.type === undefined) return schema.properties ? objectText(schema, indent) : 'unknown'
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  return union(types.map((type) => primitive(type, schema, indent)))
}

function declaration(name: string, schema: Schema): string {
  const text = typeText(schema)
  const isInterface = schema.type === 'object' && text.startsWith('{')
  const head = isInterface ? `export interface ${name} ` : `export type ${name} = `
  return `${comment(schema.description, '')}${head}${text}\n`
}

/** Parameters that many operations have: each set is declared once, and no operation repeats its texts. */
const SHARED_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  RecordPath: ['id'],
  PageParameters: ['skip', 'limit', 'sort_order'],
  ListParameters: ['limit', 'offset'],
  ReportParameters: ['format', 'locale', 'headers'],
}

function parameterText({ name, required, description, schema }: Parameter, indent: string): string {
  const type = typeText(schema, indent)
  const head = `${comment(description ?? schema.description, indent)}${indent}${quote(name)}`
  return required ? `${head}: ${type}\n` : `${head}?: ${type} | undefined\n`
}

/** The types of the shared sets, by the texts of their fields as in the first operation that has all of them. */
function sharedSets(lists: readonly (readonly Parameter[])[]): ReadonlyMap<string, readonly string[]> {
  const sets = Object.entries(SHARED_PARAMETERS).flatMap(([type, names]) => {
    const first = lists.find((list) => names.every((name) => list.some((one) => one.name === name)))
    const texts = first?.filter(({ name }) => names.includes(name)).map((one) => parameterText(one, '  '))
    return texts ? [[type, texts] as const] : []
  })
  return new Map(sets)
}

/** One field without a comment takes one line with its braces. */
function fieldsText(fields: readonly string[]): string {
  const text = fields.join('')
  return fields.length === 1 && !text.includes('/**') ? `{ ${text.trim()} }` : `{\n${text}    }`
}

function parametersText(
  name: string,
  parameters: readonly Parameter[],
  shared: ReadonlyMap<string, readonly string[]>,
): string {
  if (parameters.length === 0) return ''
  const texts = new Set(parameters.map((one) => parameterText(one, '  ')))
  const [type, common = []] =
    [...shared].find(([, fields]) => fields.every((field) => texts.has(field))) ?? []
  const own = parameters
    .filter((one) => !common.includes(parameterText(one, '  ')))
    .map((one) => parameterText(one, '      '))
  const types = [...(type ? [type] : []), ...(own.length > 0 ? [fieldsText(own)] : [])]
  const isOptional = parameters.every(({ required }) => !required)
  return `    ${name}${isOptional ? '?' : ''}: ${types.join(' & ')}\n`
}

const isJson = (mediaType: string): boolean => mediaType === 'application/json'

function bodyType([mediaType, { schema = {} }]: readonly [string, { readonly schema?: Schema }]): string {
  if (isJson(mediaType)) return typeText(schema, '    ')
  return mediaType === 'multipart/form-data' ? 'FormData' : 'string'
}

function bodyText({ requestBody }: Operation): string {
  if (!requestBody) return ''
  const type = union(Object.entries(requestBody.content).map(bodyType))
  return `    body${requestBody.required === true ? '' : '?'}: ${type}\n`
}

/** What a successful call returns: a JSON value, a stream of bytes, or nothing. */
function responseText({ responses }: Operation): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) =>
      content
        ? Object.entries(content).map(([mediaType, { schema = {} }]) =>
            isJson(mediaType) ? typeText(schema, '    ') : FILE,
          )
        : ['undefined'],
    )
  return union(types)
}

function operationText(
  name: string,
  operation: Operation,
  shared: ReadonlyMap<string, readonly string[]>,
): string {
  const { parameters = [], summary, description } = operation
  const parametersIn = (location: string) => parameters.filter((one) => one.in === location)
  return [
    comment([summary, description].filter(Boolean).join('\n\n'), '  '),
    `  '${name}': {\n`,
    parametersText('path', parametersIn('path'), shared),
    parametersText('query', parametersIn('query'), shared),
    bodyText(operation),
    `    response: ${responseText(operation)}\n`,
    '  }\n',
  ].join('')
}

export function clientTypesText(document: object): string {
  const { paths, components } = document as Document
  const operations = Object.entries(paths)
    .filter(([path]) => !path.startsWith(INTERNAL))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    )
  const keyed = operations.filter(({ operation }) =>
    operation.parameters?.some(({ name }) => name === KEY_HEADER),
  )
  const shared = sharedSets(
    operations.flatMap(({ operation: { parameters = [] } }) =>
      ['path', 'query'].map((location) => parameters.filter((one) => one.in === location)),
    ),
  )
  return [
    '// Generated from docs/api/openapi.json by `npm run client:types`. Do not edit.\n',
    `/** The bytes of a file; read it to the end or cancel it. */\nexport type ${FILE} = ReadableStream<Uint8Array>\n`,
    PAGE,
    ...[...shared].map(
      ([type, fields]) =>
        `/** Parameters of many operations. */\nexport interface ${type} {\n${fields.join('')}}\n`,
    ),
    ...Object.entries(components.schemas).map(([name, schema]) => declaration(name, schema)),
    `/** All operations by method and path. */\nexport interface Operations {\n${operations
      .map(({ name, operation }) => operationText(name, operation, shared))
      .join('')}}\n`,
    `/** Operations that honour the header Idempotency-Key. */\nexport const KEYED_OPERATIONS: ReadonlySet<string> = new Set([\n${keyed
      .map(({ name }) => `  '${name}',\n`)
      .join('')}])\n`,
  ].join('\n')
}
