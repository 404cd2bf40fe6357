import { readFile } from 'node:fs/promises'
import { loadModule, parseSync } from 'libpg-query'
import { expect, it } from 'vitest'
import { migrationNames } from '../../src/platform/db/migrate.ts'
import { splitStatements } from '../../src/platform/db/sql-statements.ts'

await loadModule()

const parse = (sql: string): unknown[] =>
  (parseSync(sql).stmts ?? []).map(({ stmt }: { stmt?: unknown }) => stmt)
/** Without the positions in the text. */
const withoutLocations = (statements: unknown[]) =>
  JSON.stringify(statements, (key, value: unknown) =>
    /(location|list_start|list_end)$/.test(key) ? undefined : value,
  )

it('a migration is split into the statements that the parser of PostgreSQL finds', async () => {
  const names = await migrationNames()
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const sql = await readFile(`migrations/${name}`, 'utf8')
    const split = splitStatements(sql).map(parse)
    expect(
      split.every(({ length }) => length === 1),
      name,
    ).toBe(true)
    expect(withoutLocations(split.flat()) === withoutLocations(parse(sql)), name).toBe(true)
  }
})

it.each([
  ['select 1; select 2', ['select 1', 'select 2']],
  ['select \';\' as "a;b"\n; -- only ; a comment\n', ['select \';\' as "a;b"']],
  [
    'do $x$ begin; $$;$$ end $x$; /* ; */ select 1 - 2 / 3, $1;',
    ['do $x$ begin; $$;$$ end $x$', '/* ; */ select 1 - 2 / 3, $1'],
  ],
  ["-- it's\nselect 'it''s'; ;", ["-- it's\nselect 'it''s'"]],
  ['', []],
])('splits %j', (sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements)
})
