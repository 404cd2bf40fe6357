import type { Message } from '../../../kernel/messages.ts'
import { inTenantTx, systemDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { listSuperuserTenants } from '../../access/users/index.ts'
import { type AlarmChange, applyAlarms, type SystemPolicyName } from '../../alarms/system-alarms/index.ts'
import type { FailureKind, PlatformFailure } from './failure.ts'
import { MARKET_TEXTS } from './messages.ts'

/** The state of the connection to the platform, after a pull, a test-call or a skipped slot. */
export type PlatformStatus =
  | { readonly is: 'pulled' }
  /** The platform accepts the credentials, regardless of the result of the price request. */
  | { readonly is: 'accepted' }
  | { readonly is: 'failed'; readonly failure: PlatformFailure; readonly account: Named }
  /** No pull takes place, because no account is usable or a pause was requested. */
  | { readonly is: 'idle'; readonly reason: Message }

interface Named {
  readonly id: string
  readonly name: string
}

const POLICY_OF = {
  not_whitelisted: 'marketop_portal_not_whitelisted',
  auth_failed: 'marketop_api_auth_failed',
  subscription_missing: 'marketop_subscription_missing',
  fetch_failed: 'marketop_fetch_failed',
} as const satisfies Readonly<Record<FailureKind, SystemPolicyName>>

const TEXT_OF = {
  not_whitelisted: MARKET_TEXTS.MARKET_NOT_WHITELISTED,
  auth_failed: MARKET_TEXTS.MARKET_AUTH_FAILED,
  subscription_missing: MARKET_TEXTS.MARKET_SUBSCRIPTION_MISSING,
  fetch_failed: MARKET_TEXTS.MARKET_FETCH_FAILED,
} as const

/**
 * The failures that each failure rules out. The platform checks the address first, then the login, so a
 * failed login proves that the address is accepted.
 */
const DISPROVES: Readonly<Record<FailureKind, readonly FailureKind[]>> = {
  not_whitelisted: [],
  auth_failed: ['not_whitelisted'],
  subscription_missing: ['not_whitelisted', 'auth_failed'],
  fetch_failed: [],
}
const ALL = Object.keys(POLICY_OF) as FailureKind[]
const ACCESS = ALL.filter((kind) => kind !== 'fetch_failed')

/**
 * The cause of all these alarms. There is only one platform, so at most one incident of each policy is open.
 */
const CAUSE = 'market platform'

const closeAlarms = (kinds: readonly FailureKind[], reason: Message): AlarmChange[] =>
  kinds.map((kind) => ({ policy: POLICY_OF[kind], cause: CAUSE, isOpen: false, reason }))

/** Returns the state as alarm changes. Policies that the state does not affect are not part of the result. */
export function marketAlarms(status: PlatformStatus): AlarmChange[] {
  switch (status.is) {
    case 'pulled':
      return closeAlarms(ALL, MARKET_TEXTS.END_PRICES_FETCHED())
    case 'accepted':
      return closeAlarms(ACCESS, MARKET_TEXTS.END_ACCOUNT_ACCEPTED())
    case 'idle':
      return closeAlarms(ALL, status.reason)
    case 'failed': {
      const { failure, account } = status
      const open: AlarmChange = {
        policy: POLICY_OF[failure.kind],
        cause: CAUSE,
        isOpen: true,
        message: TEXT_OF[failure.kind]({ account: account.name, detail: failure.content }),
        payload: { account_id: account.id, account_name: account.name, step: failure.step },
      }
      return [open, ...closeAlarms(DISPROVES[failure.kind], MARKET_TEXTS.END_PLATFORM_REACHED())]
    }
  }
}

/**
 * Applies the alarms to the tenants of the superusers, who alone can act on them: the prices are national. A
 * failure is logged.
 */
export async function raiseMarketAlarms(
  { clock, database: { kysely }, log }: Pick<Deps, 'clock' | 'database' | 'log'>,
  status: PlatformStatus,
): Promise<void> {
  const changes = marketAlarms(status)
  try {
    for (const tenantId of await listSuperuserTenants(systemDb(kysely)))
      await inTenantTx(kysely, tenantId, (tx) => applyAlarms(tx, changes, { at: clock.now() }))
  } catch (err) {
    log.error({ err }, 'alarms of the market platform could not be updated')
  }
}
