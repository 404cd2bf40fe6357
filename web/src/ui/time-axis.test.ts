import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisTexts } from './time-axis.ts'

const at = (text: string) => Date.parse(text) / 1000
const steps = (from: string, step: number, count: number) =>
  Array.from({ length: count }, (_item, index) => at(from) + index * step)

describe('texts of a time axis', () => {
  it.each([
    [steps('2026-11-24T10:00:00+03:00', 15, 3), ['10:00:00', '10:00:15', '10:00:30']],
    [steps('2026-11-24T23:00:00+03:00', 1800, 3), ['23:00', '23:30', '25\u00a0Nov']],
    [steps('2026-11-24T00:00:00+03:00', 86_400, 2), ['24\u00a0Nov', '25\u00a0Nov']],
    [steps('2026-11-24T10:00:00+03:00', 0.5, 4), ['10:00:00', '', '10:00:01', '']],
  ])('of %j', (splits, texts) => {
    expect(axisTexts(splits, 'en')).toEqual(texts)
  })

  it('are never the same twice in a row', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e9 }), fc.integer({ min: 1, max: 1e7 }), (from, step) => {
        const texts = axisTexts(
          [0, 1, 2, 3, 4].map((index) => from + index * step),
          'tr',
        )
        for (const [index, text] of texts.entries()) if (text !== '') expect(texts[index - 1]).not.toBe(text)
      }),
    )
  })
})
