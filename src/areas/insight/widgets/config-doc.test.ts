import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { WIDGET_PERIODS } from '../../../kernel/widget-periods.ts'
import { CONFIG_SCHEMAS } from './config.ts'
import { DATA_PATHS } from './types.ts'

/** The cells of the rows below a heading. */
async function rowsOf(heading: string): Promise<string[][]> {
  const text = await readFile('docs/understand/widgets.md', 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  const rows = section.split('\n').filter((line) => /^\| [^-]/.test(line))
  return rows.slice(1).map((row) => row.split('|').map((cell) => cell.trim()))
}

describe('documentation page of widgets', () => {
  it('has exactly one row for every field of every config', async () => {
    const rows = (await rowsOf('Config')).map(([, type, field, needed]) => [type, field, needed])
    const fields = Object.entries(CONFIG_SCHEMAS).flatMap(([type, properties]) => {
      const required: readonly string[] = Type.Object(properties).required ?? []
      return Object.keys(properties).map((field) => [type, field, required.includes(field) ? 'yes' : 'no'])
    })
    expect(rows).toEqual(fields)
  })

  it('lists every period and every path', async () => {
    const words = (await rowsOf('Period')).flatMap(([, word]) => word?.split(', ') ?? [])
    expect(words.toSorted()).toEqual([...WIDGET_PERIODS].toSorted())
    const paths = (await rowsOf('Data')).flatMap(([, , path]) => path?.match(/[a-z0-9-]+/g) ?? [])
    expect(paths.filter((path) => path !== 'none')).toEqual(Object.values(DATA_PATHS))
  })
})
