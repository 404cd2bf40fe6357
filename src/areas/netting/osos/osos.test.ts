import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatKwh } from '../../../kernel/decimal.ts'
import { HOUR_MS, iso, TURKEY_OFFSET_MS } from '../../../kernel/time.ts'
import type { Cell, TableRow } from '../../../platform/tables/index.ts'
import { ColumnsFault, HourReader, hourOfText, type Label } from '../shared/index.ts'
import { classifyHour, energyOf, parseMillionths } from './energy.ts'
import { openFile } from './file.ts'
import { columnOf, readHeader } from './file-columns.ts'

const text = (value: string): Cell =>
  value === '' ? { kind: 'empty' } : { kind: 'text', text: value, raw: value }
const time = (date: string | undefined, clock: string): Cell => ({ kind: 'time', date, time: clock })
const number = (value: string): Cell => ({ kind: 'number', text: value, isRounded: false })
const local = (hour: number | undefined): string | undefined =>
  hour === undefined ? undefined : iso(hour + TURKEY_OFFSET_MS).slice(0, 13)

describe('label of an hour', () => {
  it.each([
    ['hour_ending', '2026-11-01T01:00:00+03:00', '2026-11-01T00'],
    ['hour_ending', '2026-11-02T00:00:00+03:00', '2026-11-01T23'],
    ['hour_ending', '2026-11-01T24:00:00+03:00', '2026-11-01T23'],
    ['hour_ending', '2026-11-01 13:00', '2026-11-01T12'],
    ['hour_starting', '2026-10-31T22:00:00Z', '2026-11-01T01'],
    ['hour_starting', '2026-11-01T24:00:00+03:00', undefined],
    ['hour_starting', '2026-11-01T13:15:00+03:00', undefined],
    ['hour_ending', 'yesterday', undefined],
  ] as const)('%s %s', (label, sent, hour) => {
    expect(local(hourOfText(sent, label).hour)).toBe(hour)
  })

  it.each([
    ['hour_ending', text('01.11.2026'), text('24:00'), '2026-11-01T23'],
    ['hour_ending', text('01.11.2026'), number('24'), '2026-11-01T23'],
    ['hour_ending', text('01.11.2026'), number('1'), '2026-11-01T00'],
    ['hour_ending', text('02.11.2026'), text('00:00'), '2026-11-01T23'],
    ['hour_ending', text('1/11/2026 01:00:00'), undefined, '2026-11-01T00'],
    ['hour_ending', text('01.11.2026 24:00'), undefined, '2026-11-01T23'],
    ['hour_ending', text('02.11.2026'), undefined, '2026-11-01T23'],
    ['hour_ending', time('2026-11-02', '00:00'), undefined, '2026-11-01T23'],
    ['hour_ending', text('01.11.2026'), text('13:00-14:00'), '2026-11-01T13'],
    ['hour_starting', text('01.11.2026'), text('13:00 - 13:59'), '2026-11-01T13'],
    ['hour_starting', time('2026-11-01', '00:00'), time(undefined, '13:00'), '2026-11-01T13'],
    ['hour_starting', text('2026-11-01T13:00:00Z'), undefined, '2026-11-01T16'],
    ['hour_starting', text('01.11.2026'), text('24:00'), undefined],
    ['hour_starting', text('31.11.2026'), text('13:00'), undefined],
    ['hour_starting', text('29.02.2026'), text('13:00'), undefined],
    ['hour_starting', text('29.02.2028'), text('13:00'), '2028-02-29T13'],
    ['hour_starting', text('01.11.2026'), text('13:15'), undefined],
    ['hour_starting', text('01.11.2026'), text(''), undefined],
    ['hour_ending', text('01.11.2026'), text('00:00-24:00'), undefined],
    ['hour_ending', text('01.11.2026'), text('13:00-15:00'), undefined],
    ['hour_ending', text('01.11.2026 14:00'), text('05:00'), undefined],
    ['hour_ending', text('01.11.2026 05:00:00'), text('05:00'), '2026-11-01T04'],
    ['hour_ending', text('01.11.2026 14:00'), text('13:00-14:00'), '2026-11-01T13'],
    ['hour_ending', time('2026-11-01', '00:00'), text('05:00'), '2026-11-01T04'],
    ['hour_starting', text(''), text('13:00'), undefined],
  ] as const)('%s %j %j', (label, date, clock, hour) => {
    expect(local(new HourReader(label).read(date, clock).hour)).toBe(hour)
  })

  it('00:00 right after 23:00 of the same date is the end of that day, as spreadsheets show 24:00', () => {
    const reader = new HourReader('hour_ending')
    const hours = ['01:00', '23:00', '00:00'].map((clock) =>
      local(reader.read(text('01.11.2026'), time(undefined, clock)).hour),
    )
    expect(hours).toEqual(['2026-11-01T00', '2026-11-01T22', '2026-11-01T23'])
    expect(local(reader.read(text('02.11.2026'), text('01:00')).hour)).toBe('2026-11-02T00')
  })

  it('maps every hour of any day once, for start and end labels in any notation', () => {
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => days * 24 * HOUR_MS - TURKEY_OFFSET_MS)
    const label = fc.constantFrom<Label>('hour_ending', 'hour_starting')
    fc.assert(
      fc.property(day, label, fc.boolean(), fc.boolean(), (start, how, isTurkish, hasColumn) => {
        const shift = how === 'hour_ending' ? 1 : 0
        const date = iso(start + TURKEY_OFFSET_MS).slice(0, 10)
        const written = isTurkish ? date.split('-').reverse().join('.') : date
        const reader = new HourReader(how)
        const hours = Array.from({ length: 24 }, (_, hour) => {
          const clock = `${String(hour + shift).padStart(2, '0')}:00`
          return hasColumn
            ? reader.read(text(written), text(clock)).hour
            : reader.read(text(`${written} ${clock}`), undefined).hour
        })
        expect(hours).toEqual(Array.from({ length: 24 }, (_, hour) => start + hour * HOUR_MS))
      }),
    )
  })
})

