import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { SHELLY_NAMES } from './shelly.ts'
import { SPARKPLUG_UNITS } from './sparkplug.ts'
import { TASMOTA_NAMES } from './tasmota.ts'
import type { NameTable } from './values.ts'
import { ZIGBEE2MQTT_NAMES } from './zigbee2mqtt.ts'

/** The rows of the table below a heading, without its head. */
async function rowsOf(heading: string): Promise<string[][]> {
  const text = await readFile('docs/integrate/dialects.md', 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** A change of unit in the documentation is always one from the thousandth. */
const asRows = (table: NameTable): [string, string, boolean][] =>
  Object.entries(table).map(([name, { metric, exponent = 0 }]) => [name, metric, exponent === -3])

describe('docs/integrate/dialects.md', () => {
  it.each([
    ['Tasmota', TASMOTA_NAMES],
    ['Shelly', SHELLY_NAMES],
    ['zigbee2mqtt', ZIGBEE2MQTT_NAMES],
  ])('lists the names of %s', async (heading, table) => {
    const rows = await rowsOf(heading)
    expect(rows.map(([name, metric, unit]) => [name, metric, unit?.includes('→')])).toEqual(asRows(table))
  })

  it('lists the units of Sparkplug B', async () => {
    const rows = await rowsOf('Sparkplug B')
    expect(rows.map(([unit, power]) => [unit, Number(power)])).toEqual(Object.entries(SPARKPLUG_UNITS))
  })
})
