import assert from 'node:assert/strict'
import { planTransfer } from '../../../../core/netting/ledger.ts'
import { decimalText, formatKwh, parseKwh, total, ZERO_KWH } from '../../../../kernel/decimal.ts'
import { found, invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import type { Warning } from '../../../../kernel/warnings.ts'
import { requireReferences } from '../../../../platform/db/references.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { refreshLimitAlarms } from '../../alarms/index.ts'
import { readAccountLimits } from '../../limit-balances/index.ts'
import { type Actor, decodeFields, type WriteContext } from '../../shared/index.ts'
import { LIMIT_TEXTS } from './messages.ts'
import type {
  AdjustLimit,
  CreateLimitAccount,
  LimitAccountQuery,
  MovementQuery,
  TransferLimit,
} from './schema.ts'
import * as store from './store.ts'

/**
 * Creates the account together with its first movement, which is 0. With `history` the account stores its
 * origin.
 */
export async function createLimitAccount(tx: TenantTx, body: CreateLimitAccount, context: WriteContext) {
  const values = decodeFields(body, { initial_limit_kwh: decimalText })
  await requireReferences(tx, [['facility_id', 'facility', values.facility_id]])
  const account = await store.createAccount(tx, values, context.history?.origin ?? null)
  const initial = { accountId: account.id, movementType: 'initial', amountKwh: ZERO_KWH }
  await store.appendMovements(tx, [initial], context)
  await refreshLimitAlarms(tx, [account.id], context.at)
  return account
}

/** With `include=limits` each account contains its usage and its remaining limit. */
export async function listAccounts(tenant: TenantDb, query: LimitAccountQuery) {
  const { items, total } = await store.listAccounts(tenant, query)
  if (query.include !== 'limits') return { items, total }
  const limits = await readAccountLimits(
    tenant,
    items.map(({ id }) => id),
  )
  const withLimits = (account: (typeof items)[number]) => {
    const { used_limit_kwh, remaining_limit_kwh } = limits.get(account.id) ?? {}
    return { ...account, used_limit_kwh, remaining_limit_kwh }
  }
  return { items: items.map(withLimits), total }
}

export async function listMovements(tenant: TenantDb, accountId: string, query: MovementQuery) {
  found('limit account', await store.findAccount(tenant, accountId))
  return store.listMovements(tenant, accountId, query)
}

export async function sumMovements(tenant: TenantDb, accountId: string) {
  const { initial_limit_kwh } = found('limit account', await store.findAccount(tenant, accountId))
  const by_type = await store.sumMovements(tenant, accountId)
  const amounts = [initial_limit_kwh, ...by_type.map(({ amount_kwh }) => amount_kwh)].map(parseKwh)
  return {
    rows: by_type.reduce((count, { rows }) => count + rows, 0),
    initial_limit_kwh,
    remaining_limit_kwh: formatKwh(total(amounts)),
    by_type,
  }
}

/**
 * Books a manual adjustment. The balance may become negative: an official correction can come after the
 * energy was used, and the ledger then shows it. A calculation treats such an account as empty.
 */
export async function adjustLimit(tx: TenantTx, id: string, body: AdjustLimit, actor: Actor) {
  const [account] = await store.lockAccounts(tx, [id])
  const { id: accountId } = found('limit account', account)
  const amountKwh = parseKwh(decimalText(body.amount_kwh))
  const draft = { accountId, movementType: 'manual_adjustment', amountKwh, reason: body.reason }
  const [movement] = await store.appendMovements(tx, [draft], actor)
  assert(movement, 'an insert returns its row')
  await refreshLimitAlarms(tx, [accountId], actor.at)
  return { ...movement, remaining_limit_kwh: formatKwh(await store.remainingOf(tx, accountId)) }
}

const unconfirmed = (subject: string): Warning => ({
  code: 'TRANSFER_CONTRACTED_POWER_NOT_CONFIRMED',
  subject,
  message: LIMIT_TEXTS.TRANSFER_CONTRACTED_POWER_NOT_CONFIRMED(),
})

async function lockPair(tx: TenantTx, { source_account_id, target_account_id }: TransferLimit) {
  const locked = await store.lockAccounts(tx, [source_account_id, target_account_id])
  const account = (field: string, id: string) => {
    const row = locked.find((each) => each.id === id.toLowerCase())
    if (!row) throw invalidReference(field)
    return row
  }
  return {
    source: account('source_account_id', source_account_id),
    target: account('target_account_id', target_account_id),
  }
}

/**
 * Transfers a part of the balance to another account of the same year, as two movements with the sum zero.
 * 422 for an unknown account, for the same account twice, for two years (a limit is not carried over), and
 * INSUFFICIENT_LIMIT_BALANCE.
 */
export async function transferLimit(tx: TenantTx, body: TransferLimit, actor: Actor) {
  const { source, target } = await lockPair(tx, body)
  if (source.year !== target.year) {
    const text = LIMIT_TEXTS.LIMIT_YEARS_DIFFER({ source_year: source.year, target_year: target.year })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'target_account_id' })
  }
  const drafts = planTransfer({
    sourceId: source.id,
    targetId: target.id,
    amountKwh: parseKwh(decimalText(body.amount_kwh)),
    sourceRemainingKwh: await store.remainingOf(tx, source.id),
  })
  const contractedPowerConfirmed = body.contracted_power_confirmed
  const movements = await store.appendMovements(
    tx,
    drafts.map((draft) => ({ ...draft, contractedPowerConfirmed })),
    actor,
  )
  await refreshLimitAlarms(tx, [source.id, target.id], actor.at)
  return {
    movements,
    source_remaining_limit_kwh: formatKwh(await store.remainingOf(tx, source.id)),
    target_remaining_limit_kwh: formatKwh(await store.remainingOf(tx, target.id)),
    warnings: contractedPowerConfirmed ? [] : [unconfirmed(source.id)],
  }
}
