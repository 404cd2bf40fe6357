import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { OPENAPI_FILE, openapiDocument, openapiText } from '../../tools/openapi-document.ts'
import { withoutReferences } from '../support/openapi.ts'

/** Operations with a body that has no name. The list may only shrink. */
const UNNAMED_BODIES = new Set([
  'POST /api/gateways/{id}/rawconfig/sync',
  'PUT /api/devices/device-templates/{id}/register-map',
  'POST /api/alarms/incidents/{id}/ack',
  'POST /api/alarms/incidents/{id}/close',
  'GET /api/mahsuplasma/groups/{id}/dashboard-summary',
  'GET /api/widgets/{id}/data/reactive',
  'POST /api/loto/sessions/{id}/approve',
  'POST /api/loto/sessions/{id}/reject',
  'POST /api/loto/sessions/{id}/apply',
  'POST /api/loto/sessions/{id}/release',
  'DELETE /api/loto/locks/{id}',
  'POST /api/ocpp/chargers/{id}/commands',
  'POST /api/v1/admin/regulated-tariffs/price-sets/{id}/import-csv',
])

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly $ref?: string
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}
interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly {
    name: string
    description?: string
    required?: boolean
    schema?: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description?: string }>>
}
interface Document {
  readonly openapi: string
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

let document: Document
/** The same document without references. */
let resolved: Document
let operations: { name: string; operation: Operation }[]
beforeAll(async () => {
  document = (await openapiDocument()) as Document
  resolved = withoutReferences(document)
  operations = Object.entries(resolved.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
})

/** A property is described itself or by its type; without references both are here. */
const isDescribed = ({ description, anyOf = [] }: Schema): boolean =>
  Boolean(description) || anyOf.some((choice) => isDescribed(choice))

function* undescribed(schema: Schema | undefined): Generator<string> {
  if (!schema) return
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!isDescribed(property)) yield name
    yield* undescribed(property)
  }
  yield* undescribed(schema.items)
  if (typeof schema.additionalProperties === 'object') yield* undescribed(schema.additionalProperties)
  for (const one of schema.anyOf ?? []) yield* undescribed(one)
}

const schemasOf = ({ requestBody, responses }: Operation): Schema[] =>
  [requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}).flatMap(({ schema }) => schema ?? []),
  )

describe('the OpenAPI document', () => {
  it('equals the committed one (update it with `npm run openapi`)', async () => {
    expect(operations.length).toBeGreaterThan(70)
    const committed = await readFile(OPENAPI_FILE, 'utf8')
    expect(openapiText(document) === committed, 'run `npm run openapi` and read its diff').toBe(true)
  })

  it('names every operation once, with a tag and a summary', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.filter((id, index) => !id || ids.indexOf(id) !== index)).toEqual([])
    const bare = operations.filter(({ operation }) => !operation.summary || !operation.tags?.length)
    expect(bare.map(({ name }) => name)).toEqual([])
  })

  it('describes every response, including errors', () => {
    const lacking = operations.filter(({ operation: { responses, security } }) => {
      const isPublic = security?.length === 0
      const statuses = Object.keys(responses)
      const hasAll = ['429', '500', ...(isPublic ? [] : ['401'])].every((status) => statuses.includes(status))
      const areDescribed = Object.values(responses).every(
        ({ description }) => description && description !== 'Default Response',
      )
      return !hasAll || !areDescribed || !statuses.some((status) => status.startsWith('2'))
    })
    expect(lacking.map(({ name }) => name)).toEqual([])
  })

  it('describes every property and parameter', () => {
    const lacking = operations.flatMap(({ name, operation }) => {
      const parameters = (operation.parameters ?? []).filter(
        ({ description, schema = {} }) => !description && !isDescribed(schema),
      )
      const names = [
        ...parameters.map((parameter) => parameter.name),
        ...schemasOf(operation).flatMap((schema) => [...undescribed(schema)]),
      ]
      return names.map((property) => `${property} in ${name}`)
    })
    expect(lacking).toEqual([])
  })

  it('names the shape of every body, and each shape once', () => {
    const unnamed: string[] = []
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { requestBody, responses }] of Object.entries(methods))
        for (const body of [requestBody, ...Object.values(responses)])
          for (const { schema } of Object.values(body?.content ?? {}))
            if (schema && !isNamed(schema)) unnamed.push(`${method.toUpperCase()} ${path}`)
    expect(unnamed.filter((name) => !UNNAMED_BODIES.has(name))).toEqual([])
    expect([...UNNAMED_BODIES].filter((name) => !unnamed.includes(name))).toEqual([])

    const { schemas } = document.components
    const names = Object.keys(schemas)
    const shapes = names.map((name) => JSON.stringify(schemas[name]))
    expect(names.filter((_, index) => shapes.indexOf(shapes[index] ?? '') !== index)).toEqual([])
    expect(Object.keys(schemas).length).toBeLessThanOrEqual(400)
  })

  it('contains formats of texts and responses without a body once', () => {
    const { components, paths } = document
    const formats = ['uuid', 'date-time', 'date', 'billing-period']
    const repeated = [...plainFormats(paths), ...plainFormats(components.schemas)]
    expect(repeated.filter((format) => formats.includes(format)).sort()).toEqual([...formats].sort())
    const inline = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses))
      .filter((response) => !('content' in response) && !('$ref' in response))
    expect(inline).toEqual([])
  })

  it('requires no parameter and no field of a request that has a default', () => {
    const required: string[] = []
    for (const { name, operation } of operations) {
      for (const { name: parameter, required: isRequired, schema } of operation.parameters ?? [])
        if (isRequired && schema && 'default' in schema) required.push(`${parameter} of ${name}`)
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        for (const field of schema?.required ?? [])
          if ('default' in (schema?.properties?.[field] ?? {})) required.push(`${field} of ${name}`)
    }
    expect(required).toEqual([])
  })
})

/** The formats of texts without a further rule. */
function plainFormats(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { format, type, ...rest } = part as Readonly<Record<string, unknown>>
  const rules = Object.keys(rest).filter((key) => key !== 'description')
  if (typeof format === 'string' && type !== undefined && rules.length === 0) return [format]
  return Object.values(part).flatMap(plainFormats)
}

/** A body is named if it is a named shape, a list or page of it, or no object. */
function isNamed(schema: Schema): boolean {
  if (schema.$ref) return true
  if (schema.items) return isNamed(schema.items)
  if (schema.anyOf) return schema.anyOf.every(isNamed)
  const { items } = schema.properties ?? {}
  if (items?.items) return isNamed(items.items)
  return !schema.properties && !schema.oneOf
}
