import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SLUG_MAX_LENGTH } from './limits.ts'
import { SLUG_PATTERN, toSlug } from './slug.ts'

it('slug folds Turkish letters to ASCII', () => {
  expect(toSlug('Güneş Enerji A.Ş.')).toBe('gunes-enerji-a-s')
  expect(toSlug('ÇIĞ ığdır İÖÜ')).toBe('cig-igdir-iou')
})

it('slug is never empty and always valid', () => {
  expect(toSlug('日本 …')).toBe('tenant')
  const pattern = new RegExp(SLUG_PATTERN)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const slug = toSlug(name)
      expect(slug).toMatch(pattern)
      expect(slug.length).toBeLessThan(SLUG_MAX_LENGTH - 8)
    }),
  )
})
