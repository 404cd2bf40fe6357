import { sql } from 'kysely'
import type { SystemTx, TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { lockTenantByTenant } from '../../../../platform/db/tenant-lists.ts'
import { deleteRows, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { TOTP_EVENTS_KEPT_MAX } from '../../limits.ts'
import type { TotpEventName } from './schema.ts'

const ofUser = (tenant: TenantDb, userId: string) =>
  selectRows(tenant, 'user_totp')
    .select(['secret_sealed', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)

export const find = (tenant: TenantDb, userId: string) => ofUser(tenant, userId).executeTakeFirst()
export const lock = (tx: TenantTx, userId: string) => ofUser(tx, userId).forUpdate().executeTakeFirst()

/** Replaces a secret that was not confirmed; false when there is a confirmed one. */
export async function putSecret(
  { db, tenantId }: TenantTx,
  { userId, sealed, at }: { userId: string; sealed: string; at: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('user_totp')
    .values({ tenant_id: tenantId, user_id: userId, secret_sealed: sealed, created_at: at })
    .onConflict((oc) =>
      oc
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet({ secret_sealed: sealed, created_at: at })
        .where('user_totp.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export const confirm = (tx: TenantTx, userId: string, { step, at }: { step: number; at: Date }) =>
  updateRows(tx, 'user_totp')
    .set({ confirmed_at: at, last_step: step })
    .where('user_id', '=', userId)
    .execute()

/** Marks the code of a step as used. Of concurrent uses, and of codes older than a used one, none is accepted. */
export async function useStep(tx: TenantTx, userId: string, step: number): Promise<boolean> {
  const row = await updateRows(tx, 'user_totp')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the secret and the recovery codes. False when there is none. */
export async function remove(tx: TenantTx, userId: string): Promise<boolean> {
  const row = await deleteRows(tx, 'user_totp')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return row !== undefined
}

export async function countRecoveryCodes(tenant: TenantDb, userId: string): Promise<number> {
  const { total } = await selectRows(tenant, 'totp_recovery_code')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export async function replaceRecoveryCodes(tx: TenantTx, userId: string, hashes: readonly Buffer[]) {
  await deleteRows(tx, 'totp_recovery_code').where('user_id', '=', userId).execute()
  const rows = hashes.map((code_hash) => ({ tenant_id: tx.tenantId, user_id: userId, code_hash }))
  await tx.db.insertInto('totp_recovery_code').values(rows).execute()
}

/** Deletes a recovery code. Of concurrent uses, one gets the row. */
export async function useRecoveryCode(tx: TenantTx, userId: string, hash: Buffer): Promise<boolean> {
  const row = await deleteRows(tx, 'totp_recovery_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

interface NewEvent {
  readonly userId: string
  /** Null: the operator. */
  readonly actorId: string | null
  readonly event: TotpEventName
  readonly at: Date
}

/** Records an event, and forgets those of the user beyond the newest ones. */
export async function record(tx: TenantTx, { userId, actorId, event, at }: NewEvent): Promise<void> {
  const { db, tenantId } = tx
  await db
    .insertInto('totp_event')
    .values({ tenant_id: tenantId, user_id: userId, actor_id: actorId, event, created_at: at })
    .execute()
  await sql`
    delete from totp_event where tenant_id = ${tenantId} and user_id = ${userId} and id not in (
      select id from totp_event where tenant_id = ${tenantId} and user_id = ${userId}
      order by created_at desc, id limit ${TOTP_EVENTS_KEPT_MAX})`.execute(db)
}

export const listEvents = (tenant: TenantDb, userId: string) =>
  selectRows(tenant, 'totp_event')
    .select(['event', 'actor_id', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(TOTP_EVENTS_KEPT_MAX)
    .execute()

export async function isRequired({ db, tenantId }: TenantDb): Promise<boolean> {
  const { require_totp } = await db
    .selectFrom('tenant')
    .select('require_totp')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return require_totp
}

export const setRequired = ({ db, tenantId }: TenantTx, isRequired: boolean) =>
  db.updateTable('tenant').set({ require_totp: isRequired }).where('id', '=', tenantId).execute()

/** Every stored secret of every tenant, locked until the end of the transaction. */
export const lockSecrets = (tx: SystemTx) =>
  lockTenantByTenant(tx, 'user_totp', (tenant) =>
    selectRows(tenant, 'user_totp')
      .select(['tenant_id', 'user_id', 'secret_sealed'])
      .orderBy('user_id')
      .forUpdate()
      .execute(),
  )

export const setSecret = (
  { db }: SystemTx,
  { tenant_id, user_id }: { tenant_id: number; user_id: string },
  sealed: string,
) =>
  db
    .updateTable('user_totp')
    .set({ secret_sealed: sealed })
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .execute()
