import assert from 'node:assert/strict'
import { add, formatKwh, type Kwh, negate, subtract, total, ZERO_KWH } from '../../kernel/decimal.ts'
import { unprocessable } from '../../kernel/errors.ts'
import { RULE_TEXTS } from './messages.ts'
import { compareText } from './text-order.ts'
import type { AccountUsage, UsageRow } from './types.ts'

export type MovementType =
  | 'mahsuplasan_consumption'
  | 'bedelli_ihtiyac_fazlasi'
  | 'correction_reversal'
  | 'correction_reapply'
  | 'group_transfer_out'
  | 'group_transfer_in'

/** A ledger movement to append; usage is negative, a reversal positive, zero is never written. */
export interface MovementDraft {
  readonly accountId: string
  readonly movementType: MovementType
  readonly amountKwh: Kwh
}

type Usage = Pick<AccountUsage, 'accountId' | 'matchedKwh' | 'paidSurplusKwh'>

/** The remaining limit: the initial amount plus every movement; usage is negative. */
export const remaining = (initialKwh: Kwh, movementsKwh: Iterable<Kwh>): Kwh =>
  add(initialKwh, total(movementsKwh))

/** The movements of a run: one for each account and usage type, none for zero. */
export const usageMovements = (usage: readonly Usage[]): MovementDraft[] =>
  sortByAccount(usage).flatMap(({ accountId, matchedKwh, paidSurplusKwh }) => [
    ...movement(accountId, 'mahsuplasan_consumption', negate(matchedKwh)),
    ...movement(accountId, 'bedelli_ihtiyac_fazlasi', negate(paidSurplusKwh)),
  ])

/** Reverses the usage of a superseded run: both usage types in one positive movement for each account. */
export const reversalMovements = (usage: readonly Usage[]): MovementDraft[] =>
  sortByAccount(usage).flatMap(({ accountId, matchedKwh, paidSurplusKwh }) =>
    movement(accountId, 'correction_reversal', add(matchedKwh, paidSurplusKwh)),
  )

/** The movements of a correction: the sum of the two usage types in one movement for each account. */
export const reapplyMovements = (usage: readonly Usage[]): MovementDraft[] =>
  sortByAccount(usage).flatMap(({ accountId, matchedKwh, paidSurplusKwh }) =>
    movement(accountId, 'correction_reapply', negate(add(matchedKwh, paidSurplusKwh))),
  )

const movement = (accountId: string, movementType: MovementType, amountKwh: Kwh): MovementDraft[] =>
  amountKwh === 0n ? [] : [{ accountId, movementType, amountKwh }]

/** Order of account ids, in which accounts are locked too. */
const sortByAccount = (usage: readonly Usage[]): Usage[] =>
  [...usage].sort((a, b) => compareText(a.accountId, b.accountId))

/** Sums the usage of hours by account; every account of the openings has an entry, also an untouched one. */
export class UsageSums {
  readonly #openings: ReadonlyMap<string, Kwh>
  readonly #sums: ReadonlyMap<string, { matched: Kwh; paid: Kwh }>

  constructor(openings: ReadonlyMap<string, Kwh>) {
    this.#openings = openings
    this.#sums = new Map([...openings.keys()].map((id) => [id, { matched: ZERO_KWH, paid: ZERO_KWH }]))
  }

  add(rows: readonly UsageRow[]): void {
    for (const row of rows) {
      const sum = this.#sums.get(row.accountId)
      assert(sum, 'usage belongs to an account of the input')
      sum.matched = add(sum.matched, row.matchedKwh)
      sum.paid = add(sum.paid, row.paidSurplusKwh)
    }
  }

  list(): AccountUsage[] {
    return [...this.#sums.entries()]
      .sort(([a], [b]) => compareText(a, b))
      .map(([accountId, { matched, paid }]) => {
        const openingBalanceKwh = this.#openings.get(accountId) ?? ZERO_KWH
        return {
          accountId,
          matchedKwh: matched,
          paidSurplusKwh: paid,
          openingBalanceKwh,
          closingBalanceKwh: subtract(openingBalanceKwh, add(matched, paid)),
        }
      })
  }
}

export interface Transfer {
  readonly sourceId: string
  readonly targetId: string
  readonly amountKwh: Kwh
  readonly sourceRemainingKwh: Kwh
}

/**
 * The two movements of a transfer between accounts; they sum to zero. Refuses with 422 when source and target
 * are one account, and with INSUFFICIENT_LIMIT_BALANCE when the source would fall below zero.
 */
export function planTransfer({
  sourceId,
  targetId,
  amountKwh,
  sourceRemainingKwh,
}: Transfer): MovementDraft[] {
  assert(amountKwh > 0n, 'the schema lets only positive amounts in')
  if (sourceId === targetId) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', RULE_TEXTS.TRANSFER_TO_ITSELF())
  }
  if (sourceRemainingKwh < amountKwh) {
    const text = RULE_TEXTS.LIMIT_BALANCE_TOO_LOW({
      remaining_kwh: formatKwh(sourceRemainingKwh),
      amount_kwh: formatKwh(amountKwh),
    })
    throw unprocessable('INSUFFICIENT_LIMIT_BALANCE', text)
  }
  return [
    { accountId: sourceId, movementType: 'group_transfer_out', amountKwh: negate(amountKwh) },
    { accountId: targetId, movementType: 'group_transfer_in', amountKwh },
  ]
}
