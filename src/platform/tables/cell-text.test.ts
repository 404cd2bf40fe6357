import { describe, expect, it } from 'vitest'
import { isTotal, plain, readClock, readDay } from './cell-text.ts'
import { decimalMarkOf, parseFigure } from './decimals.ts'
import type { Cell } from './table.ts'

const text = (value: string): Cell => ({ kind: 'text', text: value, raw: value })

describe('figure', () => {
  it.each([
    ['1.234,5', ',', 1_234_500_000n],
    ['1 234,5', ',', 1_234_500_000n],
    ['1\u202f234\u00a0567,5 kWh', ',', 1_234_567_500_000n],
    ['1,5 kWh', ',', 1_500_000n],
    ['12,50 ₺', ',', 12_500_000n],
    ['-0', '.', 0n],
    ['- 5', '.', -5_000_000n],
    ['1.2345678', '.', 1_234_568n],
    ['1 5', '.', undefined],
    ['1234 5', '.', undefined],
    ['12 34,5', ',', undefined],
    ['1e3', '.', undefined],
    ['０', '.', undefined],
    ['1.234.567', '.', undefined],
    ['=5', '.', undefined],
  ] as const)('%s with %s is %s', (figure, mark, value) => {
    expect(parseFigure(text(figure), mark)).toBe(value)
  })

  it.each([
    [['0', '1.234', '1,5'], ','],
    [['1.234', '0.5'], '.'],
    [['1,234', '0'], ','],
    [['1.234', '12.345'], '.'],
    [['1.234,5', '1.234'], ','],
    [['1 234,5'], ','],
    [[], '.'],
  ] as const)('%j has the decimal mark %s', (figures, mark) => {
    expect(decimalMarkOf(figures.map(text))).toBe(mark)
  })
})

describe('day', () => {
  it.each([
    ['1.11.2026', '2026-11-01', undefined],
    ['2026/11/01', '2026-11-01', undefined],
    ['01-11-2026 13:00', '2026-11-01', '13:00'],
    ['2026-11-01T13:00:00Z', '2026-11-01', '13:00:00Z'],
    ['29.02.2028', '2028-02-29', undefined],
    ['29.02.2026', undefined, undefined],
    ['31.11.2026', undefined, undefined],
    ['00.11.2026', undefined, undefined],
    ['01.11.26', undefined, undefined],
  ])('%s', (shown, date, rest) => {
    expect(readDay(text(shown))).toEqual(date && { date, rest })
  })
})

describe('clock time', () => {
  it.each([
    ['13', 13],
    ['13.00', 13],
    ['24:00', 24],
    ['1:00:00', 1],
    ['13:00-14:00', 13],
    ['13 – 14', 13],
    ['13:00 - 13:59', 13],
    ['23:00-24:00', 23],
    ['23:00-00:00', 23],
    ['00:00-24:00', undefined],
    ['00:00-23:59', undefined],
    ['13:00-13:00', undefined],
    ['13:00-15:00', undefined],
    ['13:00-14:30', undefined],
    ['13:15', undefined],
    ['13:00:30', undefined],
    ['25', undefined],
    ['', undefined],
  ])('%s', (shown, hour) => {
    expect(readClock(shown)?.hour).toBe(hour)
  })
})

describe('words', () => {
  it('are normalized in any case', () => {
    for (const header of ['TARİH', 'Tarih', 'tarih', 'TARIH ']) expect(plain(header)).toBe('tarih')
    expect(plain('Aktif Çekiş (kWh)')).toBe('aktif cekis kwh')
    expect(plain('Bedel (TL)')).toBe('bedel try')
  })

  it('of a total row are recognized by the first cell', () => {
    expect(isTotal([{ kind: 'empty' }, text('GENEL TOPLAM'), text('5')])).toBe(true)
    expect(isTotal([text('Toplam:'), text('5')])).toBe(true)
    expect(isTotal([text('Toplamlı Sanayi'), text('5')])).toBe(false)
  })
})
