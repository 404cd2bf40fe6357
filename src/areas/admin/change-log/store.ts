import { sql } from 'kysely'
import { parseValidInstant } from '../../../kernel/time.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { ChangeFilters, ChangeQuery } from './schema.ts'

interface ChangedField {
  readonly from?: unknown
  readonly to?: unknown
  readonly is_hidden?: true
}

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'change_log.changes': Readonly<Record<string, ChangedField>>
  }
}

/** Users and keys are joined within the tenant, so that it sees no address of a superuser of another one. */
const userEmail = (tenantId: number) => sql<string | null>`
  (select u.email from app_user u where u.tenant_id = ${tenantId} and u.id = change_log.user_id)`

const apiKeyName = (tenantId: number) => sql<string | null>`
  (select k.name from api_key k where k.tenant_id = ${tenantId} and k.id = change_log.api_key_id)`

/** The filters that compare a column. A request can have further parameters, which are no columns. */
const COMPARED = [
  ...(['actor_kind', 'user_id', 'api_key_id', 'operation', 'request_id', 'action'] as const),
  ...(['resource_type', 'resource_id'] as const),
]

const rowsOf = ({ db, tenantId }: TenantDb, { from, to, search, ...equal }: ChangeFilters) => {
  let rows = db.selectFrom('change_log').where('tenant_id', '=', tenantId)
  if (from !== undefined) rows = rows.where('at', '>=', parseValidInstant(from))
  if (to !== undefined) rows = rows.where('at', '<', parseValidInstant(to))
  for (const column of COMPARED) {
    const value = equal[column]
    if (value !== undefined) rows = rows.where(column, '=', value)
  }
  return rows
    .where(matchesSearch(search, ['resource_name', 'operation', userEmail(tenantId), apiKeyName(tenantId)]))
    .select(['id', 'at', 'actor_kind', 'user_id', 'api_key_id', 'operation', 'request_id', 'ip'])
    .select(['action', 'resource_type', 'resource_id', 'resource_name', 'changes'])
    .select([userEmail(tenantId).as('user_email'), apiKeyName(tenantId).as('api_key_name')])
}

export const list = (tenant: TenantDb, { skip, limit, sort_by, sort_order, ...filters }: ChangeQuery) =>
  readPage(rowsOf(tenant, filters), { skip, limit, sort_by, sort_order })

/** The next changes after a record, oldest first. */
export const listAfter = (
  tenant: TenantDb,
  filters: ChangeFilters,
  { after, limit }: { readonly after: string; readonly limit: number },
) => rowsOf(tenant, filters).where('id', '>', after).orderBy('id').limit(limit).execute()

export type ChangeRow = Awaited<ReturnType<typeof listAfter>>[number]
