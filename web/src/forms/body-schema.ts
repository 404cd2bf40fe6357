/** The schema of the body of an operation in the API document. */
import type { JsonSchema } from './schema.ts'

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Levels of a body that forms show: the rows of its lists, and their fields. */
const LEVELS = 5

/** A schema with the names of other schemas replaced by them. `anyOf` with null is a type that may be null. */
function resolve(document: ApiDocument, schema: JsonSchema, levels = LEVELS): JsonSchema {
  const { $ref, ...own } = schema
  const named = $ref === undefined ? {} : document.components.schemas[$ref.split('/').at(-1) ?? '']
  const { properties, items, oneOf, anyOf, ...rest } = { ...named, ...own }
  if (levels === 0) return rest
  const inner = (one: JsonSchema) => resolve(document, one, levels - 1)
  const [present, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null')
  if (present && others.length === 0) {
    const { type = 'object', ...one } = inner(present)
    return { ...one, ...rest, type: [type, 'null'].flat() }
  }
  return {
    ...rest,
    ...(items && { items: inner(items) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])),
    }),
  }
}

/** The schema of the JSON body of an operation, or of the fields of a form with files. */
export function bodySchema(document: ApiDocument, method: Method, path: string): JsonSchema {
  const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content
  const media = content?.['application/json'] ?? content?.['multipart/form-data']
  return resolve(document, media?.schema ?? {})
}
