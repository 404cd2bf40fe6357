import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NOTIFICATION_WORK } from '../../../src/areas/alarms/notifications/index.ts'
import { CHARGING_WORK } from '../../../src/areas/charging/index.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { failureOf } from '../../../src/platform/db/savepoint.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

describe('commits that wrote to a table', () => {
  let created: TestDatabase
  let database: Database
  let tenantId: number
  let count: number

  beforeAll(async () => {
    created = await createDatabase()
    database = connect({ url: created.url })
    const tenant = await database.kysely
      .insertInto('tenant')
      .values({ name: 'watched', slug: 'watched' })
      .returning('id')
      .executeTakeFirstOrThrow()
    tenantId = tenant.id
    database.watchWrites(['id_tag', 'charging_group'], () => {
      count += 1
    })
  })
  beforeEach(() => {
    count = 0
  })
  afterAll(async () => {
    await database.close()
    await created.drop()
  })

  function insertGroup({ kysely }: Pick<Database, 'kysely'>, name: string) {
    const now = new Date()
    const dates = { due_at: now, created_at: now, updated_at: now }
    return kysely
      .insertInto('charging_group')
      .values({ tenant_id: tenantId, name, limit_w: 10_000, min_w_per_connector: 1_380, ...dates })
      .execute()
  }

  it('reports a statement outside of a transaction', async () => {
    await insertGroup(database, 'alone')
    expect(count).toBe(1)
  })

  it('reports a transaction once, when it has committed', async () => {
    await inTenantTx(database.kysely, tenantId, async ({ db }) => {
      await insertGroup({ kysely: db }, 'first')
      await sql`
        with changed as (
          update charging_group set limit_w = 9000 where tenant_id = ${tenantId} returning id)
        select count(*) from changed`.execute(db)
      expect(count).toBe(0)
    })
    expect(count).toBe(1)
  })

  it('reports neither a transaction that was rolled back nor the next one on its connection', async () => {
    const single = connect({ url: created.url, maxConnections: 1 })
    single.watchWrites(['charging_group'], () => {
      count += 1
    })
    const failed = inTenantTx(single.kysely, tenantId, async ({ db }) => {
      await insertGroup({ kysely: db }, 'refused')
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    await inTenantTx(single.kysely, tenantId, ({ db }) => sql`select 1`.execute(db))
    expect(count).toBe(0)
    await single.close()
  })

  it('reports no statement that failed, no read and no other table', async () => {
    await inTenantTx(database.kysely, tenantId, async (tx) => {
      await failureOf(tx, async () => {
        await sql`insert into charging_group (tenant_id) values (${tenantId})`.execute(tx.db)
      })
      await sql`select 'update charging_group' from charging_group where tenant_id = ${tenantId}`.execute(
        tx.db,
      )
      await sql`update tenant set name = 'other' where id = ${tenantId}`.execute(tx.db)
    })
    expect(count).toBe(0)
  })

  it('reports nothing to a listener that has ended', async () => {
    let ended = 0
    const end = database.watchWrites(['charging_group'], () => {
      ended += 1
    })
    end()
    await insertGroup(database, 'later')
    expect([count, ended]).toEqual([1, 0])
  })
})

describe('the tables of due work', () => {
  it.each([
    ['src/areas/alarms/notifications/delivery/due-store.ts', NOTIFICATION_WORK],
    ['src/areas/charging/due-work-store.ts', CHARGING_WORK],
  ])('are those that the statement of %s reads', async (file, { tables }) => {
    const source = await readFile(file, 'utf8')
    const read = new Set([...source.matchAll(/\bfrom (\w+)/g)].map(([, table = '']) => table))
    read.delete('tenant')
    expect([...read].sort()).toEqual([...new Set(tables)].sort())
  })
})
