import { describe, expect, it } from 'vitest'
import { textOf } from '../../../kernel/messages.ts'
import { readTable } from '../../../platform/tables/index.ts'
import { readPrices } from './import-rows.ts'

const HEADS = 'valid_from;billing_period;abone_grubu;price_purpose;price;source_note'
const LIMITS = { rowsMax: 100, columnsMax: 50, cellLengthMax: 4000, unpackedBytesMax: 1e6, entriesMax: 10 }
const read = async (...lines: string[]) =>
  readPrices(await readTable(Buffer.from([HEADS, ...lines].join('\n')), LIMITS))
const row = ({ from = '01.11.2026', period = '2026-11', price = '1,5', note = '' }) =>
  `"${from}";"${period}";"sanayi";"other";"${price}";"${note}"`
const messages = async (line: string) => (await read(line)).errors.map(({ content }) => textOf(content))

describe('cell that a spreadsheet takes for a formula', () => {
  it.each([
    '=cmd()',
    ' =cmd()',
    '\u00a0=cmd()',
    '\ufeff=cmd()',
    '\u200b+1',
    '\u200e@x',
    '\u00ad-1',
    ' \n=1',
    '\t1',
    '\r1',
    '＝cmd()',
    '＋1',
    '－1',
    '＠x',
  ])('is rejected: %j', async (note) => {
    expect(await messages(row({ note }))).toEqual([expect.stringContaining('takes for a formula')])
  })

  it.each(['a=1', "'=1", 'EPDK 14461 - ek 1', '…'])('does not include %j', async (note) => {
    const { prices } = await read(row({ note }))
    expect(prices[0]?.price.source_note).toBe(note)
  })
})

describe('price cell', () => {
  it.each([
    ['1.234,567', '1234.567'],
    ['1,234.567', '1234.567'],
    ['1,5', '1.5'],
    ['2.985253', '2.985253'],
    ['1 234,5', '1234.5'],
    ['1\u00a0234', '1234'],
  ])('%s is parsed', async (price, value) => {
    expect((await read(row({ price }))).prices[0]?.price.price).toBe(value)
  })

  it.each([
    '2 985253',
    '1 5',
    '1.234.567',
    '1,234,567',
    '1.5,2',
    '1e3',
    '0',
    '1,2345678',
    '１,５',
    '.5',
    '5,',
  ])('%s is rejected', async (price) => {
    expect(await messages(row({ price }))).toHaveLength(1)
  })
})

describe('date cell', () => {
  it.each(['31.02.2026', '29.02.2025', '2026-02-30', '31.13.2026', '01.11.26', '01.11.2026 13:00', '46327'])(
    '%s is rejected',
    async (from) => {
      expect(await messages(row({ from }))).toEqual([
        'valid_from must be a date, such as 2026-07-01 or 01.07.2026',
      ])
    },
  )

  it.each(['1.11.2026', '01/11/2026', '2026-11-01', '01.11.2026 00:00', '01.11.2026 0:00:00'])(
    '%s is 1 November',
    async (from) => {
      expect((await read(row({ from }))).prices[0]?.price.valid_from).toBe('2026-11-01')
    },
  )
})

describe('import rows', () => {
  it('may follow the line that defines the delimiter for Excel', async () => {
    const table = await readTable(Buffer.from(`sep=;\r\n${HEADS}\r\n${row({ price: 'x' })}`), LIMITS)
    expect(readPrices(table).errors).toEqual([expect.objectContaining({ row: 3 })])
  })

  it('report all their faults at once', async () => {
    expect(
      (await read('31.02.2026;;kent;other;x;=1')).errors.map(({ content }) => textOf(content).split(' ')[0]),
    ).toEqual(['valid_from', 'price', 'source_note', 'billing_period', 'abone_grubu'])
  })

  it('may end on the day they begin', async () => {
    const heads = `${HEADS};valid_to`
    const table = await readTable(Buffer.from(`${heads}\n${row({})};01.11.2026`), LIMITS)
    expect(readPrices(table)).toMatchObject({ errors: [], prices: [{ price: { valid_to: '2026-11-01' } }] })
    const before = await readTable(Buffer.from(`${heads}\n${row({})};31.10.2026`), LIMITS)
    expect(readPrices(before).errors.map(({ content }) => content.code)).toEqual(['TARIFF_DATES_REVERSED'])
  })

  it('with an unreadable cell of their key are not taken for repetitions', async () => {
    const table = await readTable(Buffer.from(`${HEADS};step_no\n${row({})};x\n${row({})};y`), LIMITS)
    expect(readPrices(table).errors.map(({ content }) => content.code)).toEqual([
      'TARIFF_CELL_REFUSED',
      'TARIFF_CELL_REFUSED',
    ])
  })

  it('keep their numbers below cells with line breaks of any kind', async () => {
    const { errors } = await read(
      row({ note: 'one\r\ntwo' }),
      row({ price: 'a' }),
      '',
      row({ note: 'one\rtwo\nthree' }),
      row({ price: 'b' }),
    )
    expect(errors.map(({ row: at, content }) => [at, textOf(content).split(' ')[0]])).toEqual([
      [4, 'price'],
      [6, 'repeats'],
      [9, 'price'],
    ])
  })

  it('of delimiters only, as spreadsheets save them at the end, are ignored', async () => {
    const { prices, errorCount } = await read(row({}), ';;;;;', ' ; ;;;;')
    expect([prices.length, errorCount]).toEqual([1, 0])
  })
})
