import { expect, it } from 'vitest'
import { documentOf, draftOf, faultsOfIssues } from './map-draft.ts'

const schemas = {
  head: {
    properties: {
      vendor: { type: ['string', 'null'] },
      transports: { type: 'array', items: { type: 'string', enum: ['modbus_tcp', 'mqtt'] } },
      defaults: { type: 'object', properties: { retries: { type: ['integer', 'null'] } } },
    },
  },
  register: {
    properties: {
      key: { type: 'string' },
      address: { type: ['integer', 'null'] },
      scale: { type: ['number', 'null'] },
      na_values: { type: ['array', 'null'], items: { type: ['string', 'number'] } },
      enum: { type: ['object', 'null'] },
    },
  },
  frame: {
    properties: {
      frame: { type: ['string', 'null'] },
      expect: { type: ['object', 'null'] },
    },
  },
} as const

const document = {
  format: 'ems-register-map/1',
  future: { a: 1 },
  transports: ['modbus_tcp'],
  defaults: { retries: 2 },
  registers: [
    { key: 'power', address: 10, scale: 0.1, na_values: ['0x8000', 65535], enum: null },
    { key: 'state', address: 11, scale: 1, na_values: [], enum: { 0: 'off' } },
  ],
  tests: [{ frame: '04E2', expect: { power: 125 } }],
}

it('a register map that is edited becomes the same document', () => {
  const { registers, ...rest } = documentOf(draftOf(document, schemas), schemas)
  const { registers: _before, ...unchanged } = document
  expect(rest).toEqual(unchanged)
  expect(registers).toEqual([
    { key: 'power', address: 10, scale: 0.1, na_values: ['0x8000', 65535] },
    { key: 'state', address: 11, scale: 1, enum: { 0: 'off' } },
  ])
})

it('a number that cannot be read is sent as it was typed, so that it is refused', () => {
  const draft = draftOf(document, schemas)
  const [first] = draft.registers
  const edited = { ...draft, registers: [{ ...first, scale: '0,5', address: 'ten' }] }
  expect(documentOf(edited, schemas)).toMatchObject({ registers: [{ scale: 0.5, address: 'ten' }] })
})

it('the maker and the transports of a map are edited', () => {
  const draft = draftOf(document, schemas)
  const edited = { ...draft, head: { ...draft.head, vendor: 'Acme', transports: 'modbus_tcp, mqtt' } }
  expect(documentOf(edited, schemas)).toMatchObject({
    vendor: 'Acme',
    transports: ['modbus_tcp', 'mqtt'],
    defaults: { retries: 2 },
  })
})

it('faults are at their cells, and the others have their positions', () => {
  expect(
    faultsOfIssues([
      { loc: ['body', 'registers', 3, 'unit'], msg: 'wrong' },
      { loc: ['body', 'tests', 0, 'expect', 'power'], msg: 'differs' },
      { loc: ['body', 'transports'], msg: 'missing' },
    ]),
  ).toEqual({
    cells: { 'registers.3.unit': 'wrong', 'tests.0.expect': 'power: differs' },
    head: { transports: 'missing' },
    others: ['transports: missing'],
  })
})
