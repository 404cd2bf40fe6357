import { rm } from 'node:fs/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/postgres.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import {
  CITUS_TEST_SHARDS,
  citusNodes,
  closeClusterDatabase,
  createClusterDatabase,
  dropClusterDatabase,
} from './citus.ts'
import { checkCitusLog, openCitusLog } from './citus-log.ts'
import { makeDataFolder, quickFolder } from './folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which the suite may create databases. */
    serverUrl: string
    /** The migrated database that every test database is copied from. */
    templateDatabase: string
  }
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** The embedded server with a separate data folder and without fsync, which tests do not need. */
async function startServer(): Promise<Server> {
  const folder = await makeDataFolder('test', await quickFolder())
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    log: makeLog('error'),
    createDb: true,
    settings: { fsync: 'off', max_connections: '200', max_wal_size: '256MB', min_wal_size: '32MB' },
  })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
    },
  }
}

/** DATABASE_URL when set (its role must be allowed to create databases), else the embedded server. */
async function findServer(): Promise<Server> {
  const url = process.env['DATABASE_URL']
  return url ? { url, stop: async () => {} } : startServer()
}

export default async function setup(project: TestProject) {
  const server = await findServer()
  // Several projects of one run may share an outside server.
  const templateDatabase = `netsaat_template_${process.pid}_${project.name || 'chaos'}`
  // A connection for each statement, because tests restart servers.
  const onServer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const isCluster = citusNodes.length > 0
  const templateUrl = new URL(server.url)
  if (isCluster) await createClusterDatabase(templateDatabase, templateUrl.username)
  else await onServer(`create database ${templateDatabase}`)
  templateUrl.pathname = `/${templateDatabase}`
  await migrate(templateUrl.href, undefined, { shards: CITUS_TEST_SHARDS })
  if (isCluster) await closeClusterDatabase(templateDatabase)
  const log = isCluster ? await openCitusLog() : undefined
  project.provide('serverUrl', server.url)
  project.provide('templateDatabase', templateDatabase)
  return async () => {
    if (isCluster) await dropClusterDatabase(templateDatabase)
    else await onServer(`drop database if exists ${templateDatabase} with (force)`)
    await server.stop()
    await checkCitusLog(log)
  }
}
