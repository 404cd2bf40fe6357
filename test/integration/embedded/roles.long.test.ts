import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sealOldMonths } from '../../../src/areas/metering/storage/index.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { ensurePartitions } from '../../../src/platform/db/partitions.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { restoreEmbedded } from '../../../src/platform/embedded-postgres/backup.ts'
import type { EmbeddedPostgres } from '../../../src/platform/embedded-postgres/postgres.ts'
import { readPostmasterPid } from '../../../src/platform/embedded-postgres/postmaster-pid.ts'
import { asSuperuser } from '../../../src/platform/embedded-postgres/roles.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { testClock } from '../../support/clock.ts'
import { openOldDays } from '../../support/metering/old-days.ts'
import { cleanUp, query, removeTemplate, start, temporaryFolder } from './embedded-support.ts'

afterAll(removeTemplate)

/** The tables whose owner has left itself no right to delete rows. */
const APPEND_ONLY = [
  ...[
    'alarm_event',
    'calculation_input',
    'change_log',
    'eligibility_run',
    'facility_history',
    'gateway_config',
  ],
  ...[
    'limit_movement',
    'limit_usage_hour',
    'loto_event',
    'market_price',
    'market_price_change',
    'osos_import',
  ],
  'osos_reading_history',
]

const rolesOf = (url: string) =>
  query<{ owner: string; n: number }>(
    url,
    `select pg_get_userbyid(relowner)::text as owner, count(*)::int as n from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S', 'i', 'I') group by 1`,
  )

