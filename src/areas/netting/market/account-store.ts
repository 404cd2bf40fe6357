import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import type { JsonText } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, SystemTx } from '../../../platform/db/tenant.ts'
import type { AccountQuery } from './schema.ts'
import type { WhitelistStatus } from './whitelist.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'market_account.last_test_message': Message
  }
}

const columns = [
  'id',
  'name',
  'portal_username',
  'portal_password_sealed',
  'subscription_key_sealed',
  'whitelist_status',
  'last_test_at',
  'last_test_ok',
  'last_test_step',
  'last_test_message',
  'created_at',
  'updated_at',
] as const

/** An account row with sealed secrets. It is never part of a response. */
export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly portal_username: string | null
  readonly portal_password_sealed: string | null
  readonly subscription_key_sealed: string | null
  readonly whitelist_status: WhitelistStatus
  readonly last_test_at: Date | null
  readonly last_test_ok: boolean | null
  readonly last_test_step: string | null
  readonly last_test_message: Message | null
  readonly created_at: Date
  readonly updated_at: Date
}

const accounts = ({ db }: Pick<SystemDb, 'db'>) =>
  db.selectFrom('market_account').select(columns).$castTo<AccountRow>()

export const listAccounts = (db: SystemDb, query: AccountQuery) =>
  readPage(accounts(db).where(matchesSearch(query.search, ['name'])), query)

export const findAccount = (db: SystemDb, id: string): Promise<AccountRow | undefined> =>
  accounts(db).where('id', '=', id).executeTakeFirst()

/** Locks an account until the end of the transaction. */
export const lockAccount = (tx: SystemTx, id: string): Promise<AccountRow | undefined> =>
  accounts(tx).where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns every account in the order of ids, locked until the end of the transaction. */
export const lockAccounts = (tx: SystemTx): Promise<AccountRow[]> =>
  accounts(tx).orderBy('id').forUpdate().execute()

/** Returns the account that prices are pulled with: the oldest active account whose last test succeeded. */
export const findUsable = (db: SystemDb): Promise<AccountRow | undefined> =>
  accounts(db)
    .where('whitelist_status', '=', 'active')
    .where('last_test_ok', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export type NewAccount = Pick<
  AccountRow,
  | 'id'
  | 'name'
  | 'portal_username'
  | 'portal_password_sealed'
  | 'subscription_key_sealed'
  | 'created_at'
  | 'updated_at'
> & { readonly created_by: string }

export const insertAccount = ({ db }: SystemTx, account: NewAccount): Promise<AccountRow> =>
  db
    .insertInto('market_account')
    .values(account)
    .returning(columns)
    .$castTo<AccountRow>()
    .executeTakeFirstOrThrow()

export const updateAccount = (
  { db }: SystemTx,
  id: string,
  set: Partial<Omit<AccountRow, 'id' | 'created_at' | 'last_test_message'>> & {
    readonly last_test_message?: null
  },
): Promise<AccountRow> =>
  db
    .updateTable('market_account')
    .set(set)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<AccountRow>()
    .executeTakeFirstOrThrow()

type Tested = Pick<
  AccountRow,
  'id' | 'portal_username' | 'portal_password_sealed' | 'subscription_key_sealed'
>
type TestResult = Pick<AccountRow, 'last_test_at' | 'last_test_ok' | 'last_test_step'> & {
  readonly last_test_message: JsonText<Message>
}

/**
 * Records the result of a test, unless the credentials have changed since: the result does not apply to the
 * new ones.
 */
export const recordTest = ({ db }: SystemTx, tested: Tested, result: TestResult) =>
  db
    .updateTable('market_account')
    .set(result)
    .where('id', '=', tested.id)
    .where(sql<boolean>`(portal_username, portal_password_sealed, subscription_key_sealed)
      is not distinct from (${tested.portal_username}::text, ${tested.portal_password_sealed}::text,
        ${tested.subscription_key_sealed}::text)`)
    .execute()
