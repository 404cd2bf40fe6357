import { beforeAll, describe, expect, it } from 'vitest'
import { columnsOf, labelOf, WORDS } from '../../src/areas/insight/list-reports/columns.ts'
import { listReport } from '../../src/areas/insight/list-reports/list-report.ts'
import { LIST_REPORTS } from '../../src/areas/insight/list-reports/lists/index.ts'
import type { ReadSchema } from '../../src/platform/http/response-schemas.ts'
import { startApi } from '../support/api.ts'

/** Columns that fit on a page in landscape. */
const PRINTED_MAX = 8

let schemas: ReadonlyMap<string, ReadSchema>
beforeAll(async () => {
  const api = await startApi({
    extend: (app) => {
      schemas = app.readSchemas
    },
  })
  await api.close()
})

const columns = (list: (typeof LIST_REPORTS)[number]) => {
  const schema = schemas.get(list.path)
  if (!schema) throw new Error(`there is no GET ${list.path}`)
  return columnsOf(list, schema.response, { locale: 'tr', headers: 'labels' })
}

describe('the reports of lists', () => {
  it('read existing operations and have columns of their responses, with a title in both languages', () => {
    expect(LIST_REPORTS.length).toBeGreaterThan(50)
    for (const list of LIST_REPORTS) expect(columns(list)).toHaveLength(list.columns.length)
    expect(() => columns(listReport('odd', '/api/regions', ['a', 'b'], 'nonsense'))).toThrow('nonsense')
    expect(() => columns(listReport('odd', '/api/nonsense', ['a', 'b'], 'name'))).toThrow('/api/nonsense')
  })

  it('have unique names, and a PDF that fits on a page', () => {
    const names = LIST_REPORTS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const wide = LIST_REPORTS.filter(({ printed }) => printed.size === 0 || printed.size > PRINTED_MAX)
    expect(wide.map(({ name }) => name)).toEqual([])
  })

  it('have titles and words that are translated', () => {
    const titles = LIST_REPORTS.flatMap((list) => [
      list.title,
      ...list.columns.map(labelOf).filter((label) => label !== undefined),
    ])
    const same = [...titles, ...Object.values(WORDS)].filter(
      ({ tr, en }) => tr === '' || en === '' || tr === en,
    )
    expect([...new Set(same.map(({ en }) => en))].filter((text) => !SAME.has(text))).toEqual([])
  })
})

/** Words that are the same in both languages. */
const SAME = new Set(
  'Port,Model,Modbus,Modbus TCP,Modbus RTU,MQTT,Zigbee,Home Assistant,OCPP,SKTT,webhook,limit'.split(','),
)
