import { sql } from 'kysely'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, isOfActiveTenant, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { ClaimQuery } from './schema.ts'

const columns = ['id', 'code_ending', 'gateway_name', 'subregion_id', 'created_at', 'expires_at'] as const

export interface NewClaim {
  readonly code_hash: Buffer
  readonly code_ending: string
  readonly gateway_name: string
  readonly subregion_id: string | null
  readonly created_by: string
  readonly created_at: Date
  readonly expires_at: Date
}

export const insert = ({ db, tenantId }: TenantTx, claim: NewClaim) =>
  db
    .insertInto('zigbee_claim')
    .values({ tenant_id: tenantId, ...claim })
    .returning(columns)
    .executeTakeFirstOrThrow()

const pending = (tenant: TenantDb, now: Date) =>
  selectRows(tenant, 'zigbee_claim')
    .select(columns)
    .where('claimed_at', 'is', null)
    .where('expires_at', '>', now)

export const listPending = (tenant: TenantDb, query: ClaimQuery, now: Date) =>
  readPage(pending(tenant, now).where(matchesSearch(query.search, ['gateway_name'])), query)

export async function countPending(tx: TenantTx, now: Date): Promise<number> {
  const { count } = await pending(tx, now)
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes claims that expired before a time. */
export const deleteExpired = (tx: TenantTx, before: Date) =>
  deleteRows(tx, 'zigbee_claim').where('expires_at', '<', before).execute()

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'zigbee_claim').where('id', '=', id).returning('id').executeTakeFirst()

export const CODES = { table: 'zigbee_claim', column: 'code_hash' } as const

/** Locks the claim of a code, whatever its status, so that concurrent redemptions are serialized. */
export const lockByCode = (tx: TenantTx, codeHash: Buffer) =>
  selectRows(tx, 'zigbee_claim')
    .select(['id', 'code_ending', 'gateway_name', 'subregion_id', 'claimed_at', 'expires_at'])
    .where('code_hash', '=', codeHash)
    .where(isOfActiveTenant('zigbee_claim.tenant_id'))
    .forUpdate()
    .executeTakeFirst()
export type LockedClaim = NonNullable<Awaited<ReturnType<typeof lockByCode>>>

/** Records the redemption and the created gateway. */
export const markClaimed = (
  tx: TenantTx,
  id: string,
  set: { readonly claimed_at: Date; readonly gateway_id: string },
) => updateRows(tx, 'zigbee_claim').set(set).where('id', '=', id).execute()

/** Serializes the creation of claims of a tenant, so that the count of pending ones is exact. */
export const lockClaims = async ({ db, tenantId }: TenantTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`zigbee claims ${tenantId}`}, 0))`.execute(db)
}

export const subregionExists = async (tenant: TenantDb, id: string): Promise<boolean> => {
  const row = await selectRows(tenant, 'subregion').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
