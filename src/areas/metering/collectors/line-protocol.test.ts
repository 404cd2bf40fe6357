import { describe, expect, it } from 'vitest'
import { COLLECTOR_POINT_PARTS_MAX } from './limits.ts'
import { type Precision, parseLines } from './line-protocol.ts'

const parse = (text: string, precision: Precision = 'ns') =>
  [...parseLines(text, precision)].map(({ line, point, fault }) =>
    point
      ? { ...point, line, tags: Object.fromEntries(point.tags), fields: Object.fromEntries(point.fields) }
      : { line, fault: fault.code },
  )
const one = (text: string) => parse(text)[0]

/** The examples of the line protocol reference of InfluxDB 2. */
describe('the examples of the documentation of InfluxDB', () => {
  it.each([
    [
      'myMeasurement,tag1=value1,tag2=value2 fieldKey="fieldValue" 1556813561098000000',
      'myMeasurement',
      { tag1: 'value1', tag2: 'value2' },
      { fieldKey: 'fieldValue' },
    ],
    ['myMeasurement fieldKey=1.0', 'myMeasurement', {}, { fieldKey: 1 }],
    ['myMeasurement fieldKey=-1.234456e+78', 'myMeasurement', {}, { fieldKey: -1.234456e78 }],
    ['myMeasurement fieldKey=12485903i', 'myMeasurement', {}, { fieldKey: 12485903 }],
    ['myMeasurement fieldKey=12485903u', 'myMeasurement', {}, { fieldKey: 12485903 }],
    ['myMeasurement fieldKey=true,b=F', 'myMeasurement', {}, { fieldKey: true, b: false }],
    ['my\\ Measurement fieldKey="string value"', 'my Measurement', {}, { fieldKey: 'string value' }],
    [
      'myMeasurement fieldKey="\\"string\\" within a string"',
      'myMeasurement',
      {},
      { fieldKey: '"string" within a string' },
    ],
    [
      'myMeasurement,tag\\ Key1=tag\\ Value1,tag\\ Key2=tag\\ Value2 fieldKey=100',
      'myMeasurement',
      { 'tag Key1': 'tag Value1', 'tag Key2': 'tag Value2' },
      { fieldKey: 100 },
    ],
    [
      'myMeasurement,tagKey=🍭 fieldKey="Launch 🚀" 1556813561098000000',
      'myMeasurement',
      { tagKey: '🍭' },
      { fieldKey: 'Launch 🚀' },
    ],
  ])('%s', (text, measurement, tags, fields) => {
    expect(one(text)).toMatchObject({ measurement, tags, fields })
  })
})

describe('line protocol', () => {
  it('keeps a backslash before other characters', () => {
    expect(one('a,path=C:\\dir,k\\,1=x\\=y f="C:\\\\dir\\n"')).toMatchObject({
      tags: { path: 'C:\\dir', 'k,1': 'x=y' },
      fields: { f: 'C:\\dir\\n' },
    })
  })

  it('refuses a tag or a field that is there twice, because it is ambiguous', () => {
    expect(parse('a,device=d0,device=d1 f=1\na f=1,f=2\na,f=1 f=1')).toMatchObject([
      { line: 1, fault: 'LINE_PART_REPEATED' },
      { line: 2, fault: 'LINE_PART_REPEATED' },
      { line: 3, fields: { f: 1 } },
    ])
  })

  it('skips comments and empty lines, and counts lines within quoted text', () => {
    expect(parse('# a comment\n\na f=1\r\n  \nb f="two\nlines"\nc f=3\n')).toMatchObject([
      { line: 3, measurement: 'a' },
      { line: 5, measurement: 'b', fields: { f: 'two\nlines' } },
      { line: 7, measurement: 'c' },
    ])
  })

  it.each([
    ['ns', '1556813561098999999'],
    ['us', '1556813561098999'],
    ['ms', '1556813561098'],
  ] as const)('reads timestamps in %s, without a loss of milliseconds', (precision, time) => {
    expect(parse(`a f=1 ${time}`, precision)).toMatchObject([{ at: 1556813561098 }])
  })

  it('has no time without a timestamp', () => {
    expect(one('a f=1 ')).toMatchObject({ at: undefined })
  })

  it.each([
    ['a', 'LINE_FIELDS_MISSING'],
    ['a ', 'LINE_FIELDS_MISSING'],
    [',t=1 f=1', 'LINE_MEASUREMENT_MISSING'],
    ['a,t= f=1', 'LINE_VALUE_MISSING'],
    ['a,t f=1', 'LINE_VALUE_MISSING'],
    ['a f=', 'LINE_VALUE_INVALID'],
    ['a f=1.5i', 'LINE_VALUE_INVALID'],
    ['a f=NaN', 'LINE_VALUE_INVALID'],
    ['a f=0x1F', 'LINE_VALUE_INVALID'],
    ['a f="open', 'LINE_TEXT_OPEN'],
    ['a f=1 noon', 'LINE_TIMESTAMP_INVALID'],
    ['a f=1 1 2', 'LINE_TIMESTAMP_INVALID'],
    ['a f=1,g=2,', 'LINE_FIELDS_MISSING'],
    [
      `a ${Array.from({ length: COLLECTOR_POINT_PARTS_MAX + 1 }, (_, index) => `f${index}=1`).join()}`,
      'LINE_PARTS_EXCEEDED',
    ],
  ])('refuses "%s" alone', (text, fault) => {
    expect(parse(`${text}\nb f=2`)).toMatchObject([
      { line: 1, fault },
      { line: 2, measurement: 'b' },
    ])
  })
})
