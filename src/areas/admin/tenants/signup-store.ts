import type { SystemDb, SystemTx } from '../../../platform/db/tenant.ts'
import { PENDING_SIGNUPS_MAX } from './limits.ts'

export interface NewSignup {
  readonly id: string
  readonly email: string
  readonly tenant_name: string
  readonly full_name: string
  readonly password_hash: string
  readonly token_hash: Buffer
  readonly language: string | null
  readonly expires_at: Date
  readonly created_at: Date
}

/** True when a user of any tenant has the address. */
export async function isRegistered({ db }: SystemTx, email: string): Promise<boolean> {
  const row = await db.selectFrom('login_email').select('email').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

/** Inserts a signup, and deletes expired ones and the oldest ones beyond the limit. */
export async function add({ db }: SystemTx, signup: NewSignup): Promise<void> {
  await db
    .deleteFrom('pending_signup')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', signup.created_at),
        eb(
          'created_at',
          '<',
          eb
            .selectFrom('pending_signup as newer')
            .select('newer.created_at')
            .orderBy('newer.created_at', 'desc')
            .offset(PENDING_SIGNUPS_MAX - 2)
            .limit(1),
        ),
      ]),
    )
    .execute()
  await db.insertInto('pending_signup').values(signup).execute()
}

/** Replaces the link of a signup that has not expired; undefined when there is none. */
export const replaceLink = (
  { db }: SystemDb,
  { id, email }: { id: string; email: string },
  link: { token_hash: Buffer; expires_at: Date; now: Date },
) =>
  db
    .updateTable('pending_signup')
    .set({ token_hash: link.token_hash, expires_at: link.expires_at })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('expires_at', '>', link.now)
    .returning('language')
    .executeTakeFirst()

export const find = ({ db }: SystemDb, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('pending_signup')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Deletes a signup with a valid link. Of concurrent uses of the link, one gets true. */
export async function consume({ db }: SystemTx, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pending_signup')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the other signups of an address that has an account now. */
export const removeOthers = ({ db }: SystemTx, email: string) =>
  db.deleteFrom('pending_signup').where('email', '=', email).execute()