describe('the role that serves', () => {
  let embedded: EmbeddedPostgres
  let database: Database

  beforeAll(async () => {
    embedded = await start(temporaryFolder())
    await migrate(embedded.ownerUrl, undefined, { servingUrl: embedded.url })
    database = connect({ url: embedded.url, ownerUrl: embedded.ownerUrl })
  })
  afterAll(async () => {
    await database.close()
    await cleanUp()
  })

  it('owns nothing, and is no member of the owner', async () => {
    expect((await rolesOf(embedded.ownerUrl)).map(({ owner }) => owner)).toEqual(['netsaat_owner'])
    await expect(query(embedded.url, 'set role netsaat_owner')).rejects.toThrow('permission denied')
    await expect(query(embedded.url, 'create table own (n int)')).rejects.toThrow('permission denied')
  })

  it.each(APPEND_ONLY)('reads and adds rows of %s, and changes none', async (table) => {
    await query(embedded.url, `select * from ${table} limit 1`)
    // PostgreSQL answers with a warning, and grants nothing.
    await query(embedded.url, `grant update, delete, truncate on ${table} to current_user`)
    const refused = [
      `delete from ${table}`,
      `truncate ${table}`,
      ...(table === 'market_price'
        ? []
        : [`update ${table} set ${table === 'market_price_change' ? 'ts = ts' : 'tenant_id = 1'}`]),
      `alter table ${table} disable trigger all`,
      `alter table ${table} owner to current_user`,
      `drop table ${table}`,
    ]
    for (const statement of refused)
      await expect(query(embedded.url, statement), statement).rejects.toThrow(
        /permission denied|must be owner/,
      )
    const [right] = await query<{ may: boolean }>(
      embedded.url,
      `select has_table_privilege('${table}', 'INSERT') as may`,
    )
    expect(right?.may).toBe(true)
  })

  it('has no such table that this file does not name', async () => {
    const tables = await query<{ name: string }>(
      embedded.url,
      `select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace
         and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migration'
         and not has_table_privilege(c.oid, 'DELETE') order by 1`,
    )
    expect(tables.map(({ name }) => name)).toEqual(APPEND_ONLY)
  })

  it('cannot disable the triggers of other tables or of its session', async () => {
    await expect(query(embedded.url, 'alter table device disable trigger all')).rejects.toThrow(
      'must be owner',
    )
    await expect(query(embedded.url, "set session_replication_role = 'replica'")).rejects.toThrow(
      'permission denied',
    )
    await expect(query(embedded.url, "insert into schema_migration values ('x', 'y')")).rejects.toThrow(
      'permission denied',
    )
  })

  it('creates partitions and seals months by the connections of the owner', async () => {
    await ensurePartitions(database, 'measurement', ['2025-06-01'])
    const { rows } = await database.pool.query<{ id: number }>(
      "insert into tenant (name, slug) values ('A', 'a') returning id",
    )
    const tenantId = rows[0]?.id
    await database.pool.query(
      "insert into measurement (tenant_id, device_key, ts) values ($1, 1, '2025-06-10T00:00Z')",
      [tenantId],
    )
    const clock = testClock('2026-11-24T00:00:00Z')
    expect(await sealOldMonths({ database, clock, log: makeLog('silent') }, clock.now())).toEqual([
      '2025-06-01',
    ])
    await expect(
      database.pool.query(
        "insert into measurement (tenant_id, device_key, ts) values ($1, 1, '2025-06-11T00:00Z')",
        [tenantId],
      ),
    ).rejects.toThrow('sealed_month')
    expect((await database.pool.query('select 1 from measurement')).rowCount).toBe(1)
  })

  it('compresses old days, returns one to the rows for a late sample, and a backup has all of them', async () => {
    const days = await openOldDays(database)
    try {
      await days.fill()
      const before = await days.read(database)
      expect(before.length).toBe(await days.rows())
      await days.compress(1)
      expect(await days.chunks()).toBe(3)
      await days.settle()
      await days.compress()
      expect(await days.rows()).toBe(0)
      expect(await days.read(database)).toEqual(before)
      await days.late()
      expect(await days.rows()).toBeGreaterThan(1)
      const after = await days.read(database)
      expect(after.length).toBe(before.length + 1)
      await days.compress()
      await days.settle()
      await days.compress()
      expect(await days.rows()).toBe(0)
      expect(await days.read(database)).toEqual(after)

      const [backupDir, dataDir] = [join(temporaryFolder(), 'backup'), join(temporaryFolder(), 'data')]
      await embedded.backup(backupDir)
      await restoreEmbedded({ backupDir, dataDir })
      const restored = connect({ url: (await start(dataDir)).url })
      expect(await days.read(restored)).toEqual(after)
      await restored.close()
    } finally {
      await days.stop()
    }
  })

  it('has its rights again after each migration, and none that the owner has not', async () => {
    await query(
      embedded.ownerUrl,
      'grant delete on alarm_event to netsaat; revoke insert on region from netsaat; create table fresh (id int)',
    )
    await migrate(embedded.ownerUrl, undefined, { servingUrl: embedded.url })
    const [rights] = await query(
      embedded.url,
      `select has_table_privilege('alarm_event', 'DELETE') as deletes, has_table_privilege('fresh', 'INSERT') as fresh,
         has_table_privilege('region', 'INSERT') as inserts,
         has_column_privilege('alarm_event', 'is_notified', 'UPDATE') as marks`,
    )
    expect(rights).toEqual({ deletes: false, fresh: true, inserts: true, marks: true })
    await query(embedded.ownerUrl, 'drop table fresh')
  })
})

describe('a database of a version with one role', () => {
  afterEach(cleanUp)

  it('is handed over to the owner at the next start, with its rows', async () => {
    const dataDir = temporaryFolder()
    const first = await start(dataDir)
    const { superuser } = JSON.parse(readFileSync(join(dirname(first.dataFolder), 'passwords.json'), 'utf8'))
    const address = await readPostmasterPid(first.dataFolder)
    if (!address) throw new Error('the server has no address')
    await asSuperuser(address, superuser, (client) => client.query('alter database netsaat owner to netsaat'))
    await migrate(first.url)
    await query(first.url, "insert into tenant (name, slug) values ('Kept', 'kept')")
    await expect(migrate(first.ownerUrl, undefined, { servingUrl: first.url })).rejects.toThrow(
      'the tables belong to netsaat',
    )
    await first.stop()
    const second = await start(dataDir)
    await migrate(second.ownerUrl, undefined, { servingUrl: second.url })
    expect((await rolesOf(second.ownerUrl)).map(({ owner }) => owner)).toEqual(['netsaat_owner'])
    expect(await query(second.url, 'select name from tenant')).toEqual([{ name: 'Kept' }])
    await expect(query(second.url, 'delete from alarm_event')).rejects.toThrow('permission denied')
  })
})
