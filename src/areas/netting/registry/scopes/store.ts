import { conflict } from '../../../../kernel/errors.ts'
import { iso } from '../../../../kernel/time.ts'
import { changes, insertable } from '../../../../platform/db/columns.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readList } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import type { Actor } from '../../shared/index.ts'
import { NETTING_ERRORS } from '../../shared/index.ts'
import type { CreateScope, DeclarationSource, ScopeQuery, UpdateScope } from './schema.ts'

const writable = ['name', 'external_party_ref', 'notes'] as const
const columns = [
  'id',
  ...writable,
  'declaration_source',
  'declared_by',
  'declared_at',
  'origin',
  'created_at',
] as const
const constraints = {
  scope_name_key: () => conflict('DUPLICATE_ENTRY', NETTING_ERRORS.SCOPE_NAME_TAKEN()),
}

const scopes = (tenant: TenantDb) => selectRows(tenant, 'scope').select(columns)

export const list = (tenant: TenantDb, query: ScopeQuery) =>
  readList(
    scopes(tenant)
      .where(matchesSearch(query.search, ['name', 'external_party_ref']))
      .orderBy('name')
      .orderBy('id'),
    query,
  )

/** Locks the scope, so that two declarations are compared one after the other. */
export const lock = (tx: TenantTx, id: string) =>
  scopes(tx).where('id', '=', id).forUpdate().executeTakeFirst()

/** `origin`: the loader that creates the scope; null for a user. */
export const create = ({ db, tenantId }: TenantTx, body: CreateScope, origin: string | null = null) =>
  refusing(
    constraints,
    db
      .insertInto('scope')
      .values({ tenant_id: tenantId, origin, ...insertable(body, writable) })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export function update(tx: TenantTx, id: string, body: UpdateScope) {
  const set = changes(body, writable)
  if (!set) return scopes(tx).where('id', '=', id).executeTakeFirst()
  return refusing(
    constraints,
    updateRows(tx, 'scope').set(set).where('id', '=', id).returning(columns).executeTakeFirst(),
  )
}

export const declare = (tx: TenantTx, id: string, source: DeclarationSource, { by, at }: Actor) =>
  updateRows(tx, 'scope')
    .set({ declaration_source: source, declared_by: by, declared_at: iso(at) })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
