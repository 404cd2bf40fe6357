import type { Spell } from './rule.ts'

/** An incident as it is recorded, in the time of the samples. */
export interface Recorded {
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

type Ended = Spell & { readonly to: number }

/** What late samples say of an incident. */
export interface Correction {
  readonly incident: Recorded
  readonly from: number
  readonly to: number | null
  /** What it tells of its beginning; null where that lies in another piece, or before what was judged. */
  readonly begins: Spell | null
  /** What it tells of its end; null where it goes on, or another piece has it. */
  readonly ends: Ended | null
}

/** What has to be written so that the incidents say what the samples say. Several may tell one spell, in pieces. */
export interface Reconciliation {
  readonly opens: readonly Spell[]
  /** The condition has passed; those that are closed already are only told when. */
  readonly ends: readonly { readonly incident: Recorded; readonly spell: Ended }[]
  /** Late samples show another beginning, end or peak. */
  readonly amends: readonly Correction[]
  /** Late samples show that the condition never held. */
  readonly withdrawals: readonly Recorded[]
}

const endOf = (to: number | null): number => to ?? Number.POSITIVE_INFINITY
const meets = (incident: Recorded, spell: Spell): boolean =>
  incident.from < endOf(spell.to) && endOf(incident.to) > spell.from

const hasEnded = (spell: Spell): spell is Ended => spell.to !== null

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
  { spells, begin }: { readonly spells: readonly Spell[]; readonly begin: number },
  recorded: readonly Recorded[],
): Reconciliation {
  const opens: Spell[] = []
  const ends: { incident: Recorded; spell: Ended }[] = []
  const amends: Correction[] = []
  const free = new Set(recorded)
  for (const spell of spells) {
    const mine = [...free].filter((incident) => meets(incident, spell))
    for (const incident of mine) free.delete(incident)
    const last = mine.at(-1)
    if (!last) {
      opens.push(spell)
      continue
    }
    if (last.to === null && hasEnded(spell)) ends.push({ incident: last, spell })
    for (const [place, incident] of mine.entries()) {
      const begins = place > 0 || spell.from <= begin ? null : spell
      const from = begins?.from ?? incident.from
      // The pieces of a spell meet; the last one ends with it. What is closed keeps its end while the spell goes on.
      const to = mine[place + 1]?.from ?? spell.to ?? incident.to
      const isEnding = incident === last && incident.to === null
      const ended = incident === last && !isEnding && hasEnded(spell) ? spell : null
      const correction = { incident, from, to, begins, ends: ended }
      if (isAmended(correction, isEnding)) amends.push(correction)
    }
    // What is closed stays closed: the rest of the spell is an incident of its own.
    if (last.to !== null && spell.to === null) opens.push({ ...spell, from: last.to })
  }
  return { opens, ends, amends, withdrawals: [...free] }
}
