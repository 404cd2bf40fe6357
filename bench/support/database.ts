/** Databases of benchmarks: on DATABASE_URL, else on an embedded server with its default durability. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/postgres.ts'
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
  const name = `netsaat_bench_${randomBytes(4).toString('hex')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: given })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create database ${name}`)
  const url = new URL(given)
  url.pathname = `/${name}`
  return { url: url.href, stop: () => run(`drop database if exists ${name} with (force)`) }
}

const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: makeLog('error') })

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-bench-'))
  await chmod(folder, 0o755)
  return folder
}

let isFirst = true
let prepared: Promise<string> | undefined

/**
 * The first database of a run is created, and each further one is a copy of a prepared one, because creating a cluster
 * and its tables takes several seconds.
 */
async function openEmbedded(): Promise<BenchServer> {
  let folder: string
  if (isFirst) {
    isFirst = false
    folder = await makeFolder()
  } else {
    prepared ??= prepare()
    folder = await copyOf(await prepared)
  }
  const server = await start(folder)
  return {
    url: server.url,
    ownerUrl: server.ownerUrl,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function prepare(): Promise<string> {
  const folder = await makeFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const server = await start(folder)
  await migrate(server.ownerUrl, undefined, { servingUrl: server.url })
  await server.stop()
  return folder
}

/** Files belong to the user of the server, who may be another one. */
async function copyOf(folder: string): Promise<string> {
  const copy = await makeFolder()
  await promisify(execFile)('cp', ['-a', `${folder}/.`, copy])
  return copy
}