describe('energy of an hour', () => {
  const decimal = (decimals: number) =>
    fc
      .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 10 ** decimals - 1 }))
      .map(([whole, part]) => `${whole}.${String(part).padStart(decimals, '0')}`)
  const millionths = (value: string) => parseMillionths(value, 6) ?? 0n

  it('is the step times the multiplier, exact, then rounded half up to the Wh', () => {
    // Real meters: 0.001 x 1890 and 0.001 x 3150.
    expect(formatKwh(energyOf(1_000n, { multiplied: false, multiplier: 1_890_000_000n }))).toBe('1.890')
    expect(formatKwh(energyOf(1_000n, { multiplied: false, multiplier: 3_150_000_000n }))).toBe('3.150')
    expect(formatKwh(energyOf(500n, { multiplied: true, multiplier: 3_150_000_000n }))).toBe('0.001')
    expect(formatKwh(energyOf(499n, { multiplied: true, multiplier: 1n }))).toBe('0.000')
    fc.assert(
      fc.property(decimal(6), decimal(6), (value, multiplier) => {
        const scale = { multiplied: false, multiplier: millionths(multiplier) }
        const exact = millionths(value) * millionths(multiplier)
        const energy = energyOf(millionths(value), scale)
        const error = energy * 1_000_000_000n - exact
        expect(error > -500_000_000n && error <= 500_000_000n).toBe(true)
      }),
    )
  })

  it('in kWh ignores the multiplier', () => {
    fc.assert(
      fc.property(decimal(3), fc.bigInt({ min: 1n, max: 10n ** 12n }), (value, multiplier) => {
        expect(formatKwh(energyOf(millionths(value), { multiplied: true, multiplier }))).toBe(value)
      }),
    )
  })

  it('is suspect below zero, with any other value, and rejected above the size of any plant', () => {
    const scale = { multiplied: true, multiplier: 1_000_000n }
    const sent = { hour: 0, rawText: '-20896662 | 5' }
    expect(classifyHour({ ...sent, imported: -1n, exported: 5_000_000n }, scale)).toEqual({
      kind: 'suspect',
      rawText: '-20896662 | 5',
    })
    expect(classifyHour({ ...sent, imported: null, exported: null }, scale).kind).toBe('rejected')
    expect(classifyHour({ ...sent, imported: 10n ** 14n, exported: null }, scale).kind).toBe('rejected')
    expect(classifyHour({ ...sent, imported: 0n, exported: null }, scale)).toEqual({
      kind: 'valid',
      importKwh: 0n,
      exportKwh: null,
    })
  })

  it.each([
    ['1.234', 3, 1_234_000n],
    ['1.2345', 3, undefined],
    ['1.234567', 6, 1_234_567n],
    ['-0.5', 3, -500_000n],
    ['1e3', 6, undefined],
    ['1,5', 6, undefined],
    ['', 6, undefined],
  ] as const)('%j with %d decimals', (sent, decimals, value) => {
    expect(parseMillionths(sent, decimals)).toBe(value)
  })
})

