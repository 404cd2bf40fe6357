import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resultColumns } from '../support/sql/result-columns.ts'
import { compareRowTypes, makeProgram } from '../support/sql/row-types.ts'

/**
 * The type of a row is an assertion: the compiler does not compare the type in `sql<Row>` or `query<Row>` with the
 * columns of the statement. When a property was renamed and its alias was not, everything compiled and the property was
 * undefined, which lost the energy of charging sessions.
 */

/** Statements with `*` or with a fragment that cannot be followed; write the columns out instead of raising it. */
const SKIPPED_MAX = 0

describe('the columns of a statement', () => {
  it.each([
    ['select id, d.name, "isKept" from device d', ['id', 'name', 'isKept']],
    ['select 1 as isKept', ['iskept']],
    ['select count(*)::int, max(a, b) as latest, key::text from t', ['count', 'latest', 'key']],
    ['select min(hour) as from, max(hour) as to from t where a = 1', ['from', 'to']],
    ['select a is distinct from b as c, d from t', ['c', 'd']],
    ["select distinct on (a, b) c, 'x, y' as d, array[e, f] as g from t", ['c', 'd', 'g']],
    ['with x as (select a from t) select b from x', ['b']],
    ['(select a, b from t limit 1) union all (select null, c from t) order by d', ['a', 'b']],
    ['update t set a = b from u where c = d returning t.id, e as f', ['id', 'f']],
    ['with x as (delete from t returning a) insert into u (b) select a from x returning b', ['b']],
    ["select coalesce((select 'a' from t), '[]') as points, exists (select from t)", ['points', 'exists']],
    ['select id from t for no key update', ['id']],
    ['select case when a then b end, c -- d, e\n, f from t', ['case', 'c', 'f']],
  ])('are found in: %s', (text, names) => {
    expect(resultColumns(text)).toEqual({ names: new Set(names), isOpen: false })
  })

  it.each(['select * from t', 'select a, t.* from t', 'delete from t returning *'])(
    'are open in: %s',
    (text) => {
      expect(resultColumns(text)?.isOpen).toBe(true)
    },
  )

  it.each(['update t set a = 1', 'insert into t (a) select b from u', 'lock table t'])(
    'are none in: %s',
    (text) => {
      expect(resultColumns(text)).toBeUndefined()
    },
  )
})

const FRAGMENTS = `
  import { sql } from 'kysely'
  export const COLUMNS = sql\`d.id, d.name as "deviceName"\`
  export const RAW = sql.raw('d.key as "deviceKey"')
  export const isOnline = (at: Date) => sql<boolean>\`d.last_seen > \${at}\`
  export function location(name: string) {
    const column = sql\`g.location\`
    return sql\`\${column} || \${name} as location\`
  }
  export const SUMS = (['import', 'export'] as const).map(
    (column) => sql\`sum(\${sql.ref(column)}) as \${sql.ref(column)}\`,
  )`

const asTemplate = (row: string, statement: string): string => `sql<${row}>\`${statement}\`.execute(db)`
const asText = (row: string, statement: string): string => `pool.query<${row}>('${statement}', [at])`
const asConfig = (row: string, statement: string): string =>
  `pool.query<${row}>({ name: 'x', text: \`${statement}\`, values: [at] })`

const planted = (expression: string): string => `
  import { type Expression, sql } from 'kysely'
  import { COLUMNS, isOnline, location, RAW, SUMS } from './fragments.ts'
  interface Base { readonly id: string; readonly deviceName: string }
  interface Row extends Omit<Base, 'id'> { readonly deviceKey: number; readonly note?: string }
  import type { Absent } from 'absent'
  export const read = (db: never, pool: never, where: Expression<boolean>, at: Date, is: boolean) =>
    ${expression}`

