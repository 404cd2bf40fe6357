import { beforeAll, describe, expect, it } from 'vitest'
import { openapiDocument } from '../../tools/openapi-document.ts'
import { OWN_BODIES } from '../support/tenancy/bodies.ts'
import {
  ANY_JSON,
  idFieldsOf,
  kindOf,
  type OpenapiDocument,
  type Operation,
  readOperations,
} from '../support/tenancy/fields.ts'
import type { TenantRecords } from '../support/tenancy/records.ts'
import { hasField } from '../support/tenancy/walk.ts'

/** Every kind of record has the same id: only the fields of the bodies are looked at. */
const NO_RECORDS = new Proxy({}, { get: () => 'id' }) as TenantRecords

let operations: Operation[]
beforeAll(async () => {
  operations = readOperations((await openapiDocument()) as OpenapiDocument)
})

/** Fields of a body that refer to a record and that no body of the walk contains. */
const missingFields = ({ key, bodyIds }: Operation): string[] =>
  bodyIds
    .filter((field) => kindOf(key, field))
    .filter((field) => !(OWN_BODIES[key] ?? []).some((body) => hasField(body(NO_RECORDS), field)))
    .map((field) => `${key} ${field}`)

const withBody = (properties: object): Operation[] =>
  readOperations({
    paths: {
      '/api/things/{id}': {
        put: { requestBody: { content: { 'application/json': { schema: { properties } } } } },
      },
    },
  } as unknown as OpenapiDocument)

describe('the tenancy walk', () => {
  it('knows every field of a path, query or body that looks like an id', () => {
    expect(operations.flatMap((operation) => idFieldsOf(operation)).length).toBeGreaterThan(300)
  })

  it('has a body for every field of a body that refers to a record', () => {
    expect(operations.flatMap(missingFields)).toEqual([])
  })

  it('has bodies of existing operations only', () => {
    const keys = new Set(operations.map(({ key }) => key))
    expect(Object.keys(OWN_BODIES).filter((key) => !keys.has(key))).toEqual([])
  })

  it('knows every part in which a body may contain any JSON', () => {
    const paths = operations.flatMap(({ key, anyJson }) => anyJson.map((path) => `${key} ${path}`))
    expect(paths.filter((path) => !ANY_JSON[path])).toEqual([])
  })

  it('rejects a new field that it does not know', () => {
    const [operation] = withBody({ owner_id: { type: 'string', format: 'uuid' } })
    expect(() => operation && idFieldsOf(operation)).toThrow('owner_id is a field that')
    const [nested] = withBody({ list: { items: { properties: { author: { format: 'uuid' } } } } })
    expect(() => nested && idFieldsOf(nested)).toThrow('author is a field that')
  })

  it('rejects a known field of a new operation without a body', () => {
    expect(withBody({ device_ids: { items: { format: 'uuid' } } }).flatMap(missingFields)).toEqual([
      'PUT /api/things/:id device_ids[]',
    ])
  })
})
