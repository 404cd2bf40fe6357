import { expect, test } from 'vitest'
import { compileOnce } from './compile-once.ts'

test('equal schemas are compiled once, different ones each', () => {
  const compiled: object[] = []
  const compile = compileOnce((schema) => {
    compiled.push(schema)
    return () => schema
  })
  const first = compile({ type: 'string', maxLength: 5 })
  expect(compile({ type: 'string', maxLength: 5 })).toBe(first)
  expect(compile({ type: 'string', maxLength: 6 })).not.toBe(first)
  expect(compiled).toHaveLength(2)
})
