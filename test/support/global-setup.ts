import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which the suite may create databases. */
    serverUrl: string
    /** The migrated database that every test database is copied from. */
    templateDatabase: string
  }
}

/** DATABASE_URL when set, whose role must be allowed to create databases; else the embedded server. */
async function findServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const url = process.env['DATABASE_URL']
  if (!url) throw new Error('the embedded server is not there yet: set DATABASE_URL')
  return { url, stop: async () => {} }
}

export default async function setup(project: TestProject) {
  const server = await findServer()
  const templateDatabase = `netsaat_template_${process.pid}`
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`create database ${templateDatabase}`)
  const templateUrl = new URL(server.url)
  templateUrl.pathname = `/${templateDatabase}`
  await migrate(templateUrl.href)
  project.provide('serverUrl', server.url)
  project.provide('templateDatabase', templateDatabase)
  return async () => {
    await admin.query(`drop database if exists ${templateDatabase} with (force)`)
    await admin.end()
    await server.stop()
  }
}
