import { describe, expect, it } from 'vitest'
import { mailboxKey } from './email.ts'

describe('the key of a mailbox', () => {
  it.each([
    [' Ece@Example.COM ', 'ece@example.com'],
    ['ece+news@example.com', 'ece@example.com'],
    ['ece+a+b@example.com', 'ece@example.com'],
    ['e.c.e+x@gmail.com', 'ece@gmail.com'],
    ['e.ce@googlemail.com', 'ece@gmail.com'],
    ['e.ce@example.com', 'e.ce@example.com'],
    ['+tag@example.com', '+tag@example.com'],
    ['not an address', 'not an address'],
  ])('of %s is %s', (email, key) => {
    expect(mailboxKey(email)).toBe(key)
  })
})
