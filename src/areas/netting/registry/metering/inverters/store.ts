import { sql } from 'kysely'
import type { TenantDb, TenantTx } from '../../../../../platform/db/tenant.ts'
import type { InverterType } from './rules.ts'

const vendor = sql<string>`coalesce(d.extra_metadata->>'vendor', d.extra_metadata->>'manufacturer', t.vendor, '')`
const model = sql<string>`coalesce(d.extra_metadata->>'model', t.model, '')`

/** Every inverter with its nameplate; what the operator wrote on the device goes before the template. */
export const listInverters = ({ db, tenantId }: TenantDb) =>
  db
    .selectFrom('device as d')
    .leftJoin('device_template as t', (on) =>
      on.onRef('t.tenant_id', '=', 'd.tenant_id').onRef('t.id', '=', 'd.template_id'),
    )
    .select(['d.id', 'd.name', 'd.inverter_type', vendor.as('vendor'), model.as('model')])
    .where('d.tenant_id', '=', tenantId)
    .where('d.device_role', '=', 'inverter')
    .orderBy('d.name')
    .orderBy('d.id')
    .execute()

/** In id order, so that two requests for the same devices wait for each other. */
export const lockDevices = ({ db, tenantId }: TenantTx, ids: readonly string[]) =>
  db
    .selectFrom('device')
    .select(['id', 'device_role'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()

export async function setInverterType(
  { db, tenantId }: TenantTx,
  ids: readonly string[],
  type: InverterType,
) {
  if (ids.length === 0) return
  await db
    .updateTable('device')
    .set({ inverter_type: type })
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}
