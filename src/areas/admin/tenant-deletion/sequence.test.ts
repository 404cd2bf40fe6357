import { describe, expect, it } from 'vitest'
import { deletionSequence } from './sequence.ts'

const table = (name: string, ...referencedBy: string[]) => ({ name, parts: [name], referencedBy })
const namesOf = (...tables: ReturnType<typeof table>[]) => deletionSequence(tables).map(({ name }) => name)

describe('the sequence of tables', () => {
  it('has each table after those that refer to it', () => {
    expect(namesOf(table('gateway', 'device'), table('device', 'alarm'), table('alarm'))).toEqual([
      'alarm',
      'device',
      'gateway',
    ])
  })

  it('ignores the references of a table to itself', () => {
    expect(namesOf(table('run', 'run', 'hour'), table('hour'))).toEqual(['hour', 'run'])
  })

  it('does not exist when tables refer to each other', () => {
    expect(() => namesOf(table('a', 'b'), table('b', 'a'))).toThrow('a, b')
  })

  it('does not exist when a table without a tenant refers to a tenant table', () => {
    expect(() => namesOf(table('a', 'national'))).toThrow('tables refer to each other: a')
  })
})
