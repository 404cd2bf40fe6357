import type { Violation } from './rule.ts'

/** An incident as it is recorded, in the time of the samples. */
export interface StoredIncident {
  readonly id: string
  readonly from: number
  /** When the condition had passed; null while it holds, also when somebody closed the incident before. */
  readonly to: number | null
  readonly isClosed: boolean
  /** As in the spell. */
  readonly since: number | null
  /** As in the spell, once it has passed. */
  readonly peak: number | null
}

type Ended = Violation & { readonly to: number }

/** What late samples say of an incident. */
export interface Correction {
  readonly incident: StoredIncident
  readonly from: number
  readonly to: number | null
  /** What it tells of its beginning; null where that lies in another piece, or before what was judged. */
  readonly begins: Violation | null
  /** What it tells of its end; null where it goes on, or another piece has it. */
  readonly ends: Ended | null
}

/** What has to be written so that the incidents say what the samples say. Several may tell one spell, in pieces. */
export interface Reconciliation {
  readonly opens: readonly Violation[]
  /** The condition has passed; those that are closed already are only told when. */
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
 * Both of one policy and device, ascending; `begin` is where judging began: what began before it is taken as recorded.
 * Doing what it says and asking again answers nothing.
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
      // The pieces of a spell meet; the last one ends with it. What is closed keeps its end while the spell goes on.
      const to = overlapping[index + 1]?.from ?? violation.to ?? incident.to
      const isEnding = incident === last && incident.to === null
      const ended = incident === last && !isEnding && hasEnded(violation) ? violation : null
      const correction = { incident, from, to, begins, ends: ended }
      if (isAmended(correction, isEnding)) amends.push(correction)
    }
    // What is closed stays closed: the rest of the spell is an incident of its own.
    if (last.to !== null && violation.to === null) opens.push({ ...violation, from: last.to })
  }
  return { opens, ends, amends, withdrawals: [...unmatched] }
}
