import type { Pool } from 'pg'
import type { DB } from '../db/types.ts'
import { hashLinkToken, tenantOfToken } from './link-token.ts'

/** Where the hash or the public part of a token is stored. */
export interface TokenColumn {
  readonly table: keyof DB
  readonly column: string
}

/**
 * Returns the tenant of a token that names none, because it was issued before ADR 0121: the only statement that
 * searches a token in all tenants. The caller then looks the record up in this tenant.
 */
export async function searchTokenTenant(
  pool: Pool,
  { table, column }: TokenColumn,
  stored: Buffer | string,
): Promise<number | undefined> {
  const text = `select tenant_id as token_tenant from "${table}" where "${column}" = $1 limit 1`
  const { rows } = await pool.query<{ token_tenant: number }>(text, [stored])
  return rows[0]?.token_tenant
}

/** Returns the tenant in which a token of `makeTenantToken` is to be looked up; undefined when there is none. */
export const findTokenTenant = async (
  pool: Pool,
  stored: TokenColumn,
  token: string,
): Promise<number | undefined> =>
  tenantOfToken(token) ?? (await searchTokenTenant(pool, stored, hashLinkToken(token)))
