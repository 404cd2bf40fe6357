import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { migrate, migrationNames } from '../../src/platform/db/migrate.ts'
import { createDatabase } from '../support/database.ts'

const CONTRACT = '-- contract: 3.1.0\ndrop table later_thing'

/** The migrations of this program and further ones. */
async function newerMigrations(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-migrations-'))
  await cp('migrations', folder, { recursive: true })
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
  return folder
}

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

  it('leave a database of a newer program as it is, and refuse one that needs a newer program', async () => {
    const database = await createDatabase()
    const folder = await newerMigrations({ '9998_adds.sql': 'create table later_thing (id int)' })
    const older = await newerMigrations({})
    expect(await migrate(database.url, folder)).toEqual(['9998_adds.sql'])
    expect(await migrate(database.url, older)).toEqual([])
    const contract = { '9998_adds.sql': 'create table later_thing (id int)', '9999_drops.sql': CONTRACT }
    const contracting = await newerMigrations(contract)
    expect(await migrate(database.url, contracting, { version: '3.2.0' })).toEqual(['9999_drops.sql'])
    expect(await migrate(database.url, older, { version: '3.1.0' })).toEqual([])
    await expect(migrate(database.url, older, { version: '3.0.9' })).rejects.toThrow(
      'the database needs version 3.1.0 of the program or newer, this is 3.0.9: migration 9999_drops.sql removed',
    )
    await Promise.all([folder, older, contracting].map((one) => rm(one, { recursive: true })))
    await database.drop()
  })

  it('refuse a database whose program was not built on this one', async () => {
    const database = await createDatabase()
    const one = await newerMigrations({ '9998_one.sql': 'select 1' })
    const other = await newerMigrations({ '9997_other.sql': 'select 1' })
    await migrate(database.url, one)
    await expect(migrate(database.url, other)).rejects.toThrow(
      'has migration 9998_one.sql, which this program does not know, and lacks 9997_other.sql',
    )
    await Promise.all([one, other].map((folder) => rm(folder, { recursive: true })))
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
