/**
 * Runs the acceptance tests on a cluster of Citus (`docs/operate/citus.md`) with DATABASE_URL and CITUS_NODES, or the
 * long suite with `--long`: makes a database on all nodes, distributes it, and at the end looks through the logs of the
 * nodes for statements on several shards that are not listed. Other arguments are passed to vitest. Without CITUS_NODES
 * it says so and ends.
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
import { NOT_ON_CITUS } from './long-suite.ts'

/** The arguments of vitest for the long suite; names what `vitest.config.ts` leaves out. */
function longSuite(): string[] {
  for (const [path, reason] of NOT_ON_CITUS) process.stdout.write(`not on Citus: ${path} (${reason})\n`)
  return ['--project', 'long', '--project', 'acceptance-long']
}

async function run(argv: readonly string[]): Promise<number> {
  const isLong = argv.includes('--long')
  const name = `netsaat_acceptance_${randomBytes(6).toString('hex')}`
  const url = new URL(process.env['DATABASE_URL'] ?? '')
  await createClusterDatabase(name, url.username)
  url.pathname = `/${name}`
  await migrate(url.href, undefined, { shards: CITUS_TEST_SHARDS })
  const log = await openCitusLog()
  try {
    const projects = isLong ? longSuite() : ['--project', 'acceptance']
    const args = ['vitest', 'run', ...projects, ...argv.filter((argument) => argument !== '--long')]
    const env = { ...process.env, ACCEPTANCE_DATABASE_URL: url.href }
    const child = spawn('npx', args, { stdio: 'inherit', env })
    const [code] = await once(child, 'exit')
    await checkCitusLog(log)
    return typeof code === 'number' ? code : 1
  } finally {
    await dropClusterDatabase(name)
  }
}

if (citusNodes.length === 0) process.stdout.write('CITUS_NODES is not set: the tests on Citus are skipped\n')
else process.exitCode = await run(process.argv.slice(2))
