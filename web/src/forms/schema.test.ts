import { describe, expect, it } from 'vitest'
import { bodyOf, changesOf, kindOf, NotJsonError, textsOf, variantOf } from './schema.ts'

const schema = {
  properties: {
    name: { type: 'string', maxLength: 200 },
    notes: { type: ['string', 'null'], maxLength: 5000 },
    kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
    limit_kwh: { type: ['number', 'string', 'null'] },
    port: { type: ['integer', 'null'] },
    is_active: { type: 'boolean' },
    from: { type: ['string', 'null'], format: 'date-time' },
    day: { type: 'string', format: 'date' },
    period: { type: 'string', format: 'billing-period' },
    quiet_from: { type: ['string', 'null'], pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
    notify: { type: 'array', items: { type: 'string', enum: ['in_app', 'email'] } },
    groups: { type: 'array', items: { type: 'integer' } },
    config: { type: 'object' },
  },
} as const

const record = {
  name: 'Hat',
  notes: null,
  kind: 'a',
  limit_kwh: '1200.500',
  port: 502,
  is_active: true,
  from: '2026-05-01T00:00:00.000+03:00',
  day: '2026-05-01',
  period: '2026-05-01',
  notify: ['in_app', 'email'],
  groups: [1, 5],
  config: { a: 1 },
  created_at: '2026-01-01T00:00:00Z',
}

describe('forms from schemas', () => {
  it('have a kind of control for each type', () => {
    expect(Object.values(schema.properties).map(kindOf)).toEqual([
      ...['text', 'longText', 'choice', 'decimal', 'number', 'boolean', 'instant', 'date', 'month', 'time'],
      ...['choices', 'list', 'json'],
    ])
  })

  it('show a record and send nothing when nothing was changed', () => {
    const texts = textsOf(schema, record)
    expect(texts).toMatchObject({
      notes: '',
      limit_kwh: '1200.500',
      from: '2026-05-01T00:00',
      period: '2026-05',
      notify: 'in_app, email',
      groups: '1, 5',
    })
    expect(changesOf(schema, texts, texts)).toEqual({})
  })

  it('send the changed fields only; emptied ones are null, false or empty', () => {
    const before = textsOf(schema, record)
    const after = {
      ...before,
      ...{ name: 'Line', kind: '', limit_kwh: '7,25', port: '', is_active: '', notify: '', groups: '2' },
      ...{ from: '2026-06-01T12:30' },
    }
    expect(changesOf(schema, before, after)).toEqual({
      name: 'Line',
      kind: null,
      limit_kwh: '7.25',
      port: null,
      is_active: false,
      from: '2026-06-01T12:30:00+03:00',
      notify: [],
      groups: [2],
    })
  })

  it('create a record from the fields that were entered', () => {
    expect(
      bodyOf(schema, { name: 'x', port: '502', is_active: 'true', config: '{"a":[1]}', notes: '' }),
    ).toEqual({
      name: 'x',
      port: 502,
      is_active: true,
      config: { a: [1] },
    })
    expect(() => bodyOf(schema, { config: '{' })).toThrow(NotJsonError)
  })

  it('have only the fields of the chosen variant', () => {
    const variants = { field: 'kind', fields: { a: { required: ['port'], optional: ['day', 'gone'] } } }
    const both = { ...schema, 'x-variants': variants }
    expect(variantOf(both, 'a')).toMatchObject({ required: ['kind', 'port'] })
    expect(Object.keys(variantOf(both, 'a').properties ?? {})).toEqual(['kind', 'port', 'day'])
    expect(Object.keys(variantOf(both, 'new').properties ?? {})).toEqual(['kind'])
    expect(variantOf(schema, 'a')).toBe(schema)
  })
})
