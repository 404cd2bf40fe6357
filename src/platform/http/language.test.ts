import { describe, expect, it } from 'vitest'
import { negotiate } from './language.ts'

describe('negotiate', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['tr', 'tr'],
    ['tr-TR,tr;q=0.9,en-US;q=0.8,en;q=0.7', 'tr'],
    ['en-GB,en;q=0.9,tr;q=0.8', 'en'],
    ['de, tr;q=0.5, en;q=0.4', 'tr'],
    ['de-DE, fr', 'en'],
    ['tr;q=0, en;q=0.1', 'en'],
    ['en;q=0.1, *;q=0', 'en'],
    ['*', 'en'],
    ['TR-tr', 'tr'],
    ['tr;q=abc', 'en'],
    [';;,,q=1', 'en'],
    [`${'x,'.repeat(10_000)}tr`, 'en'],
  ])('selects the language by %s', (header, language) => {
    expect(negotiate(header)).toBe(language)
  })

  it('uses the fallback of the route for a client that prefers no supported language', () => {
    expect(negotiate(undefined, 'tr')).toBe('tr')
    expect(negotiate('*', 'tr')).toBe('tr')
    expect(negotiate('en', 'tr')).toBe('en')
  })
})
