import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textOf } from '../../kernel/messages.ts'
import { readCsv, writeCsv } from './csv.ts'
import { type MapDocument, readDocument } from './document.ts'
import { BUS_FIELDS, MAP_FIELDS, REGISTER_FIELDS, SOURCE_FIELDS, TEST_FIELDS } from './document-fields.ts'
import type { Fault, Field } from './fields.ts'

/** Arbitrary values of a field, including the absent value. */
function anyOf(field: Field): fc.Arbitrary<unknown> {
  const { maxLength = 10, pattern, enum: values, minimum, maximum } = field.schema as Record<string, never>
  const absent = fc.constantFrom(undefined, null)
  const numbers = fc.oneof(
    fc.integer({ min: minimum ?? -1000, max: maximum ?? 1_000_000 }),
    ...('maximum' in field.schema
      ? []
      : [fc.double({ min: minimum ?? -1e300, max: 1e300, noNaN: true, noDefaultInfinity: true })]),
  )
  const texts = pattern
    ? fc.stringMatching(new RegExp(pattern)).filter((text) => text.length > 0 && text.length <= maxLength)
    : fc
        .oneof(
          fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
          fc.constantFrom(
            '=1+1',
            "'quoted'",
            '"a","b"',
            ' both ends ',
            'ğüşiöçİ',
            '-5',
            'line\r\nbreak',
            'like a head\nkey;of others\n#vendor;x',
            '#',
          ),
        )
        .filter((text) => text.length <= maxLength)
  const special: Record<string, fc.Arbitrary<unknown>> = {
    transports: fc.subarray(['modbus_tcp', 'mqtt', 'zigbee'], { minLength: 1 }),
    na_values: fc.array(
      fc.oneof(fc.constantFrom('nan', '0x8000'), fc.double({ noNaN: true, noDefaultInfinity: true })),
      {
        maxLength: 8,
      },
    ),
    mask: fc.constantFrom('0xff', '0x8000000000000000'),
    enum: fc.dictionary(fc.nat(99).map(String), fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), {
      minKeys: 1,
    }),
    expect: fc.dictionary(
      fc.constantFrom('a', 'b_1', 'c'),
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.string(),
        fc.constant(null),
      ),
      { minKeys: 1 },
    ),
    message: fc.jsonValue(),
    frame: fc.stringMatching(/^([0-9A-F]{2}){1,20}$/),
    format: fc.constant('ems-register-map/1'),
  }
  const kinds = { text: texts, number: numbers, flag: fc.boolean(), list: absent, json: absent }
  const given = special[field.name] ?? (values ? fc.constantFrom(...(values as string[])) : kinds[field.cell])
  return 'fallback' in field ? fc.oneof(given, absent) : given
}
const rowOf = (fields: readonly Field[]) =>
  fc.record(Object.fromEntries(fields.map((field) => [field.name, anyOf(field)])))

const documents = fc
  .record({
    head: rowOf(MAP_FIELDS),
    source: fc.option(rowOf(SOURCE_FIELDS)),
    defaults: rowOf(BUS_FIELDS),
    poll_groups: fc.dictionary(
      fc.stringMatching(/^[A-Za-z]\w{0,5}$/),
      fc.record({ period_ms: fc.integer({ min: 100, max: 86_400_000 }) }),
      { minKeys: 1, maxKeys: 5 },
    ),
    registers: fc.array(rowOf(REGISTER_FIELDS), { maxLength: 4 }),
    tests: fc.array(rowOf(TEST_FIELDS), { maxLength: 3 }),
  })
  .map(({ head, ...parts }) => {
    const faults: Fault[] = []
    const document = readDocument(structuredClone({ ...head, ...parts }), faults)
    expect(faults).toEqual([])
    // JSON has no minus zero.
    return JSON.parse(JSON.stringify(document)) as MapDocument
  })

function roundTrip(csv: string): MapDocument {
  const faults: Fault[] = []
  const document = readDocument(readCsv(csv, faults).document, faults)
  expect(faults).toEqual([])
  return document
}

it('round-trips every document, including nulls, floats and special characters', () => {
  fc.assert(
    fc.property(documents, (document) => {
      expect(roundTrip(writeCsv(document))).toEqual(document)
    }),
    { numRuns: 150 },
  )
})

const HEAD = '#format,ems-register-map/1\n#transports,modbus_tcp\n'
const faultsOf = (csv: string) => {
  const faults: Fault[] = []
  const { document, pathInFile } = readCsv(csv, faults)
  readDocument(document, faults)
  return faults.map(({ path, content }) => `${pathInFile(path).join('.')}: ${textOf(content)}`)
}

it('reads the output of a Turkish spreadsheet: semicolons, decimal commas, capitals', () => {
  const csv = `${HEAD.replaceAll(',', ';')}#defaults.keep_connection;YANLIŞ\nkey;type;kind;scale\na;u16;gauge;0,01\n`
  expect(faultsOf(csv)).toEqual(['line.3: must be true or false'])
  const fixed = csv.replace('YANLIŞ', 'FALSE')
  expect(roundTrip(fixed)).toMatchObject({
    defaults: { keep_connection: false },
    registers: [{ scale: 0.01 }],
  })
})

it('reports faults with line and column', () => {
  const csv = `${HEAD}#colour,red\nkey,type,kind,shade\na,u99,gauge,,5\n"b\nc",u16,gauge\n#test,x,,,,{,\n`
  expect(faultsOf(csv)).toEqual([
    'line.3: #colour is not known',
    'line.4.shade: is no attribute of a register',
    'line.5: has a cell too many: 5',
    'line.8.message: must be JSON',
    expect.stringContaining('line.5.type: must be one of bool'),
    'line.6.key: must begin with a letter and have 1 to 64 letters, digits or _',
    "line.8.expect: must have required property 'expect'",
  ])
  expect(faultsOf('a,"b')).toContain(': a quoted cell of the CSV is not closed')
})

it('treats semicolons within a quoted text as text', () => {
  const [name, ...rest] = HEAD.split('\n')
  const csv = `${name}\n#notes,"first\nkey;second\n#vendor;x"\n${rest.join('\n')}key,type,kind\na,u16,gauge\n`
  expect(roundTrip(csv)).toMatchObject({ notes: 'first\nkey;second\n#vendor;x', vendor: null })
})

it('does not accept names of Object.prototype as attributes, groups or flags', () => {
  const rows =
    '#constructor.x,1\n#__proto__.x,1\n#poll_group,__proto__,1000\n#defaults.keep_connection,constructor\n'
  expect(faultsOf(`${HEAD}${rows}key,type,kind\na,u16,gauge\n`)).toEqual([
    'line.3: #constructor.x is not known',
    'line.4: #__proto__.x is not known',
    'line.6: must be true or false',
    'line.5: must be named with letters, digits and _',
  ])
})
