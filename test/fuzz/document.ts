import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { withoutReferences } from '../support/openapi.ts'

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly default?: unknown
  readonly 'x-decimal'?: { readonly places: number; readonly sign: string }
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  readonly headers?: Readonly<Record<string, object>>
}

export interface Operation {
  readonly id: string
  readonly method: string
  /** The path template, such as `/api/devices/{id}`. */
  readonly path: string
  readonly description: string
  /** Whether it is served without a token. */
  readonly isPublic: boolean
  readonly parameters: readonly Parameter[]
  /** Schemas of the request body by content type. */
  readonly bodies: Readonly<Record<string, Schema>>
  readonly responses: Readonly<Record<string, Response>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> }
}

interface RawOperation {
  readonly operationId: string
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Response>>
}

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(withoutReferences(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => {
      const raw = value as RawOperation
      const contents = Object.entries(raw.requestBody?.content ?? {})
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        description: raw.description ?? '',
        isPublic: raw.security?.length === 0,
        parameters: raw.parameters ?? [],
        bodies: Object.fromEntries(contents.map(([type, { schema }]) => [type, schema])),
        responses: raw.responses,
      }
    }),
  )
}

const ajv = addFormats.default(new Ajv({ strict: false, discriminator: true }))
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
ajv.addFormat('billing-period', /^\d{4}-\d{2}-01$/)
ajv.addFormat('binary', true)

const compiled = new WeakMap<Schema, ValidateFunction>()

/** Returns why a value violates a schema, or undefined. */
export function schemaFault(schema: Schema, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' })
}
