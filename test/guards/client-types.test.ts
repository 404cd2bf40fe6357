import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { CLIENT_TYPES_FILE, clientTypesText } from '../../tools/client-types.ts'
import { OPENAPI_FILE } from '../../tools/openapi-document.ts'

const TYPES_BYTES_MAX = 600_000

it('the types of the TypeScript client are those of the API document (npm run client:types)', async () => {
  const document = JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as object
  const text = clientTypesText(document)
  expect((await readFile(CLIENT_TYPES_FILE, 'utf8')) === text).toBe(true)
  expect(text.length).toBeLessThan(TYPES_BYTES_MAX)
})

it('the generator declares pages once', () => {
  const item = { $ref: '#/components/schemas/Uuid' }
  const count = { type: 'integer' }
  const list = { type: 'object', properties: { items: { type: 'array', items: item } } }
  const page = { ...list, properties: { ...list.properties, total: count, skip: count, limit: count } }
  const text = clientTypesText({ paths: {}, components: { schemas: { Ids: page, Others: list } } })
  expect(text).toContain('export type Ids = Page<Uuid>')
  expect(text).toContain('items?: readonly Uuid[] | undefined')
})

it.each(['allOf', 'patternProperties', 'const'])(
  'the generator refuses a schema with %s instead of dropping it',
  (keyword) => {
    const document = { paths: {}, components: { schemas: { Odd: { [keyword]: [] } } } }
    expect(() => clientTypesText(document)).toThrow(keyword)
  },
)