/** Compares the one planted statement; file and line are left out. */
function compareOne(row: string, statement: string, write = asTemplate) {
  const file = resolve('test/guards/statement.ts')
  const virtual = new Map([
    [file, planted(write(row, statement))],
    [resolve('test/guards/fragments.ts'), FRAGMENTS],
  ])
  const { compared, missing, skipped } = compareRowTypes(makeProgram([], virtual), [file])
  return { compared, missing: missing.map((one) => one.replace(/^\S+ /, '')), skipped: skipped.length }
}

describe('a row type', () => {
  it.each([
    ['a property without a column', '{ id: string; name: string }', 'select id from device', ['name']],
    ['a property that was renamed', '{ ordinal: number }', 'select w.place::int from w', ['ordinal']],
    ['a name that stands in another clause', '{ at: Date }', 'select ts from w where at < 1', ['at']],
    ['an alias that is not quoted', '{ isKept: boolean }', 'select true as isKept', ['isKept']],
    ['a property of a derived type', 'Row', `select \${RAW} from device d`, ['deviceName']],
    ['a property of an intersection', 'Base & { key: number }', `select \${COLUMNS} from device d`, ['key']],
    ['a result of a change', '{ id: string }', 'update device set a = 1 returning key', ['id']],
    ['a statement without a result', '{ id: string }', 'update device set id = 1', ['id']],
    [
      'a column of one of several names',
      '{ battery: number }',
      `select \${sql.join(SUMS)} from t`,
      ['battery'],
    ],
  ])('is rejected for %s', (_, row, statement, missing) => {
    expect(compareOne(row, statement)).toEqual({ compared: 1, missing, skipped: 0 })
  })

  it.each([
    ['columns of other constants', 'Row', `select \${COLUMNS}, \${RAW} from device d where \${where}`],
    [
      'columns of functions',
      '{ location: string; is_on: boolean }',
      `select \${location("a")}, \${isOnline(at)} as is_on`,
    ],
    ['columns of a list', '{ import: number; export: number }', `select \${sql.join(SUMS)} from t`],
    [
      'values',
      '{ at: Date; n: number }',
      `select \${at}::timestamptz as at, count(*) as n from t limit \${is}`,
    ],
    [
      'fragments that depend on a condition',
      '{ id: string }',
      `select \${is ? sql\`distinct\` : sql\`\`} id from t`,
    ],
    ['all columns of a table', '{ device_type: string }', 'select * from device'],
  ])('is accepted with %s', (_, row, statement) => {
    expect(compareOne(row, statement)).toEqual({ compared: 1, missing: [], skipped: 0 })
  })

  it.each([
    ['a text', asText],
    ['a text with options', asConfig],
  ])('is compared with %s', (_, write) => {
    const statement = 'select id as "deviceId" from device'
    expect(compareOne('{ deviceId: string }', statement, write).missing).toEqual([])
    expect(compareOne('{ chargerId: string }', statement, write).missing).toEqual(['chargerId'])
  })

  it('is skipped when it is a type of a package', () => {
    expect(compareOne('Absent', 'select id from device')).toEqual({ compared: 0, missing: [], skipped: 1 })
  })

  it.each([
    ['all columns of an unknown table', 'select * from nothing'],
    ['a fragment of a parameter', `select \${where} from device`],
  ])('is skipped for %s', (_, statement) => {
    expect(compareOne('{ absent: string }', statement)).toEqual({ compared: 0, missing: [], skipped: 1 })
  })
})

describe('the row types of the statements', () => {
  it('have a column for each of their properties', async () => {
    const names = (await readdir('src', { recursive: true })).map((name) =>
      `src/${name}`.replaceAll('\\', '/'),
    )
    const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    const texts = await Promise.all(
      sources.map(async (file) => ({ file, text: await readFile(file, 'utf8') })),
    )
    const files = texts.filter(({ text }) => /\b(sql|query)</.test(text)).map(({ file }) => file)
    const { compared, missing, skipped } = compareRowTypes(makeProgram(files), files)
    expect(missing).toEqual([])
    expect(skipped.length, skipped.join('\n')).toBeLessThanOrEqual(SKIPPED_MAX)
    expect(compared).toBeGreaterThan(100)
  })
})
