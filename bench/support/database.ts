/** Databases of benchmarks: on DATABASE_URL, else on an embedded server with its default durability. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type Passwords, passwordsFile } from '../../src/platform/embedded-postgres/cluster.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/embedded-postgres/postgres.ts'
import { makeLog } from '../../src/platform/observability/log.ts'

export interface BenchServer {
  readonly url: string
  /** Of the role that owns the tables, where that is another one. */
  readonly ownerUrl?: string
  /** Of a database that Citus distributes. */
  readonly shards?: number
  stop(): Promise<void>
}

/** A separate database, whose tables may exist already; `migrate` creates those that are missing. */
export function openDatabase(): Promise<BenchServer> {
  const given = process.env['DATABASE_URL']
  return given ? createDatabase(given) : openEmbedded()
}

async function createDatabase(given: string): Promise<BenchServer> {
  const name = newName()
  await run(given, `create database ${name}`)
  return {
    url: withDatabase(given, name),
    stop: () => run(given, `drop database if exists ${name} with (force)`),
  }
}

const newName = (): string => `netsaat_bench_${randomBytes(4).toString('hex')}`

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function withDatabase(given: string, name: string): string {
  const url = new URL(given)
  url.pathname = `/${name}`
  return url.href
}

let shared: Promise<EmbeddedPostgres> | undefined

/**
 * The databases of a run are copies of a migrated one on the same server, because creating a cluster and its tables
 * takes several seconds.
 */
async function openEmbedded(): Promise<BenchServer> {
  shared ??= startShared()
  const server = await shared
  const name = newName()
  await run(await superuserUrl(server), `create database ${name} template netsaat owner netsaat_owner`)
  return {
    url: withDatabase(server.url, name),
    ownerUrl: withDatabase(server.ownerUrl, name),
    stop: async () => run(await superuserUrl(server), `drop database ${name} with (force)`),
  }
}

/** The server of a run, whose own database is the migrated one. */
async function startShared(): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'netsaat-bench-'))
  await chmod(dataDir, 0o755)
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const server = await startEmbeddedPostgres({ dataDir, log: makeLog('error') })
  await migrate(server.ownerUrl, undefined, { servingUrl: server.url })
  return server
}

/** Ends the server of a run, if one was started. */
export async function closeDatabases(): Promise<void> {
  await (await shared)?.stop()
}

/** Only a superuser creates databases of the role that owns the tables. */
async function superuserUrl({ url, dataFolder }: EmbeddedPostgres): Promise<string> {
  const passwords = await readFile(passwordsFile(dirname(dataFolder)), 'utf8')
  const { superuser } = JSON.parse(passwords) as Passwords
  const own = new URL(withDatabase(url, 'postgres'))
  own.username = 'postgres'
  own.password = superuser
  return own.href
}
