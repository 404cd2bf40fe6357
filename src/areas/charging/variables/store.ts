import { sql } from 'kysely'
import { readPage } from '../../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows } from '../../../platform/db/tenant-rows.ts'
import { isPasswordName } from '../commands/index.ts'
import { CHARGER_VARIABLES_MAX } from '../limits.ts'
import type { ChargerRef } from '../registry/index.ts'
import type { VariableQuery } from './schema.ts'
import { formatVariableKey } from './variable-key.ts'

/** One attribute of a variable as a station reports it. Absent fields keep their stored value. */
export interface ReportedVariable {
  readonly component: string
  readonly component_instance?: string | undefined
  readonly evse_id?: number | undefined
  readonly connector_id?: number | undefined
  readonly variable: string
  readonly variable_instance?: string | undefined
  readonly attribute_type: string
  readonly value?: string | undefined
  readonly mutability?: string | undefined
  readonly is_persistent?: boolean | undefined
  readonly is_constant?: boolean | undefined
  readonly data_type?: string | undefined
  readonly unit?: string | undefined
  readonly min_limit?: number | undefined
  readonly max_limit?: number | undefined
  readonly values_list?: string | undefined
  readonly supports_monitoring?: boolean | undefined
}

const keyOf = (reported: ReportedVariable): string =>
  JSON.stringify([
    reported.component.toLowerCase(),
    reported.component_instance?.toLowerCase(),
    reported.evse_id,
    reported.connector_id,
    reported.variable.toLowerCase(),
    reported.variable_instance?.toLowerCase(),
    reported.attribute_type,
  ])

/**
 * One row for each key; of two reports of a key the last one. Passwords and write-only values are left out.
 */
const rowsOf = (variables: readonly ReportedVariable[]) => [
  ...new Map(
    variables.map((reported) => [
      keyOf(reported),
      isPasswordName(reported.variable) || reported.mutability === 'WriteOnly'
        ? { ...reported, value: undefined }
        : reported,
    ]),
  ).values(),
]

async function removeBeyondLimit(tx: TenantTx, chargerId: string, added: readonly string[]) {
  const { count } = await selectRows(tx, 'charger_variable')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('charger_id', '=', chargerId)
    .executeTakeFirstOrThrow()
  const excess = Number(count) - CHARGER_VARIABLES_MAX
  if (excess <= 0) return 0
  const ids = added.slice(-excess)
  await deleteRows(tx, 'charger_variable').where('id', 'in', ids).execute()
  return ids.length
}

/**
 * Stores reported variables; an older report changes nothing. Returns the number of new variables beyond
 * CHARGER_VARIABLES_MAX, which are dropped.
 */
export async function upsertVariables(
  tx: TenantTx,
  { chargerId }: ChargerRef,
  { variables, at }: { readonly variables: readonly ReportedVariable[]; readonly at: Date },
): Promise<number> {
  if (variables.length === 0) return 0
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    insert into charger_variable as v (tenant_id, charger_id, component, component_instance, evse_id, connector_id,
      variable, variable_instance, attribute_type, value, mutability, is_persistent, is_constant, data_type, unit,
      min_limit, max_limit, values_list, supports_monitoring, reported_at)
    select ${tx.tenantId}, ${chargerId}, t.component, t.component_instance, t.evse_id, t.connector_id, t.variable,
      t.variable_instance, t.attribute_type, t.value, t.mutability, t.is_persistent, t.is_constant, t.data_type, t.unit,
      t.min_limit, t.max_limit, t.values_list, t.supports_monitoring, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rowsOf(variables))}::jsonb) as t (component text, component_instance text,
      evse_id integer, connector_id integer, variable text, variable_instance text, attribute_type text, value text,
      mutability text, is_persistent boolean, is_constant boolean, data_type text, unit text,
      min_limit double precision, max_limit double precision, values_list text, supports_monitoring boolean)
    on conflict (tenant_id, charger_id, lower(component), lower(component_instance), evse_id, connector_id,
      lower(variable), lower(variable_instance), attribute_type)
    do update set
      value = case when coalesce(excluded.mutability, v.mutability) = 'WriteOnly' then null
        else coalesce(excluded.value, v.value) end,
      mutability = coalesce(excluded.mutability, v.mutability),
      is_persistent = coalesce(excluded.is_persistent, v.is_persistent),
      is_constant = coalesce(excluded.is_constant, v.is_constant),
      data_type = coalesce(excluded.data_type, v.data_type),
      unit = coalesce(excluded.unit, v.unit),
      min_limit = coalesce(excluded.min_limit, v.min_limit),
      max_limit = coalesce(excluded.max_limit, v.max_limit),
      values_list = coalesce(excluded.values_list, v.values_list),
      supports_monitoring = coalesce(excluded.supports_monitoring, v.supports_monitoring),
      reported_at = excluded.reported_at
    where excluded.reported_at >= v.reported_at
    returning v.id, v.xmax = 0 as is_new`.execute(tx.db)
  const added = rows.filter(({ is_new }) => is_new).map(({ id }) => id)
  return added.length === 0 ? 0 : removeBeyondLimit(tx, chargerId, added)
}

const responseColumns = [
  'id',
  'component',
  'component_instance',
  'evse_id',
  'connector_id',
  'variable',
  'variable_instance',
  'attribute_type',
  'value',
  'mutability',
  'is_persistent',
  'is_constant',
  'data_type',
  'unit',
  'min_limit',
  'max_limit',
  'values_list',
  'supports_monitoring',
  'reported_at as told_at',
] as const

export async function listVariables(tenant: TenantDb, chargerId: string, query: VariableQuery) {
  let rows = selectRows(tenant, 'charger_variable')
    .select(responseColumns)
    .where('charger_id', '=', chargerId)
  const { component, variable, evse_id: evseId, attribute_type: type } = query
  if (component !== undefined) rows = rows.where(sql`lower(component)`, '=', component.toLowerCase())
  if (variable !== undefined) rows = rows.where(sql`lower(variable)`, '=', variable.toLowerCase())
  if (evseId !== undefined) rows = rows.where('evse_id', '=', evseId)
  if (type !== undefined) rows = rows.where('attribute_type', '=', type)
  const page = await readPage(rows, query)
  return { ...page, items: page.items.map((row) => ({ ...row, key: formatVariableKey(row) })) }
}
