/**
 * Runs the acceptance tests on a cluster of Citus (`docs/operate/citus.md`) with DATABASE_URL and CITUS_NODES: makes a
 * database on all nodes, distributes it, and at the end looks through the log of the coordinator for statements on
 * several shards that are not listed. Arguments are passed to vitest. Without CITUS_NODES it says so and ends.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { migrate } from '../../src/platform/db/migrate.ts'
import {
  CITUS_TEST_SHARDS,
  citusNodes,
  createClusterDatabase,
  dropClusterDatabase,
} from '../../test/support/citus.ts'
import { checkCitusLog, openCitusLog } from '../../test/support/citus-log.ts'

async function run(argv: readonly string[]): Promise<number> {
  const name = `netsaat_acceptance_${randomBytes(6).toString('hex')}`
  const url = new URL(process.env['DATABASE_URL'] ?? '')
  await createClusterDatabase(name, url.username)
  url.pathname = `/${name}`
  await migrate(url.href, undefined, { shards: CITUS_TEST_SHARDS })
  const log = await openCitusLog()
  try {
    const { DATABASE_URL: _, CITUS_NODES: __, ...env } = process.env
    const args = ['vitest', 'run', '--project', 'acceptance', ...argv]
    const child = spawn('npx', args, { stdio: 'inherit', env: { ...env, ACCEPTANCE_DATABASE_URL: url.href } })
    const [code] = await once(child, 'exit')
    await checkCitusLog(log)
    return typeof code === 'number' ? code : 1
  } finally {
    await dropClusterDatabase(name)
  }
}

if (citusNodes.length === 0)
  process.stdout.write('CITUS_NODES is not set: the acceptance tests on Citus are skipped\n')
else process.exitCode = await run(process.argv.slice(2))
