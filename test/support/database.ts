import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { citusNodes, copyClusterDatabase, dropClusterDatabase } from './citus.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

const withDatabase = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A fresh, migrated database, copied from the template. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `netsaat_test_${randomBytes(6).toString('hex')}`
  const template = inject('templateDatabase')
  if (citusNodes.length > 0) {
    await copyClusterDatabase(name, template, new URL(inject('serverUrl')).username)
    return {
      url: withDatabase(inject('serverUrl'), name),
      drop: async () => void (await dropClusterDatabase(name)),
    }
  }
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  return {
    url: withDatabase(inject('serverUrl'), name),
    drop: () => dropDatabase(name),
  }
}

/**
 * Drops the database and its connections. A background worker of the server that is active in it cannot be
 * terminated by our role and ends by itself after a moment.
 */
async function dropDatabase(name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await onServer(`drop database if exists ${name} with (force)`)
    } catch (error) {
      const isBusy = error instanceof pg.DatabaseError && BUSY_STATES.has(error.code ?? '')
      if (!isBusy || attempt === DROP_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}
/** Codes of insufficient_privilege and object_in_use. */
const BUSY_STATES = new Set(['42501', '55006'])
const DROP_ATTEMPTS = 40
