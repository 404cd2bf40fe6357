import { describe, expect, it } from 'vitest'
import { isAllowedOrigin } from './handshake.ts'

const LIST = ['https://app.example.com', ' https://other.example.com/ ']

describe('isAllowedOrigin', () => {
  it.each([
    ['in the list', 'https://app.example.com', true],
    ['one trailing slash', 'https://app.example.com/', true],
    ['surrounding white space', '  https://app.example.com \t', true],
    ['a trailing slash and white space in the list entry', 'https://other.example.com', true],
    ['two trailing slashes', 'https://app.example.com//', false],
    ['not in the list', 'https://evil.example.com', false],
    ['another scheme', 'http://app.example.com', false],
    ['another port', 'https://app.example.com:8443', false],
    ['a longer host name', 'https://app.example.com.evil.test', false],
    ['null, as sent by sandboxed pages', 'null', false],
    ['only a slash', '/', false],
    ['empty', '', false],
    ['absent', undefined, false],
  ])('%s', (_name, origin, isAllowed) => {
    expect(isAllowedOrigin(origin, LIST)).toBe(isAllowed)
  })

  it('accepts any origin when the list is empty', () => {
    for (const origin of ['https://evil.example.com', 'null', '', undefined]) {
      expect(isAllowedOrigin(origin, [])).toBe(true)
    }
  })
})
