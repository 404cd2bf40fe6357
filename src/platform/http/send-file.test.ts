import { describe, expect, it } from 'vitest'
import { rangeOf, rangeUnlessChanged } from './send-file.ts'

describe('rangeOf', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=2-100', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['Bytes= 1 - 2', { start: 1, end: 2 }],
    ['bytes=10-', null],
    ['bytes=-0', null],
    ['bytes=3-2', undefined],
    ['bytes=0-1,4-5', undefined],
    ['items=0-1', undefined],
    ['bytes=-', undefined],
    [undefined, undefined],
  ])('parses %s of ten bytes', (header, expected) => {
    expect(rangeOf(header, 10)).toEqual(expected)
  })
})

describe('rangeUnlessChanged', () => {
  it.each([
    [undefined, { start: 2, end: 9 }],
    ['"a"', { start: 2, end: 9 }],
    ['"b"', undefined],
    ['W/"a"', undefined],
    ['Fri, 20 Nov 2026 09:30:00 GMT', undefined],
  ])('handles If-Range %s', (ifRange, expected) => {
    expect(rangeUnlessChanged({ range: 'bytes=2-', ifRange }, { size: 10, etag: '"a"' })).toEqual(expected)
  })
})
