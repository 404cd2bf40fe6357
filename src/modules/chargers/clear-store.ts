import { sql } from 'kysely'
import { CHARGER_RECORDS_KEPT_MS, CHARGER_RECORDS_SWEPT } from '../../kernel/charger-limits.ts'
import { type SystemDb, systemDb } from '../../platform/db/tenant.ts'
import type { Deps } from '../../platform/deps.ts'

/** Charger by charger, as the indexes have them; some at a time, so that no statement is long. */
const OLD = {
  charger_event: sql`o.occurred_at < `,
  charger_command: sql`o.ended_at < `,
} as const

async function clear({ db }: SystemDb, table: keyof typeof OLD, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} d using (
      select o.tenant_id, o.id from charger c
      join ${sql.table(table)} o on o.tenant_id = c.tenant_id and o.charger_id = c.id
      where ${OLD[table]} ${before} limit ${CHARGER_RECORDS_SWEPT}) old
    where d.tenant_id = old.tenant_id and d.id = old.id`.execute(db)
  return Number(numAffectedRows ?? 0) === CHARGER_RECORDS_SWEPT
}

/** The job of every night: events and ended commands of long ago. Sessions are never cleared. */
export async function clearChargerRecords({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock.now() - CHARGER_RECORDS_KEPT_MS)
  for (const table of ['charger_event', 'charger_command'] as const)
    while (await clear(systemDb(database.kysely), table, before));
}
