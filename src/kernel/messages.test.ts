import { describe, expect, it } from 'vitest'
import { declareWords, type Message, messages, textOf } from './messages.ts'

declareWords({ 'test record': 'deneme kaydı' })
const TEXTS = messages({
  TEST_PLAIN: { en: 'nothing to add', tr: 'eklenecek bir şey yok' },
  TEST_FORMATS: {
    en: '{kwh:number} kWh, {day:date}, {month:month}, {period:period}, {at:time}, {what:word}',
    tr: '{kwh:number} kWh, {day:date}, {month:month}, {period:period}, {at:time}, {what:word}',
  },
  TEST_PLURAL: {
    en: '{names} {names?is:are} missing',
    tr: 'eksik: {names}',
  },
  TEST_NESTED: { en: 'stopped: {reason}', tr: 'durdu: {reason}' },
})

describe('messages', () => {
  it('have the formats of the API in English and those of Turkey in Turkish', () => {
    const message = TEXTS.TEST_FORMATS({
      kwh: '-1234567.500',
      day: '2026-05-01',
      month: '2026-05-01',
      period: '2026-05-01',
      at: '2026-04-30T21:00:00.000Z',
      what: 'test record',
    })
    expect(textOf(message)).toBe(
      '-1234567.500 kWh, 2026-05-01, 2026-05, 2026-05-01, 2026-04-30T21:00:00.000Z, test record',
    )
    expect(textOf(message, 'tr')).toBe(
      '-1.234.567,500 kWh, 01.05.2026, Mayıs 2026, Mayıs 2026, 01.05.2026 00:00, deneme kaydı',
    )
  })

  it('have the word of the number, and lists joined by commas', () => {
    expect(textOf(TEXTS.TEST_PLURAL({ names: ['A'] }))).toBe('A is missing')
    expect(textOf(TEXTS.TEST_PLURAL({ names: ['A', 'B'] }))).toBe('A, B are missing')
    expect(textOf(TEXTS.TEST_PLURAL({ names: ['A', 'B'] }), 'tr')).toBe('eksik: A, B')
  })

  it('contain other messages in the same language, also after storage as JSON', () => {
    const stored: Message = JSON.parse(JSON.stringify(TEXTS.TEST_NESTED({ reason: TEXTS.TEST_PLAIN() })))
    expect(textOf(stored)).toBe('stopped: nothing to add')
    expect(textOf(stored, 'tr')).toBe('durdu: eklenecek bir şey yok')
  })

  it('insert values as they are: a value with braces is no placeholder', () => {
    expect(textOf(TEXTS.TEST_NESTED({ reason: '{reason} $& $1' }))).toBe('stopped: {reason} $& $1')
  })

  it('of a newer version are shown by their code', () => {
    expect(textOf({ code: 'TEST_UNKNOWN', parameters: {} }, 'tr')).toBe('TEST_UNKNOWN')
  })

  it('cannot be declared twice, nor with different parameters', () => {
    expect(() => messages({ TEST_PLAIN: { en: 'a', tr: 'b' } })).toThrow('declared twice')
    // @ts-expect-error the Turkish text lacks a parameter
    messages({ TEST_DIFFERENT: { en: '{a} and {b}', tr: '{a}' } })
    // @ts-expect-error the Turkish text is missing
    messages({ TEST_ENGLISH: { en: 'only English' } })
    // @ts-expect-error a parameter is missing
    expect(textOf(TEXTS.TEST_NESTED({}))).toBe('stopped: ')
  })
})
