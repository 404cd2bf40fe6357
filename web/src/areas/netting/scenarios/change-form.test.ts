import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isUuid } from '../../../../../src/kernel/uuid.ts'
import { bodySchema } from '../../../forms/body-schema.ts'
import {
  changeOf,
  changeSchema,
  missingFields,
  moved,
  newId,
  profileValues,
  textsOfChange,
} from './change-form.ts'

const document = JSON.parse(readFileSync('docs/api/openapi.json', 'utf8'))
const schema = bodySchema(document, 'POST', '/api/mahsuplasma/scenarios').properties?.['changes']?.items ?? {}
const FACILITY = '0197a1b2-0000-7000-8000-000000000001'

describe('forms of changes', () => {
  it('have the fields of each of the 18 types, and no other ones', () => {
    const types = schema.properties?.['type']?.enum ?? []
    expect(types.length).toBe(18)
    for (const type of types)
      expect(Object.keys(changeSchema(schema, String(type)).properties ?? {})).not.toEqual([])
    expect(Object.keys(changeSchema(schema, 'scale_plant').properties ?? {})).toEqual([
      ...['facility_id', 'factor', 'from', 'to'],
    ])
    expect(Object.keys(changeSchema(schema, 'add_facility').properties ?? {})).not.toContain('facility_id')
  })

  it.each([
    { type: 'scale_plant', facility_id: FACILITY, factor: '1.5', from: '2026-03-01' },
    {
      ...{ type: 'add_battery', facility_id: FACILITY, capacity_kwh: '10', power_kw: '5', efficiency: '0.9' },
      ...{ rule: 'time_of_price', charge_hours: [1, 2], discharge_hours: [18] },
    },
    {
      ...{ type: 'add_plant', facility_id: FACILITY },
      profile: { kind: 'national_solar', power_kw: '100', yield_kwh_per_kw: 1500 },
    },
    {
      ...{ type: 'add_load', facility_id: FACILITY },
      profile: { kind: 'hours', values_kwh: Array.from({ length: 24 }, (_one, hour) => String(hour)) },
    },
  ])('return a change that was not edited: %j', (change) => {
    expect(changeOf(schema, change.type, textsOfChange(schema, change))).toEqual(change)
    expect(missingFields(schema, change.type, textsOfChange(schema, change))).toEqual([])
  })

  it('name what is missing, also in a profile', () => {
    expect(missingFields(schema, 'add_plant', { facility_id: FACILITY })).toEqual(['profile'])
    const profile = JSON.stringify({ kind: 'national_solar', power_kw: '100' })
    expect(missingFields(schema, 'add_plant', { facility_id: FACILITY, profile })).toEqual(['profile'])
    expect(missingFields(schema, 'add_facility', { group_id: FACILITY, name: 'x' })).toEqual([])
  })

  it('take the values of a file', () => {
    expect(profileValues('Saat;kWh\r\n00:00;1.234,5\r\n01:00;0\r\n\r\n')).toEqual(['1234.5', '0'])
    expect(profileValues('1.5\n2\n')).toEqual(['1.5', '2'])
    expect(profileValues('hour,kWh\n')).toEqual([])
  })

  it('have new identifiers, and an order that changes within the list', () => {
    expect(isUuid(newId())).toBe(true)
    expect(newId()).not.toBe(newId())
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  })
})
