import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCsv, parseCsv } from './csv.ts'

describe('CSV files', () => {
  it.each([
    [
      'a,b\n1,"x, ""y"""\n',
      [
        ['a', 'b'],
        ['1', 'x, "y"'],
      ],
    ],
    ['\uFEFFa;b\r\n1,5;\r\n\r\n2;3', [['a', 'b'], ['1,5', ''], [''], ['2', '3']]],
    [
      'a\tb\n"line\nbreak"\t1\n',
      [
        ['a', 'b'],
        ['line\nbreak', '1'],
      ],
    ],
    ['', []],
  ])('are read: %j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows)
  })

  it('are the same after they are written and read', () => {
    const cell = fc.string().filter((text) => !text.includes('\uFEFF'))
    const header = fc.tuple(fc.constant('a'), fc.constant('b'))
    const body = fc.array(fc.tuple(cell, cell))
    fc.assert(
      fc.property(header, body, (first, rest) => {
        const rows = [[...first], ...rest.map((row) => [...row])]
        expect(parseCsv(formatCsv(rows))).toEqual(rows)
      }),
    )
  })
})
