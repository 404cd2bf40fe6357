import type { BillingPeriod } from '../../../kernel/time.ts'
import { type LinearModel, ModelBuilder, type Term } from './linear-model.ts'
import type { Account, Part, TransferFacts } from './transfer-facts.ts'

/** The columns of what an account gives and gets at the start of a month. */
interface Move {
  readonly out: number
  readonly in: number
}
/** By month, then account. */
export type Moves = ReadonlyMap<BillingPeriod, readonly Move[]>

interface TransferModel {
  readonly model: LinearModel
  readonly moves: Moves
}

/** The chain of balances of an account: the column of the last one, and what the base has left then. */
interface Chain {
  readonly account: Account
  balance: number | undefined
  closing: number
}

interface Work {
  readonly builder: ModelBuilder
  readonly facts: TransferFacts
  /** More than any account can have. */
  readonly highest: number
  readonly chains: readonly Chain[]
  /** By part: what its paid surplus draws on accounts. */
  readonly drawn: ReadonlyMap<Part, Term[]>
}

/**
 * The model whose objective is the balance of the groups, `baseTry` without a transfer. It is a relaxation: within a
 * week the energy of an account that runs out may be used in any order, paid surplus may wait for later weeks, and it
 * may draw on the accounts in any proportion. One binary for each account and week is 1 where the account is empty at
 * the end; an account that is not has paid all its matched energy.
 */
export function makeTransferModel(facts: TransferFacts, baseTry: number): TransferModel {
  const builder = new ModelBuilder()
  const work: Work = {
    ...{ builder, facts, highest: highestBalance(facts.accounts) },
    chains: facts.accounts.map((account) => ({ account, balance: undefined, closing: 0 })),
    drawn: new Map(facts.parts.map((part) => [part, []])),
  }
  builder.constant(baseTry)
  const moves = new Map(facts.months.map((month) => [month, addMonth(work, month)]))
  for (const [part, terms] of work.drawn) addPaid(builder, part, terms)
  return { model: builder.build(), moves }
}

/** All that the accounts have at first, and get from outside later. */
const highestBalance = (accounts: readonly Account[]): number =>
  accounts.reduce((sum, { months }) => {
    let closing = 0
    let gained = 0
    for (const state of [...months].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)) {
      gained += Math.max(0, state.opening - closing)
      closing = state.closing
    }
    return sum + gained
  }, 1)

/** Paid surplus of a part, instead of what the base pays, which is part of the base's balance. */
function addPaid(builder: ModelBuilder, { surplus, paid, gain }: Part, drawn: readonly Term[]): void {
  if (!gain) {
    builder.atMost(drawn, 0)
    return
  }
  builder.constant(-gain.lowest * paid)
  const column = builder.column({ cost: gain.highest, upper: surplus })
  builder.exactly([[column, 1], ...drawn.map(([term]): Term => [term, -1])], 0)
}

function addMonth(work: Work, month: BillingPeriod): Move[] {
  const { builder, facts, chains } = work
  const moves = chains.map((chain) => addMove(work, chain, month))
  builder.exactly(
    moves.flatMap((one): Term[] => [
      [one.out, 1],
      [one.in, -1],
    ]),
    0,
  )
  for (const chain of chains) {
    const { facilityId } = chain.account
    const firstHour = (part: Part) => part.matched.get(facilityId)?.firstHour ?? 0
    const own = facts.parts.filter((part) => part.month === month && part.matched.has(facilityId))
    for (const part of own.toSorted((a, b) => firstHour(a) - firstHour(b))) addUse(work, chain, part)
  }
  return moves
}

/** The balance of an account after the transfers at the start of a month. */
function addMove({ builder, highest }: Work, chain: Chain, month: BillingPeriod): Move {
  const state = chain.account.months.get(month)
  const before: Term[] = chain.balance === undefined ? [] : [[chain.balance, -1]]
  const [out, got] = [builder.column({ upper: highest }), builder.column({ upper: highest })]
  const balance = builder.column({ upper: highest })
  // A change of the base from outside, such as an adjustment; a balance below zero counts as empty.
  const change = state === undefined ? 0 : state.opening - chain.closing
  const missing = builder.column({ upper: Math.max(0, -change) })
  builder.exactly([[balance, 1], [out, 1], [got, -1], [missing, -1], ...before], change)
  builder.atMost([[out, 1], ...before], Math.max(0, change))
  chain.balance = balance
  if (state) chain.closing = state.closing
  return { out, in: got }
}

/** What an account is used for in a part. */
function addUse({ builder, highest, drawn }: Work, chain: Chain, part: Part): void {
  const before = chain.balance
  const matched = part.matched.get(chain.account.facilityId)?.kwh
  if (before === undefined || matched === undefined) return
  const debit = builder.column({ upper: matched })
  const paid = builder.column({ upper: part.surplus })
  const after = builder.column({ upper: highest })
  const isEmpty = builder.column({ upper: 1, isInteger: true })
  builder.exactly([...[after, debit, paid].map((column): Term => [column, 1]), [before, -1]], 0)
  builder.atMost(
    [
      [after, 1],
      [isEmpty, highest],
    ],
    highest,
  )
  builder.atMost(
    [
      [debit, -1],
      [isEmpty, -matched],
    ],
    -matched,
  )
  drawn.get(part)?.push([paid, 1])
  chain.balance = after
}
