/** An account as a statement: its movements with the balance after each, and corrections as one entry each. */
import { scaled, sumOf, unscaled } from '../../../kernel/decimal.ts'
import type { Movement } from '../accounts.ts'

export interface StatementLine {
  readonly movement: Movement
  /** The balance after the movement. */
  readonly balance: string
}

export interface StatementEntry {
  readonly id: string
  /** Newest first; one line, or all lines of a correction. */
  readonly lines: readonly StatementLine[]
  readonly isCorrection: boolean
  /** The sum of the lines. */
  readonly amount: string
  /** The balance after the newest line. */
  readonly balance: string
}

const PLACES = 3
const subtract = (a: string, b: string): string => unscaled(scaled(a, PLACES) - scaled(b, PLACES), PLACES)

/** The movements newest first, with balances that begin with the remaining limit and go back. */
function withBalances(movements: readonly Movement[], remaining: string): StatementLine[] {
  let balance = unscaled(scaled(remaining, PLACES), PLACES)
  return movements.map((movement) => {
    const line = { movement, balance }
    balance = subtract(balance, movement.amount_kwh)
    return line
  })
}

/**
 * The entries of a statement, newest first. The movements of a run that reverses an earlier one are one entry: its
 * sum is what the correction changed.
 */
export function statementOf(movements: readonly Movement[], remaining: string): StatementEntry[] {
  const reversing = new Set(
    movements
      .filter(({ movement_type }) => movement_type === 'correction_reversal')
      .map(({ calculation_run_id }) => calculation_run_id),
  )
  const entries: StatementLine[][] = []
  for (const line of withBalances(movements, remaining)) {
    const run = line.movement.calculation_run_id
    const last = entries.at(-1)
    const isSameRun = run !== null && last?.[0]?.movement.calculation_run_id === run
    if (last && isSameRun && reversing.has(run)) last.push(line)
    else entries.push([line])
  }
  return entries.map((lines) => entryOf(lines))
}

function entryOf(lines: readonly StatementLine[]): StatementEntry {
  const [first] = lines
  if (!first) throw new RangeError('an entry has a line')
  return {
    id: first.movement.id,
    lines,
    isCorrection: lines.length > 1,
    amount: sumOf(lines.map(({ movement }) => movement.amount_kwh)),
    balance: first.balance,
  }
}
