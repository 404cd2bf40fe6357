import { at } from '../../../kernel/checked.ts'
import { type Kwh, type Try, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import { ScenarioFault } from '../scenario/messages.ts'
import { figuresOfBase, figuresOfChanges, type SizingBase } from '../scenario/sizing.ts'
import type { Change, TransferLimit } from '../scenario/types.ts'
import type { Solve } from './linear-model.ts'
import { OPTIMISATION_FAULTS, OptimisationFault } from './messages.ts'
import { boundOf, type Candidate, type Proposal, proposalOf, sizeOf, solveModel } from './proposal.ts'
import { readTransferFacts, type TransferFacts } from './transfer-facts.ts'
import { type Moves, makeTransferModel } from './transfer-model.ts'

/** Amounts of a member and hour that a transfer can change, before and after: a payment and a fee. */
const ROUNDED_ROWS = 4

/**
 * Transfers of limit between the accounts of the base's groups at the starts of months. Matching never depends on the
 * limit, so only the paid surplus changes. Throws OptimisationFault.
 */
export function optimiseTransfers(base: SizingBase, solve: Solve): Proposal {
  const { inputs } = base.base
  const facts = readTransferFacts(inputs)
  const ofBase = figuresOfBase(base)
  if (ofBase.balanceTry === null)
    throw new OptimisationFault('group_ids', OPTIMISATION_FAULTS.OPTIMISATION_BALANCE_UNKNOWN())
  const { model, moves } = makeTransferModel(facts, Number(ofBase.balanceTry) / 1e6)
  const solved = solveModel(model, solve)
  const planned = pairMoves(facts, moves, solved.values)
  const first = at(facts.months, 0)
  const plans = [
    ['solver', planned],
    ['solver_first_month', planned.map((change) => ({ ...change, month: first }))],
  ] as const
  const computed = plans.flatMap(([name, changes]): Candidate[] => {
    const candidate = computeTransfers(base, name, changes)
    return candidate && candidate.changes.length > 0 ? [withoutIdle(base, candidate)] : []
  })
  const none: Candidate = { name: 'base', changes: [], figures: ofBase, batteries: [] }
  const hours = inputs.reduce(
    (sum, { window, members }) => sum + ((window.to - window.from) / HOUR_MS) * members.length,
    0,
  )
  return proposalOf({
    ...{ base: ofBase, candidates: [none, ...computed] },
    ...{ boundTry: boundOf(solved.bound, hours * ROUNDED_ROWS), solver: sizeOf(model, solved) },
  })
}

/** The transfers of each month, in whole kWh: who gives most to who gets most. */
function pairMoves(
  { months, accounts }: TransferFacts,
  moves: Moves,
  solved: readonly number[],
): TransferLimit[] {
  return months.flatMap((month) => {
    const net = (moves.get(month) ?? []).map(({ out, in: got }, index) => ({
      facilityId: at(accounts, index).facilityId,
      kwh: Math.floor(Math.abs(at(solved, got) - at(solved, out)) + 1e-6),
      isGiver: at(solved, out) > at(solved, got),
    }))
    const sorted = net.filter(({ kwh }) => kwh > 0).toSorted((a, b) => b.kwh - a.kwh)
    const givers = sorted.filter(({ isGiver }) => isGiver).map((one) => ({ ...one }))
    const takers = sorted.filter(({ isGiver }) => !isGiver).map((one) => ({ ...one }))
    const found: TransferLimit[] = []
    for (const giver of givers) {
      for (const taker of takers) {
        const amount = Math.min(giver.kwh, taker.kwh)
        if (amount === 0) continue
        giver.kwh -= amount
        taker.kwh -= amount
        found.push({
          ...{
            type: 'transfer_limit',
            sourceFacilityId: giver.facilityId,
            targetFacilityId: taker.facilityId,
          },
          ...{ month, amountKwh: wh(BigInt(amount) * 1_000n) },
        })
      }
    }
    return found
  })
}

/** The candidate; a transfer of more than its source has left then is reduced to what it has. */
function computeTransfers(
  base: SizingBase,
  name: string,
  planned: readonly TransferLimit[],
): Candidate | undefined {
  let changes: TransferLimit[] = [...planned]
  for (let tries = 0; tries <= 2 * planned.length; tries += 1) {
    try {
      return { name, changes, ...figuresOfChanges(base, changes) }
    } catch (error) {
      if (!(error instanceof ScenarioFault) || error.field !== 'amount_kwh') throw error
      const { changeIndex } = error
      const remaining = remainingOf(error)
      changes = changes.flatMap((change, index) =>
        index !== changeIndex ? change : remaining > 0n ? { ...change, amountKwh: remaining } : [],
      )
    }
  }
  return undefined
}

function remainingOf({ content }: ScenarioFault): Kwh {
  const text = String(content.parameters['remaining_kwh'] ?? '0')
  const whole = BigInt(text.split('.')[0] ?? '0')
  return whole > 0n ? wh(whole * 1_000n) : ZERO_KWH
}

/** The candidate without the transfers that its balance does not need. */
function withoutIdle(base: SizingBase, candidate: Candidate): Candidate {
  let best = candidate
  for (const change of candidate.changes) {
    const changes: Change[] = best.changes.filter((one) => one !== change)
    try {
      const shorter = { name: candidate.name, changes, ...figuresOfChanges(base, changes) }
      if (balanceOf(shorter) >= balanceOf(best)) best = shorter
    } catch (error) {
      // A later transfer needs this one.
      if (!(error instanceof ScenarioFault)) throw error
    }
  }
  return best
}

const balanceOf = ({ figures }: Candidate): Try => figures.balanceTry ?? (-(10n ** 18n) as Try)
