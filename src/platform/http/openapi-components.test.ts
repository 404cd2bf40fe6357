import { describe, expect, it } from 'vitest'
import { extractComponents, withOptionalDefaults } from './openapi-components.ts'

const DEVICE = { title: 'Device', type: 'object', properties: { title: { type: 'string' } } }

function extract(part: unknown) {
  const components = new Map<string, object>()
  return { part: extractComponents(part, components), components: Object.fromEntries(components) }
}

describe('named schemas', () => {
  it('are extracted once, and each use keeps its description', () => {
    const reference = { $ref: '#/components/schemas/Device' }
    expect(
      extract({ one: DEVICE, list: { items: DEVICE }, other: { ...DEVICE, description: 'Parent.' } }),
    ).toEqual({
      part: { one: reference, list: { items: reference }, other: { ...reference, description: 'Parent.' } },
      components: { Device: { type: 'object', properties: { title: { type: 'string' } } } },
    })
  })

  it('are extracted within each other', () => {
    const group = { title: 'Group', type: 'object', properties: { device: DEVICE } }
    const { part, components } = extract([group])
    expect(part).toEqual([{ $ref: '#/components/schemas/Group' }])
    expect(components['Group']).toEqual({
      type: 'object',
      properties: { device: { $ref: '#/components/schemas/Device' } },
    })
  })

  it('that may be null are the same shape', () => {
    const nullable = { ...DEVICE, type: ['object', 'null'] }
    const { part, components } = extract([DEVICE, nullable])
    expect(part).toEqual([
      { $ref: '#/components/schemas/Device' },
      { anyOf: [{ $ref: '#/components/schemas/Device' }, { type: 'null' }] },
    ])
    expect(Object.keys(components)).toEqual(['Device'])
  })

  it('are made for texts with a format, whose uses keep only what they say more', () => {
    const id = { type: 'string', format: 'uuid', description: 'Identifier (UUID).' }
    const reference = { $ref: '#/components/schemas/Uuid' }
    const { part, components } = extract([
      id,
      { ...id, type: ['string', 'null'] },
      { ...id, description: 'Parent.' },
      { in: 'path', name: 'id', schema: { type: 'string', format: 'uuid' }, description: id.description },
    ])
    expect(part).toEqual([
      reference,
      { anyOf: [reference, { type: 'null' }] },
      { ...reference, description: 'Parent.' },
      { in: 'path', name: 'id', schema: reference },
    ])
    expect(components).toEqual({ Uuid: id })
  })

  it('leave texts inline whose format has a further rule', () => {
    const part = { type: 'string', format: 'date', pattern: '-01$' }
    expect(extract(part)).toEqual({ part, components: {} })
  })

  it('with one title and two shapes are refused', () => {
    expect(() => extract([DEVICE, { ...DEVICE, properties: {} }])).toThrow('two different schemas')
  })

  it('are not searched in examples and defaults', () => {
    const part = { type: 'object', default: { title: 'No schema' }, example: DEVICE }
    expect(extract(part)).toEqual({ part, components: {} })
  })
})

describe('fields of a request with a default', () => {
  it('are optional, also in inner objects', () => {
    const inner = { type: 'object', properties: { a: { default: 1 } }, required: ['a'] }
    const schema = { type: 'object', required: ['inner', 'b'], properties: { inner, b: { default: null } } }
    expect(withOptionalDefaults(schema)).toEqual({
      type: 'object',
      required: ['inner'],
      properties: { inner: { type: 'object', properties: { a: { default: 1 } } }, b: { default: null } },
    })
  })
})
