import { byteAt } from '../../kernel/checked.ts'
import { HOUR_MS, type Range } from '../../kernel/time.ts'
import { rolesByHour } from './quantities.ts'
import type { AssignmentInput, FactInput } from './types.ts'

/** Hours of a facility with the same main roles in force, as bits of `rolesByHour`. */
export interface RoleSpan extends Range {
  readonly roleSet: number
}

/** The roles of one facility over a range, as few spans as possible. */
export function roleSpans(assignments: readonly AssignmentInput[], range: Range): RoleSpan[] {
  const [bits] = rolesByHour(assignments, range).values()
  const spans: RoleSpan[] = []
  for (let hour = range.from, index = 0; hour < range.to; hour += HOUR_MS, index += 1) {
    const roleSet = bits ? byteAt(bits, index) : 0
    const last = spans.at(-1)
    if (last?.roleSet === roleSet) spans[spans.length - 1] = { ...last, to: hour + HOUR_MS }
    else spans.push({ from: hour, to: hour + HOUR_MS, roleSet })
  }
  return spans
}

/** Cuts pieces at the borders of role spans; each part gets the role set in force. */
export const cutAtRoles = <T extends Range>(
  pieces: readonly T[],
  spans: readonly RoleSpan[],
): (T & RoleSpan)[] =>
  pieces.flatMap((piece) =>
    spans.flatMap((span) => {
      const [from, to] = [Math.max(piece.from, span.from), Math.min(piece.to, span.to)]
      return from < to ? [{ ...piece, from, to, roleSet: span.roleSet }] : []
    }),
  )

/** A fact with the roles in force when it was derived; null for a fact that is not derived from meters. */
export interface StoredFact extends FactInput {
  readonly roleSet: number | null
}

export interface UsableFacts {
  readonly facts: FactInput[]
  /** The number of left out hours of each facility. */
  readonly otherRoles: ReadonlyMap<string, number>
}

/**
 * Leaves out the facts that were derived with other roles than those in force: the roles choose the formula, and
 * a value that was derived for another one has another meaning.
 */
export function factsOfRoles(
  facts: readonly StoredFact[],
  assignments: readonly AssignmentInput[],
  window: Range,
): UsableFacts {
  const roles = rolesByHour(assignments, window)
  const hours = new Map<string, Set<number>>()
  const usable: FactInput[] = []
  for (const fact of facts) {
    const { facilityId, hour, roleSet } = fact
    const bits = roles.get(facilityId)
    if (roleSet === null || roleSet === (bits ? byteAt(bits, (hour - window.from) / HOUR_MS) : 0)) {
      usable.push(fact)
      continue
    }
    const known = hours.get(facilityId) ?? new Set()
    hours.set(facilityId, known.add(hour))
  }
  return { facts: usable, otherRoles: new Map([...hours].map(([id, list]) => [id, list.size])) }
}
