import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SLUG_MAX_LENGTH } from './limits.ts'
import { SLUG_PATTERN, toSlug } from './slug.ts'

it('folds Turkish letters', () => {
  expect(toSlug('Güneş Enerji A.Ş.')).toBe('gunes-enerji-a-s')
  expect(toSlug('ÇIĞ ığdır İÖÜ')).toBe('cig-igdir-iou')
})

it('is never empty and always a slug', () => {
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
