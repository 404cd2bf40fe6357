import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { migrate, migrationNames } from '../../src/platform/db/migrate.ts'
import { createDatabase } from '../support/database.ts'

describe('migrations', () => {
  it('are applied once, also when several processes start together', async () => {
    const database = await createDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('drop schema public cascade; create schema public')
    await client.end()
    const results = await Promise.all([1, 2, 3].map(() => migrate(database.url)))
    expect(results.filter((applied) => applied.length > 0)).toEqual([await migrationNames()])
    await database.drop()
  })

  it('refuse a database to which another version of a migration was applied, and say what to do', async () => {
    const database = await createDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'netsaat-migrations-'))
    try {
      await cp('migrations', folder, { recursive: true })
      const [first = ''] = await migrationNames(folder)
      await appendFile(join(folder, first), '\n-- changed\n')
      const changed = migrate(database.url, folder)
      await expect(changed).rejects.toThrow(
        new RegExp(`migration ${first} was changed after it was applied.* start with an empty one`),
      )
      expect(await migrate(database.url)).toEqual([])
    } finally {
      await rm(folder, { recursive: true, force: true })
      await database.drop()
    }
  })

  it('refuse a database of a newer program', async () => {
    const database = await createDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query("insert into schema_migration values ('9999_later.sql', 'x', now())")
    await client.end()
    await expect(migrate(database.url)).rejects.toThrow(
      'newer than this program: it knows migration 9999_later',
    )
    await database.drop()
  })

  it('report in one line that a database from before the baseline cannot be used', async () => {
    const database = await createDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query("insert into schema_migration values ('0001_tenancy_and_identity.sql', 'x', now())")
    await client.end()
    await expect(migrate(database.url)).rejects.toThrow(
      /made by a version before the first release .*empty one/,
    )
    await database.drop()
  })
})
