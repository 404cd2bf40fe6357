/** Writes the table types of the migrated database: `npm run db:types` with DATABASE_URL of an empty database. */
import { execFileSync } from 'node:child_process'
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
  ],
  { stdio: 'inherit' },
)
