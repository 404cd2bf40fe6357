/** Writes the table types of the migrated database: `npm run db:types` with DATABASE_URL of an empty database. */
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { migrate } from '../src/platform/db/migrate.ts'

const url = process.env['DATABASE_URL']
if (!url) throw new Error('set DATABASE_URL to an empty database')
await migrate(url)
execFileSync(
  'npx',
  [
    'kysely-codegen',
    ...['--dialect', 'postgres', '--url', url, '--out-file', process.argv[2] ?? 'src/platform/db/types.ts'],
    ...['--date-parser', 'string', '--numeric-parser', 'string', '--exclude-pattern', '*_20??_??'],
    ...['--custom-imports', JSON.stringify({ JsonColumn: './json-columns.ts' })],
    ...['--overrides', JSON.stringify({ columns: await jsonColumns(url) })],
  ],
  { stdio: 'inherit' },
)

/** The type of each jsonb column: the declared one, with null and the default of the column. */
async function jsonColumns(connectionString: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ name: string; is_nullable: boolean; has_default: boolean }>(`
    select table_name || '.' || column_name as name, is_nullable = 'YES' as is_nullable,
      column_default is not null as has_default
    from information_schema.columns
    where table_schema = 'public' and data_type in ('json', 'jsonb')`)
  await client.end()
  return Object.fromEntries(
    rows.map(({ name, is_nullable, has_default }) => {
      const type = `JsonColumn<'${name}'>${is_nullable ? ' | null' : ''}`
      return [name, has_default ? `Generated<${type}>` : type]
    }),
  )
}
