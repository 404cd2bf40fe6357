import { sql } from 'kysely'
import { byTenant } from '../../../platform/db/by-tenant.ts'
import { type SystemDb, systemDb } from '../../../platform/db/tenant.ts'
import { isOfActiveTenant } from '../../../platform/db/tenant-rows.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  CHARGER_EVENT_BYTES_KEPT,
  CHARGER_EVENTS_KEPT,
  CHARGER_RECORDS_KEPT_MS,
  CHARGER_RECORDS_SWEPT,
  CHARGERS_SWEPT_AT_ONCE,
} from '../limits.ts'

interface Charger {
  readonly tenantId: number
  readonly id: string
}

/** The next chargers of all active tenants, removed ones too, in the order of their key. */
const chargersAfter = ({ db }: SystemDb, { tenantId, id }: Charger): Promise<Charger[]> =>
  db
    .selectFrom('charger')
    .select(['tenant_id as tenantId', 'id'])
    .where(sql<boolean>`(tenant_id, id) > (${tenantId}::int, ${id}::uuid)`)
    .where(isOfActiveTenant('charger.tenant_id'))
    .orderBy('tenant_id')
    .orderBy('id')
    .limit(CHARGERS_SWEPT_AT_ONCE)
    .execute()

const BEFORE_ALL: Charger = { tenantId: 0, id: '00000000-0000-0000-0000-000000000000' }

/** Deletes one batch, so that no statement takes long. Returns true for the last batch. */
async function deleteBatch({ db }: SystemDb, old: ReturnType<typeof sql>): Promise<boolean> {
  const { numAffectedRows } = await old.execute(db)
  return Number(numAffectedRows ?? 0) < CHARGER_RECORDS_SWEPT
}

const chargerIds = (chargers: readonly Charger[]) =>
  sql`unnest(${chargers.map(({ id }) => id)}::uuid[]) as c (id)`

/** Events that were received before an instant, and those beyond the newest that are stored of a charger. */
const oldEvents = (tenantId: number, chargers: readonly Charger[], before: Date) => sql`
  delete from charger_event d using (
    select o.id from ${chargerIds(chargers)}
    cross join lateral (
      select id, received_at, row_number() over newest as rank, sum(size_bytes) over newest as bytes
      from charger_event e where e.tenant_id = ${tenantId} and e.charger_id = c.id
      window newest as (order by seq desc)) o
    where o.received_at < ${before} or o.rank > ${CHARGER_EVENTS_KEPT} or o.bytes > ${CHARGER_EVENT_BYTES_KEPT}
    limit ${CHARGER_RECORDS_SWEPT}) old
  where d.tenant_id = ${tenantId} and d.id = old.id`

const oldCommands = (tenantId: number, chargers: readonly Charger[], before: Date) => sql`
  delete from charger_command d using (
    select o.id from ${chargerIds(chargers)}
    join charger_command o on o.tenant_id = ${tenantId} and o.charger_id = c.id
    where o.ended_at < ${before} limit ${CHARGER_RECORDS_SWEPT}) old
  where d.tenant_id = ${tenantId} and d.id = old.id`

/**
 * The nightly job: deletes old events, events beyond the limits of a charger, and old ended commands.
 * Sessions are never deleted.
 */
export async function clearChargerRecords({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock.now() - CHARGER_RECORDS_KEPT_MS)
  const db = systemDb(database.kysely)
  let chargers = await chargersAfter(db, BEFORE_ALL)
  for (let last = chargers.at(-1); last; last = chargers.at(-1)) {
    for (const [tenantId, own] of byTenant(chargers))
      for (const old of [oldEvents, oldCommands])
        while (!(await deleteBatch(db, old(tenantId, own, before))));
    chargers = await chargersAfter(db, last)
  }
}
