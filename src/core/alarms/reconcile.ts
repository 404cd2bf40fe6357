import type { Violation } from './rule.ts'

/** A stored incident. Its times are those of the samples. */
export interface StoredIncident {
  readonly id: string
  readonly from: number
  /** End of the condition; null while it holds, even when a user has closed the incident. */
  readonly to: number | null
  readonly isClosed: boolean
  /** As in the violation. */
  readonly since: number | null
  /** As in the violation, once it has ended. */
  readonly peak: number | null
}

type Ended = Violation & { readonly to: number }

/** A correction of an incident by late samples. */
export interface Correction {
  readonly incident: StoredIncident
  readonly from: number
  readonly to: number | null
  /**
   * The violation that determines its beginning; null when that lies in another incident or before the
   * evaluated range.
   */
  readonly begins: Violation | null
  /** The violation that determines its end; null when it goes on or ends in another incident. */
  readonly ends: Ended | null
}

/**
 * The changes that make the stored incidents agree with the samples. One violation may be covered by several
 * incidents.
 */
export interface Reconciliation {
  readonly opens: readonly Violation[]
  /** The condition has ended. An incident that a user closed before only gets its end time. */
  readonly ends: readonly { readonly incident: StoredIncident; readonly violation: Ended }[]
  /** Late samples show another beginning, end or peak. */
  readonly amends: readonly Correction[]
  /** Late samples show that the condition never held. */
  readonly withdrawals: readonly StoredIncident[]
}

const endOf = (to: number | null): number => to ?? Number.POSITIVE_INFINITY
const overlaps = (incident: StoredIncident, violation: Violation): boolean =>
  incident.from < endOf(violation.to) && endOf(incident.to) > violation.from

const hasEnded = (violation: Violation): violation is Ended => violation.to !== null

const isAmended = ({ incident, from, to, begins, ends }: Correction, isEnding: boolean): boolean =>
  from !== incident.from ||
  (to !== incident.to && !isEnding) ||
  (begins !== null && begins.since !== incident.since) ||
  (ends !== null && ends.peak !== incident.peak)

/**
 * Compares the violations of a policy and device with its stored incidents, both ascending. `begin` is the
 * start of the evaluated range: beginnings before it are taken from the stored incidents. Idempotent:
 * reconciling again after applying the plan yields an empty plan.
 */
export function reconcile(
  { violations, begin }: { readonly violations: readonly Violation[]; readonly begin: number },
  recorded: readonly StoredIncident[],
): Reconciliation {
  const opens: Violation[] = []
  const ends: { incident: StoredIncident; violation: Ended }[] = []
  const amends: Correction[] = []
  const unmatched = new Set(recorded)
  for (const violation of violations) {
    const overlapping = [...unmatched].filter((incident) => overlaps(incident, violation))
    for (const incident of overlapping) unmatched.delete(incident)
    const last = overlapping.at(-1)
    if (!last) {
      opens.push(violation)
      continue
    }
    if (last.to === null && hasEnded(violation)) ends.push({ incident: last, violation })
    for (const [index, incident] of overlapping.entries()) {
      const begins = index > 0 || violation.from <= begin ? null : violation
      const from = begins?.from ?? incident.from
      // The incidents of one violation adjoin; the last one ends with it. A closed one keeps its end while it
      // goes on.
      const to = overlapping[index + 1]?.from ?? violation.to ?? incident.to
      const isEnding = incident === last && incident.to === null
      const ended = incident === last && !isEnding && hasEnded(violation) ? violation : null
      const correction = { incident, from, to, begins, ends: ended }
      if (isAmended(correction, isEnding)) amends.push(correction)
    }
    // A closed incident is not reopened: the rest of the violation becomes a new incident.
    if (last.to !== null && violation.to === null) opens.push({ ...violation, from: last.to })
  }
  return { opens, ends, amends, withdrawals: [...unmatched] }
}
