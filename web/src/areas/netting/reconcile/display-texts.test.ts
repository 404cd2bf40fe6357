import { describe, expect, it } from 'vitest'
import { type Language, type Message, textOf } from '../../../../../src/kernel/messages.ts'
import { instantOfHour, priceNameText, timeText } from './display-texts.ts'

describe('names in the invoice check', () => {
  const wordsIn = (language: Language) => (message: Message) => textOf(message, language)

  it('are hours, days and months as the reader writes them', () => {
    expect(timeText('2026-03-29 03:00', 'tr')).toBe('29.03.2026\u00a003:00')
    expect(timeText('2026-03-29 23:00', 'en')).toBe('29/03/2026,\u00a023:00')
    expect(timeText('2026-03-29', 'tr')).toBe('29.03.2026')
    expect(timeText('2026-03', 'en')).toBe('March\u00a02026')
    expect(timeText('whole file', 'en')).toBe('whole file')
  })

  it('are instants of hours in Turkey', () => {
    expect(instantOfHour('2026-03-01 00:00')).toBe('2026-02-28T21:00:00.000Z')
    expect(instantOfHour('2026-03-01')).toBeUndefined()
  })

  it('are tariff rows in words', () => {
    const name = '2026-03, sanayi, perakende_tek_zamanli, gece, step 2, OG'
    expect(priceNameText(name, wordsIn('tr'), 'tr')).toMatch(
      /^Mart\u00a02026 · sanayi · .* · gece · kademe 2 · OG$/,
    )
    expect(priceNameText(name, wordsIn('en'), 'en')).toMatch(/^March\u00a02026 · .* · night · step 2 · /)
  })
})
