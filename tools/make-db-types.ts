/**
 * Writes the table types of the migrated database: `npm run db:types`. Without DATABASE_URL, which must name an empty
 * database, the migrations run on an embedded server in a temporary folder.
 */
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { migrate } from '../src/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/postgres.ts'
import { makeLog } from '../src/platform/observability/log.ts'
import { makeDataFolder } from '../test/support/folder.ts'

const givenUrl = process.env['DATABASE_URL']
if (givenUrl) await writeTypes(givenUrl)
else await withEmbeddedServer(writeTypes)

async function withEmbeddedServer(work: (url: string) => Promise<void>): Promise<void> {
  const folder = await makeDataFolder('db-types')
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    log: makeLog('error'),
    createDb: true,
    settings: { fsync: 'off' },
  })
  try {
    await work(server.ownerUrl)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeTypes(url: string): Promise<void> {
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
}

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
