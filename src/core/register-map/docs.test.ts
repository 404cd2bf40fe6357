import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readCsv } from './csv.ts'
import { BUS_FIELDS, REGISTER_FIELDS } from './document-fields.ts'
import type { Fault } from './fields.ts'
import { readRegisterMap } from './read.ts'
import { REGISTER_TYPES } from './types.ts'

const text = readFileSync(new URL('../../../docs/integrate/register-maps.md', import.meta.url), 'utf8')
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(text)?.[1] ?? ''

it('the example is valid and passes its golden frames', () => {
  const result = readRegisterMap(JSON.parse(blockOf('json')))
  expect(result).toMatchObject({ document: { model: 'Meter 3' } })
  expect('document' in result && result.document.tests).toHaveLength(5)
})

it('the example of the CSV is valid', () => {
  const faults: Fault[] = []
  const { document } = readCsv(blockOf('csv'), faults)
  expect(faults).toEqual([])
  expect(readRegisterMap(document)).toMatchObject({
    document: { defaults: { word_order: 'little' }, tests: [{ frame: '4499999A' }] },
  })
})

it('every attribute of a register and every type is documented', () => {
  for (const { name } of REGISTER_FIELDS) expect(text, name).toContain(`\`${name}\``)
  for (const type of REGISTER_TYPES) expect(text, type).toMatch(new RegExp(`\\b${type}\\b`))
})

const modbus = readFileSync(new URL('../../../docs/integrate/modbus.md', import.meta.url), 'utf8')
const shown = (value: unknown): string => (value === undefined || value === null ? 'none' : String(value))

it('every default of the line is documented with its value', () => {
  for (const { name, fallback } of BUS_FIELDS)
    expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\| ${shown(fallback)} \\|`, 'm'))
})

it('the settings of a gateway are documented with the defaults of the maps', () => {
  const settings = ['baud_rate', 'keep_connection', 'inter_request_ms', 'timeout_ms']
  for (const { name, fallback } of BUS_FIELDS.filter((field) => settings.includes(field.name)))
    expect(modbus).toMatch(new RegExp(`^\\| \`${name}\` \\| ${shown(fallback)} \\|`, 'm'))
})
