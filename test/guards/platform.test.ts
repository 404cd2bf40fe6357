import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const FOLDER = 'src/platform/'
/** Generated from the schema. */
const TYPES = 'db/types.ts'
/** Tables of the platform itself. The tenant is the boundary of its statements. */
const OWN_TABLES = ['broker_slot', 'idempotency_key', 'job_run', 'schema_migration', 'tenant']

async function platformFiles(): Promise<{ name: string; text: string }[]> {
  const names = await readdir(FOLDER, { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== TYPES)
  return Promise.all(files.map(async (name) => ({ name, text: await readFile(FOLDER + name, 'utf8') })))
}

async function featureTables(): Promise<string[]> {
  const types = await readFile(FOLDER + TYPES, 'utf8')
  const [, body = ''] = /export interface DB \{\n([^}]*)\}/.exec(types) ?? []
  return [...body.matchAll(/^ {2}([a-z_0-9]+):/gm)]
    .map(([, table]) => table ?? '')
    .filter((table) => !OWN_TABLES.includes(table))
}

const patternOf = (tables: readonly string[]): RegExp =>
  new RegExp(`(?:'|\\b(?:from|into|update|join|table)\\s+)(?:${tables.join('|')})\\b(?!-|\\s*[:(])`)

describe('the platform', () => {
  it('names no route of a feature', async () => {
    const naming = (await platformFiles()).filter(({ text }) => /['"`]\/?(?:api|ocpp|ws)\//.test(text))
    expect(naming.map(({ name }) => name)).toEqual([])
  })

  it('names no table of a feature', async () => {
    const tables = await featureTables()
    expect(tables.length).toBeGreaterThan(50)
    const pattern = patternOf(tables)
    const naming = (await platformFiles()).flatMap(({ name, text }) => {
      const found = text.split('\n').filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && pattern.test(line))
      return found.map((line) => `${name}: ${line.trim()}`)
    })
    expect(naming).toEqual([])
  })

  it('guard detects a feature name', () => {
    expect(patternOf(['device']).test("await db.selectFrom('device')")).toBe(true)
    expect(patternOf(['device']).test('select id from device where id = $1')).toBe(true)
    expect(patternOf(['charger']).test("const FOLDERS = ['charger-files']")).toBe(false)
    expect(patternOf(['device']).test('the text of an array from devices')).toBe(false)
  })
})
