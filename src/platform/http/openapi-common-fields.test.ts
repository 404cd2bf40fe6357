import { expect, it } from 'vitest'
import { describeCommonFields, describeCommonParameters } from './openapi-common-fields.ts'

it('fields are described in every depth, unless the schema describes them itself', () => {
  const own = { description: 'Name of the charging station.' }
  const city = {}
  const schema = { properties: { name: own, sites: { items: { properties: { city } } } } }
  describeCommonFields({ anyOf: [schema] })
  expect([own, city]).toEqual([{ description: 'Name of the charging station.' }, { description: 'City.' }])
})

it('parameters and bodies without a name are described', () => {
  const [year, described, port] = [{ name: 'year' }, { name: 'year', schema: { description: 'x' } }, {}]
  const content = { 'application/json': { schema: { properties: { port } } } }
  describeCommonParameters({ parameters: [year, described], responses: { '200': { content } } })
  expect(year).toHaveProperty('description')
  expect(described).not.toHaveProperty('description')
  expect(port).toEqual({ description: 'TCP port.' })
})
