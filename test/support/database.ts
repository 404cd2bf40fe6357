import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

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

/** A fresh, migrated database: a copy of the template, about a tenth of a second. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `netsaat_test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} template ${inject('templateDatabase')}`)
  return {
    url: withDatabase(inject('serverUrl'), name),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  }
}
