import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

/**
 * Statements are found by their content, not by the name or the imports of their file: SQL belongs to stores
 * (`store.ts`, `*-store.ts`), to src/platform/db and to the files that are listed here with the reason.
 */
const MAY_HOLD_SQL: readonly RegExp[] = [
  /^src\/platform\/(db|embedded-postgres|jobs)\//,
  /[/-]store\.ts$/,
  /\.test\.ts$/,
]

const KYSELY = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\b(selectRows|updateRows|deleteRows)\(/
const PLAIN =
  /[`'"]\s*(select\s[^`'"]*\sfrom\s|insert\s+into\s|update\s+[a-z_]+\s+set\s|delete\s+from\s|with\s+[a-z_]+\s+as\s+\(|copy\s+[a-z_]+\s+\()/i
const TEMPLATE = /\bsql(<[^`]*>)?`/

const holdsSql = (text: string): boolean => KYSELY.test(text) || PLAIN.test(text) || TEMPLATE.test(text)

describe('SQL', () => {
  it.each([
    "db.selectFrom('region').select('id')",
    "selectRows(tenant, 'region')",
    "pool.query('select id from region where tenant_id = $1', [1])",
    'await client.query(`\n  insert into region (name) values ($1)`)',
    'sql<{ id: string }>`select 1`',
    "'update region set name = $1'",
  ])('is found in: %s', (text) => {
    expect(holdsSql(text)).toBe(true)
  })

  it.each([
    "t('select a file from your disk')".replace(' from ', ' of '),
    'const sql = 1',
    "'update the firmware'",
  ])('is not found in: %s', (text) => {
    expect(holdsSql(text)).toBe(false)
  })

  it('is found only in stores, the platform and the listed files', async () => {
    const names = (await readdir('src', { recursive: true })).map((name) =>
      `src/${name}`.replaceAll('\\', '/'),
    )
    const files = names.filter(
      (name) => name.endsWith('.ts') && !MAY_HOLD_SQL.some((allowed) => allowed.test(name)),
    )
    const texts = await Promise.all(files.map(async (file) => ({ file, text: await readFile(file, 'utf8') })))
    expect(files.length).toBeGreaterThan(500)
    expect(texts.filter(({ text }) => holdsSql(text)).map(({ file }) => file)).toEqual([])
  })
})
