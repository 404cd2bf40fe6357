import { type RawBuilder, sql } from 'kysely'
import type { SystemTx, TenantTx } from '../../../platform/db/tenant.ts'

/** A JSON list of templates as a table, so that one statement handles any number of them. */
const asTable = (templates: string): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${templates}::jsonb) as system (id uuid, name text, vendor text, model text,
    device_type text, protocols text[], register_map jsonb)`

const columns = sql.raw('id, name, vendor, model, device_type, protocols, register_map')
const asSystem = sql.raw(
  'system.id, system.name, system.vendor, system.model, system.device_type, system.protocols, ' +
    'system.register_map',
)

export async function insertIntoTenant({ db, tenantId }: TenantTx, templates: string) {
  await sql`insert into device_template (tenant_id, ${columns}, is_system)
    select ${tenantId}::int, ${asSystem}, true from ${asTable(templates)}
    on conflict (tenant_id, id) do nothing`.execute(db)
}

/** Inserts missing system templates into all tenants and updates changed ones. */
export async function syncAllTenants({ db }: SystemTx, templates: string) {
  await sql`insert into device_template as old (tenant_id, ${columns}, is_system)
    select tenant.id, ${asSystem}, true from tenant cross join ${asTable(templates)}
    order by tenant.id, system.id
    on conflict (tenant_id, id) do update set
      (name, vendor, model, device_type, protocols, register_map) =
        (excluded.name, excluded.vendor, excluded.model, excluded.device_type, excluded.protocols,
         excluded.register_map)
      where old.is_system and
        (old.name, old.vendor, old.model, old.device_type, old.protocols, old.register_map) is distinct from
        (excluded.name, excluded.vendor, excluded.model, excluded.device_type, excluded.protocols,
         excluded.register_map)`.execute(db)
}
