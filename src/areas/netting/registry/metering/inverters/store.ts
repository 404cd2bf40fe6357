import { sql } from 'kysely'
import { matchesSearch } from '../../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../../platform/db/tenant-rows.ts'
import type { InverterType } from './inverter-type-rules.ts'

const vendor = sql<string>`coalesce(d.extra_metadata->>'vendor', d.extra_metadata->>'manufacturer', t.vendor, '')`
const model = sql<string>`coalesce(d.extra_metadata->>'model', t.model, '')`

/**
 * Returns every inverter with its nameplate data. The metadata of the device takes precedence over the
 * template.
 */
export const listInverters = (tenant: TenantDb, search: string | undefined) =>
  selectRows(tenant, 'device as d')
    .leftJoin('device_template as t', (on) =>
      on.onRef('t.tenant_id', '=', 'd.tenant_id').onRef('t.id', '=', 'd.template_id'),
    )
    .select(['d.id', 'd.name', 'd.inverter_type', vendor.as('vendor'), model.as('model')])
    .where('d.device_role', '=', 'inverter')
    .where(matchesSearch(search, ['d.name', vendor, model]))
    .orderBy('d.name')
    .orderBy('d.id')
    .execute()

/** Locks devices in id order, so that two requests for the same devices do not deadlock. */
export const lockDevices = (tx: TenantTx, ids: readonly string[]) =>
  selectRows(tx, 'device')
    .select(['id', 'device_role'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()

export async function setInverterType(tx: TenantTx, ids: readonly string[], type: InverterType) {
  if (ids.length === 0) return
  await updateRows(tx, 'device').set({ inverter_type: type }).where('id', 'in', ids).execute()
}
