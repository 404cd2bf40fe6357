import { type RawBuilder, sql } from 'kysely'
import { conflict } from '../../../kernel/errors.ts'
import { changes, insertable } from '../../../platform/db/columns.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import { equalsIgnoringCase, matchesSearch } from '../../../platform/db/search.ts'
import type { SystemTx, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { TEMPLATE_TEXTS } from './messages.ts'
import type { CreateDeviceTemplate, DeviceTemplateQuery, UpdateDeviceTemplate } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'device_template.register_map': JsonObject
  }
}

const plain = ['name', 'vendor', 'model', 'device_type', 'protocols'] as const
const columns = ['id', ...plain, 'register_map', 'is_system', 'created_at'] as const
const constraints = {
  device_template_name_key: () => conflict('DUPLICATE_ENTRY', TEMPLATE_TEXTS.TEMPLATE_NAME_EXISTS()),
}

export function list(tenant: TenantDb, query: DeviceTemplateQuery) {
  let rows = selectRows(tenant, 'device_template').select(columns)
  if (query.device_type !== undefined) rows = rows.where(equalsIgnoringCase('device_type', query.device_type))
  if (query.vendor !== undefined) rows = rows.where(equalsIgnoringCase('vendor', query.vendor))
  if (query.protocol !== undefined) rows = rows.where(sql<boolean>`${query.protocol} = any (protocols)`)
  return readPage(rows.where(matchesSearch(query.search, ['name', 'vendor', 'model'])), query)
}

export const find = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'device_template').select(columns).where('id', '=', id).executeTakeFirst()

export type TemplateRow = NonNullable<Awaited<ReturnType<typeof find>>>

/** Locks the template, so that concurrent changes are serialized. */
export const lock = (tx: TenantTx, id: string) =>
  selectRows(tx, 'device_template').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const create = ({ db, tenantId }: TenantTx, body: CreateDeviceTemplate) =>
  refusing(
    constraints,
    db
      .insertInto('device_template')
      .values({
        tenant_id: tenantId,
        ...insertable(body, plain),
        register_map: body.register_map ? toJson(body.register_map) : null,
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export const update = (tx: TenantTx, id: string, body: UpdateDeviceTemplate) =>
  refusing(
    constraints,
    updateRows(tx, 'device_template')
      .set({
        ...changes(body, plain),
        ...(body.register_map !== undefined && {
          register_map: body.register_map ? toJson(body.register_map) : null,
        }),
        // At least one column must be set when the body changes nothing.
        is_system: false,
      })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst(),
  )

export const remove = (tx: TenantTx, id: string) =>
  unlessReferred(
    'template',
    deleteRows(tx, 'device_template').where('id', '=', id).returning('id').executeTakeFirst(),
  )

/** Number of devices that use a template, by the type of gateway that they are connected through. */
export async function countDevices(tx: TenantTx, id: string) {
  const { overModbus, overBroker } = await selectRows(tx, 'device')
    .select((eb) => [
      eb.fn.count('gateway_id').as('overModbus'),
      eb.fn.count('mqtt_gateway_id').as('overBroker'),
    ])
    .where('template_id', '=', id)
    .executeTakeFirstOrThrow()
  return { overModbus: Number(overModbus), overBroker: Number(overBroker) }
}

/** A JSON list of templates as a table, so that one statement handles any number of them. */
const asTable = (templates: string): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${templates}::jsonb) as system (id uuid, name text, vendor text, model text,
    device_type text, protocols text[], register_map jsonb)`

const systemColumns = sql.raw('id, name, vendor, model, device_type, protocols, register_map')
const asSystem = sql.raw(
  'system.id, system.name, system.vendor, system.model, system.device_type, system.protocols, ' +
    'system.register_map',
)

export async function insertIntoTenant({ db, tenantId }: TenantTx, templates: string) {
  await sql`insert into device_template (tenant_id, ${systemColumns}, is_system)
    select ${tenantId}::int, ${asSystem}, true from ${asTable(templates)}
    on conflict (tenant_id, id) do nothing`.execute(db)
}

/** Inserts missing system templates into all tenants and updates changed ones. */
export async function syncAllTenants({ db }: SystemTx, templates: string) {
  await sql`insert into device_template as old (tenant_id, ${systemColumns}, is_system)
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