describe('headers of a file', () => {
  it.each([
    ['Tarih', 'date'],
    ['TARİH', 'date'],
    ['Tarih-Saat', 'date'],
    ['Tarih / Saat', 'date'],
    ['SAAT', 'time'],
    ['Saat Aralığı', 'time'],
    ['Çekiş', 'import'],
    ['ÇEKİŞ (kWh)', 'import'],
    ['AKTIF ÇEKIŞ (KWH)', 'import'],
    ['Aktif Çekiş', 'import'],
    ['Tüketim (kWh)', 'import'],
    ['Veriş', 'export'],
    ['AKTİF VERİŞ', 'export'],
    ['Üretim kWh', 'export'],
    ['Tesisat No', 'installation_no'],
    ['TESİSAT NUMARASI', 'installation_no'],
    ['Endüktif (kVArh)', undefined],
    ['Tüketim (MWh)', undefined],
    ['1.8.0', undefined],
  ])('%s', (header, column) => {
    expect(columnOf(header)).toBe(column)
  })

  it('require a date and an energy column, each once', async () => {
    expect(readHeader([text('Tarih'), text('Endüktif')])).toBeUndefined()
    expect(readHeader([text('Çekiş'), text('Veriş')])).toBeUndefined()
    const row = (number: number, ...cells: string[]): TableRow => ({ number, cells: cells.map(text) })
    const open = (...rows: TableRow[]) => openFile(rows, { label: 'hour_ending', hasInstallations: false })
    await expect(open(row(1, 'Tarih', 'Çekiş', 'Aktif Çekiş'))).rejects.toThrow(ColumnsFault)
    await expect(
      openFile([row(1, 'Tarih', 'Çekiş')], { label: 'hour_ending', hasInstallations: true }),
    ).rejects.toThrow(ColumnsFault)
  })

  it('may follow a title; totals are omitted and rows keep their numbers', async () => {
    const row = (number: number, ...cells: string[]): TableRow => ({ number, cells: cells.map(text) })
    const file = await openFile(
      [
        row(1, 'OSOS Yük Profili'),
        row(3, 'Tarih', 'Saat', 'Aktif Çekiş (kWh)', 'Aktif Veriş (kWh)', 'Çarpan'),
        row(4, '01.11.2026', '01:00', '1.234,5', '0', '1'),
        row(6, '01.11.2026', '02:00', '-0,125', '', '1'),
        row(7, '01.11.2026', '03:00', 'x', '1', '1'),
        row(8, 'Toplam', '', '1.234,5', '0', ''),
      ],
      { label: 'hour_ending', hasInstallations: false },
    )
    expect(file.header.ignored).toEqual(['Çarpan'])
    expect(file.decimalMark).toBe(',')
    expect(file.rowCount).toBe(3)
    const hour = Date.parse('2026-11-01T00:00:00+03:00')
    expect([...file.rows()].map(({ row: at, sent }) => [at, sent])).toEqual([
      [4, { hour, imported: 1_234_500_000n, exported: 0n, rawText: '' }],
      [6, { hour: hour + HOUR_MS, imported: -125_000n, exported: null, rawText: '-0,125 | ' }],
      [7, { code: 'READING_IMPORT_NOT_NUMBER', parameters: { mark: 'comma' } }],
    ])
  })
})
