import type { AnySchema } from 'ajv'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAjv } from '../../src/platform/http/validation.ts'
import { openapiDocument } from '../../tools/openapi-document.ts'
import { withoutReferences } from '../support/openapi.ts'

interface Described {
  readonly schema?: AnySchema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Body {
  readonly content?: Readonly<Record<string, Described>>
}
interface Operation {
  readonly parameters?: readonly (Described & { readonly name: string; readonly required?: boolean })[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const isJson = (type: string): boolean => type.includes('json')
const jsonOf = (body: Body | undefined): readonly Described[] =>
  Object.entries(body?.content ?? {})
    .filter(([type]) => isJson(type))
    .map(([, media]) => media)

/** What has to have an example: required parameters, JSON bodies and successful JSON responses. */
function examplesOf({ parameters = [], requestBody, responses }: Operation): readonly Described[] {
  const succeeded = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return [
    ...parameters.filter(({ required }) => required),
    ...jsonOf(requestBody),
    ...succeeded.flatMap(([, response]) => jsonOf(response)),
  ].filter(({ schema }) => schema !== undefined)
}

describe('examples of the API document', () => {
  let operations: { name: string; examples: readonly Described[] }[]
  beforeAll(async () => {
    const { paths } = withoutReferences((await openapiDocument()) as Document)
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        examples: examplesOf(operation),
      })),
    )
  })

  it('exist for every required parameter, JSON body and JSON response', () => {
    const missing = operations.filter(({ examples: parts }) =>
      parts.some(({ examples = {} }) => Object.keys(examples).length === 0),
    )
    expect(operations.length).toBeGreaterThan(300)
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it('are in one list: a document with `example` and `examples` is not valid', () => {
    const both = operations.filter(({ examples: parts }) => parts.some((part) => 'example' in part))
    expect(both.map(({ name }) => name)).toEqual([])
  })

  it('are accepted by their schemas', () => {
    const ajv = makeAjv({})
    const faultsOf = ({ schema = true, examples = {} }: Described): string[] =>
      Object.values(examples).flatMap(({ value }) => (ajv.validate(schema, value) ? [] : [ajv.errorsText()]))
    const refused = operations.flatMap(({ name, examples }) =>
      examples.flatMap(faultsOf).map((fault) => `${name}: ${fault}`),
    )
    expect(refused).toEqual([])
  })
})
