import { expect, it } from 'vitest'
import { isEmail, normalizeEmail } from './email.ts'

it('normalizeEmail trims white space and lower-cases independent of the locale', () => {
  expect(normalizeEmail('  ILKER@Example.TEST\n')).toBe('ilker@example.test')
})

it('isEmail recognizes addresses', () => {
  for (const text of ['a@b', ' Ali.Veli+x@ornek.com.tr ', 'admin@localhost', "o'hara@x-y.test"])
    expect(isEmail(text), text).toBe(true)
  for (const text of [
    '',
    '@',
    'a@',
    '@b',
    'a b@c',
    'a@b..c',
    'a@-b',
    'a@b-',
    'ş@b.c',
    'a@örnek.com',
    'a@b@c',
  ])
    expect(isEmail(text), text).toBe(false)
})
