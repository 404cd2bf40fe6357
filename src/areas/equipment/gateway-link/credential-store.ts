import { sql } from 'kysely'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows } from '../../../platform/db/tenant-rows.ts'

export interface StoredCredential {
  readonly keyId: string
  readonly salt: Buffer
  readonly secretHash: Buffer
}

/** Upsert: a gateway has one credential, and a new one replaces the old one. */
export const replaceCredential = (
  { db, tenantId }: TenantTx,
  gatewayId: string,
  { keyId, salt, secretHash }: StoredCredential,
  now: Date,
) =>
  db
    .insertInto('gateway_credential')
    .values({
      tenant_id: tenantId,
      gateway_id: gatewayId,
      key_id: keyId,
      salt,
      secret_hash: secretHash,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'gateway_id'])
        .doUpdateSet({ key_id: keyId, salt, secret_hash: secretHash, created_at: now }),
    )
    .execute()

export const removeCredential = (tx: TenantTx, gatewayId: string) =>
  deleteRows(tx, 'gateway_credential').where('gateway_id', '=', gatewayId).execute()

/** Locks the gateway. `tenant_uid` is the tenant's id on the wire. */
export const lockGateway = (tx: TenantTx, gatewayId: string) =>
  selectRows(tx, 'gateway')
    .innerJoin('tenant', 'tenant.id', 'gateway.tenant_id')
    .select(['gateway.gateway_type', 'gateway.client_id', 'tenant.uid as tenant_uid'])
    .where('gateway.id', '=', gatewayId)
    .forNoKeyUpdate('gateway')
    .executeTakeFirst()

/** Returns gateways with a login, by id; `after` is the last id of the previous page. */
export async function listGatewaysWithLogin(
  tenant: TenantDb,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<string[]> {
  let rows = selectRows(tenant, 'gateway_credential').select('gateway_id').orderBy('gateway_id').limit(limit)
  if (after !== undefined) rows = rows.where('gateway_id', '>', after)
  return (await rows.execute()).map(({ gateway_id }) => gateway_id)
}

export const gatewayExists = async (tenant: TenantDb, gatewayId: string): Promise<boolean> => {
  const row = await selectRows(tenant, 'gateway').select('id').where('id', '=', gatewayId).executeTakeFirst()
  return row !== undefined
}

export const KEY_IDS = { table: 'gateway_credential', column: 'key_id' } as const

const credentials = (tenant: TenantDb) =>
  selectRows(tenant, 'gateway_credential as c')
    .innerJoin('gateway as g', (join) =>
      join.onRef('g.tenant_id', '=', 'c.tenant_id').onRef('g.id', '=', 'c.gateway_id'),
    )
    .innerJoin('tenant as t', 't.id', 'c.tenant_id')
    .select([
      'c.tenant_id',
      'c.gateway_id',
      'c.salt',
      'c.secret_hash',
      'g.client_id',
      'g.gateway_type',
      't.uid as tenant_uid',
    ])
    .where('t.is_active', '=', true)

export const findCredential = (tenant: TenantDb, keyId: string) =>
  credentials(tenant).where('c.key_id', '=', keyId).executeTakeFirst()

export const findCredentialOfGateway = (tenant: TenantDb, gatewayId: string) =>
  credentials(tenant).where('c.gateway_id', '=', gatewayId).executeTakeFirst()

/**
 * The active tenants with a login of a gateway with that id, at most two. Searches all tenants, because a certificate
 * does not name one, and an id is unique only within its tenant.
 */
export async function findTenantsOfGateway({ db }: SystemDb, gatewayId: string): Promise<number[]> {
  const { rows } = await sql<{ tenant_id: number }>`
    select c.tenant_id from gateway_credential c
    where c.gateway_id = ${gatewayId}
      and exists (select 1 from tenant t where t.id = c.tenant_id and t.is_active)
    limit 2`.execute(db)
  return rows.map(({ tenant_id }) => tenant_id)
}
