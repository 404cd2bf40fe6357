import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type DeletableTable,
  deleteRowsOf,
  readTenantTables,
  withRights,
} from '../../src/areas/admin/tenant-deletion/rows-store.ts'
import { deletionSequence } from '../../src/areas/admin/tenant-deletion/sequence.ts'
import { connect } from '../../src/platform/db/pool.ts'
import { inSystemTx, systemDb } from '../../src/platform/db/tenant.ts'
import { createDatabase } from '../support/database.ts'
import { tenantTables } from '../support/tenant-filter.ts'

/**
 * Tables without a column tenant_id, with the reason why the deletion of a tenant leaves their rows. A new table
 * needs the column or a line here.
 */
const NOT_OF_A_TENANT: Readonly<Record<string, string>> = {
  tenant: 'deleted last, by itself',
  tenant_deletion: 'the record of the deletion stays',
  pending_signup: 'a signup has no tenant yet',
  broker_retained: 'deleted by topic',
  broker_slot: 'client ids of the service',
  sealed_month: 'a month of all tenants',
  system_organization: 'national',
  tariff_price_set: 'national',
  tariff_price: 'national',
  market_price: 'national',
  market_price_change: 'national',
  market_account: 'the account of the service',
  job_run: 'jobs of the service',
  charger_authority: 'the certificate authority of the service',
  schema_migration: 'migrations of the service',
}

let database: Awaited<ReturnType<typeof createDatabase>>
let connection: ReturnType<typeof connect>
let tables: DeletableTable[]

beforeAll(async () => {
  database = await createDatabase()
  connection = connect({ url: database.url })
  tables = await readTenantTables(systemDb(connection.kysely))
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

it('the deletion of a tenant includes every table with a column tenant_id', () => {
  expect(tables.length).toBeGreaterThan(100)
  expect(new Set(tables.map(({ name }) => name))).toEqual(tenantTables())
})

it('every other table is listed with the reason why its rows stay', async () => {
  const { rows } = await connection.pool.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition`,
  )
  const own = new Set(tables.map(({ name }) => name))
  const others = rows.map(({ name }) => name).filter((name) => !own.has(name))
  expect(others.toSorted()).toEqual(Object.keys(NOT_OF_A_TENANT).toSorted())
})

it('the sequence has every table after the tables that refer to it', () => {
  const sequence = deletionSequence(tables).map(({ name }) => name)
  expect(sequence.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  for (const { name, referencedBy } of tables)
    for (const child of referencedBy)
      expect(sequence.indexOf(child), `${child} refers to ${name}`).toBeLessThanOrEqual(
        sequence.indexOf(name),
      )
})

it('the deletion may delete from every table, also from append-only ones, whose rights it returns', async () => {
  const appendOnly = tables.filter(({ name, deleteRights }) => deleteRights.includes(name))
  expect(appendOnly.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['alarm_event', 'limit_movement']),
  )
  for (const table of tables)
    for (const part of table.parts)
      await inSystemTx(connection.kysely, (tx) =>
        withRights(tx, table, () => deleteRowsOf(tx, table, { part, tenantKey: 1 })),
      )
  expect(await readTenantTables(systemDb(connection.kysely))).toEqual(tables)
  await expect(connection.pool.query('delete from limit_movement where tenant_id = 1')).rejects.toThrow(
    'permission denied',
  )
})
