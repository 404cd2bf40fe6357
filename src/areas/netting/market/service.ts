import { randomUUID } from 'node:crypto'
import { ERROR_TEXTS } from '../../../kernel/error-texts.ts'
import { AppError } from '../../../kernel/errors.ts'
import { DAY_MS, dayStart, localDate } from '../../../kernel/time.ts'
import { makeSealer } from '../../../platform/auth/sealer.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { inSystemTx, type SystemTx, systemDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Config } from '../../../platform/settings/config.ts'
import * as accounts from './account-store.ts'
import { raiseMarketAlarms } from './alarms.ts'
import { contextOf, openCredentials, SECRETS, type Secret } from './credentials.ts'
import { PlatformFailure } from './failure.ts'
import { PLATFORM_TEXTS } from './messages.ts'
import { makePlatformClient } from './platform-client.ts'
import { type CreateMarketAccount, MASK, type UpdateMarketAccount } from './schema.ts'
import { PTF_FINAL } from './series.ts'
import { makeTicketCache } from './ticket-cache.ts'
import { checkTransition, type WhitelistStatus } from './whitelist.ts'

/** The user and the time of a write. */
interface Actor {
  readonly userId: string
  readonly now: number
}

type SealerConfig = Pick<Config, 'credentialEncryptionKey'>

/** Throws 404 with the code of this area. */
export function foundAccount(row: accounts.AccountRow | undefined): accounts.AccountRow {
  if (row === undefined)
    throw new AppError(404, 'NOT_FOUND', ERROR_TEXTS.RECORD_NOT_FOUND({ what: 'market account' }))
  return row
}

/** Converts an account to a response, in which secrets are masked. */
export function toResponse({
  portal_password_sealed: password,
  subscription_key_sealed: key,
  ...account
}: accounts.AccountRow) {
  return {
    ...account,
    portal_password: password === null ? null : MASK,
    subscription_key: key === null ? null : MASK,
  }
}

/**
 * The columns of the secrets that a body changes. The key is needed only where there is something to seal.
 */
function sealedColumns(id: string, body: UpdateMarketAccount, { credentialEncryptionKey }: SealerConfig) {
  const columns: Partial<Record<`${Secret}_sealed`, string | null>> = {}
  for (const secret of SECRETS) {
    const text = body[secret]
    if (text === undefined || text === MASK) continue
    columns[`${secret}_sealed`] =
      text === null ? null : makeSealer(credentialEncryptionKey).seal(text, contextOf(id, secret))
  }
  return columns
}

export function createAccount(
  tx: SystemTx,
  body: CreateMarketAccount,
  { userId, now, config }: Actor & { readonly config: SealerConfig },
) {
  const id = randomUUID()
  return accounts.insertAccount(tx, {
    id,
    name: body.name,
    portal_username: body.portal_username ?? null,
    portal_password_sealed: null,
    subscription_key_sealed: null,
    ...sealedColumns(id, body, config),
    created_by: userId,
    created_at: new Date(now),
    updated_at: new Date(now),
  })
}

const UNTESTED = { last_test_at: null, last_test_ok: null, last_test_step: null, last_test_message: null }

/** Updates an account. Changed credentials are untested, so the previous test result is deleted. */
export async function updateAccount(
  tx: SystemTx,
  { id, body }: { readonly id: string; readonly body: UpdateMarketAccount },
  { now, config }: Pick<Actor, 'now'> & { readonly config: SealerConfig },
) {
  const account = foundAccount(await accounts.lockAccount(tx, id))
  const { name = account.name, portal_username: username = account.portal_username } = body
  const secrets = sealedColumns(id, body, config)
  const isOther = username !== account.portal_username || Object.keys(secrets).length > 0
  if (!isOther && name === account.name) return account
  return accounts.updateAccount(tx, id, {
    name,
    portal_username: username,
    ...secrets,
    ...(isOther && UNTESTED),
    updated_at: new Date(now),
  })
}

/** Throws 409 invalid_whitelist_transition for a transition that the table does not contain. */
export async function transitionAccount(tx: SystemTx, id: string, to: WhitelistStatus, now: number) {
  const account = foundAccount(await accounts.lockAccount(tx, id))
  checkTransition(account.whitelist_status, to)
  return accounts.updateAccount(tx, id, { whitelist_status: to, updated_at: new Date(now) })
}

type TestDeps = Pick<Deps, 'config' | 'clock' | 'database' | 'log'>

/**
 * Logs in with a new ticket and requests today's prices, once and without retries. The result is returned and
 * stored with the account. A success of an active account closes the alarms that it rules out.
 */
export async function testAccount(deps: TestDeps, id: string) {
  const db = systemDb(deps.database.kysely)
  const account = foundAccount(await accounts.findAccount(db, id))
  const now = deps.clock.now()
  const result = await tryAccount(deps, account, now)
  const { ok, step, message } = result
  const columns = {
    last_test_at: new Date(now),
    last_test_ok: ok,
    last_test_step: step,
    last_test_message: toJson(message),
  }
  await inSystemTx(deps.database.kysely, (tx) => accounts.recordTest(tx, account, columns))
  if (ok && account.whitelist_status === 'active') await raiseMarketAlarms(deps, { is: 'accepted' })
  return { ok, tested_at: new Date(now), failed_step: step, message, prices: result.prices }
}

async function tryAccount({ config, clock, log }: TestDeps, account: accounts.AccountRow, now: number) {
  const day = localDate(now)
  try {
    const client = makePlatformClient({
      config,
      clock,
      tickets: makeTicketCache(),
      credentials: openCredentials(account, config),
      tries: 1,
      signal: new AbortController().signal,
    })
    const prices = await client.prices(PTF_FINAL, {
      first: day,
      last: day,
      hours: { from: dayStart(day), to: dayStart(day) + DAY_MS },
    })
    const count = prices === 'not_published' ? 0 : prices.length
    return {
      ok: true,
      step: null,
      message: PLATFORM_TEXTS.PLATFORM_PRICES_READ({ count, day }),
      prices: count,
    }
  } catch (error) {
    if (error instanceof PlatformFailure)
      return { ok: false, step: error.step, message: error.content, prices: 0 }
    log.error({ err: error }, 'a test-call ended in an error of our own')
    return {
      ok: false,
      step: 'call' as const,
      message: PLATFORM_TEXTS.PLATFORM_CALL_FAILED(),
      prices: 0,
    }
  }
}
