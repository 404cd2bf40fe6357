import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readPage } from '../../src/platform/db/list.ts'
import { connect } from '../../src/platform/db/pool.ts'
import { readRows } from '../../src/platform/db/rows.ts'
import { tenantDb } from '../../src/platform/db/tenant.ts'
import { selectRows } from '../../src/platform/db/tenant-rows.ts'
import { createDatabase } from '../support/database.ts'
import { tablesWithoutTenant, tenantTables } from '../support/tenant-filter.ts'

/** The wrapped driver throws at once, which a caller of an async function sees as a rejection. */
const sent = async <T>(send: () => Promise<T>): Promise<T> => send()

describe('tenant filter of the tests', () => {
  it('knows the tenant tables', () => {
    expect(tenantTables().size).toBeGreaterThan(80)
    expect([...tenantTables()]).toEqual(expect.arrayContaining(['device', 'measurement', 'limit_movement']))
    expect(tenantTables().has('tenant')).toBe(false)
  })

  it.each([
    'select "id" from "device" where "id" = $1',
    'update region set name = $1 where id = $2',
    'delete from "gateway"',
    'insert into region (name) values ($1)',
    'with gone as (delete from alarm_state s using alarm_policy p returning 1) select 1',
    'select 1 from tenant t\n  join device d on d.id = t.id',
    'copy measurement from stdin binary',
  ])('finds the missing tenant_id in: %s', (statement) => {
    expect(tablesWithoutTenant(statement)).not.toEqual([])
  })

  it.each([
    'select "id" from "device" where "device"."tenant_id" = $1 and "id" = $2',
    'select * from tenant where slug = $1',
    'select 1',
    'select "email" from "login_email" where "email" = $1',
  ])('accepts: %s', (statement) => {
    expect(tablesWithoutTenant(statement)).toEqual([])
  })

  it('rejects an unfiltered statement of the service before it is sent, through Kysely and the pool', async () => {
    const rejected = (globalThis as { rejectedStatements?: string[] }).rejectedStatements
    const database = await createDatabase()
    const { kysely, pool, close } = connect({ url: database.url })
    onTestFinished(async () => {
      await close()
      await database.drop()
    })
    // A read with the filter passes, so the statements below fail only because it is missing.
    await expect(selectRows(tenantDb(kysely, 1), 'region').select('id').execute()).resolves.toEqual([])
    // Statements of this file are not checked, so functions of the service send them.
    await expect(pool.query('select id from region')).resolves.toMatchObject({ rows: [] })
    await expect(
      sent(() => readRows(pool, { name: 'x', text: 'select id from region', values: [] })),
    ).rejects.toThrow('a statement on region does not compare tenant_id')
    const page = { skip: 0, limit: 10, sort_by: 'name', sort_order: 'asc' } as const
    await expect(sent(() => readPage(kysely.selectFrom('region').select('id'), page))).rejects.toThrow(
      'does not compare',
    )
    await expect(sql`select 1`.execute(kysely)).resolves.toBeDefined()
    expect(rejected?.splice(0).length).toBeGreaterThanOrEqual(2)
  })
})
