import type { Spell } from './rule.ts'

/** An incident as it is recorded, in the time of the samples. */
export interface Recorded {
  readonly id: string
  readonly from: number
  /** When the condition had passed; null while it holds, also when somebody closed the incident before. */
  readonly to: number | null
  readonly isClosed: boolean
}

/** What has to be written so that the incidents say what the samples say. Several may tell one spell, in pieces. */
export interface Reconciliation {
  readonly opens: readonly Spell[]
  /** The condition has passed; those that are closed already are only told when. */
  readonly ends: readonly { readonly incident: Recorded; readonly spell: Spell & { readonly to: number } }[]
  /** Late samples show another beginning or end. */
  readonly amends: readonly {
    readonly incident: Recorded
    readonly from: number
    readonly to: number | null
  }[]
  /** Late samples show that the condition never held. */
  readonly withdrawals: readonly Recorded[]
}

const endOf = (to: number | null): number => to ?? Number.POSITIVE_INFINITY
const meets = (incident: Recorded, spell: Spell): boolean =>
  incident.from < endOf(spell.to) && endOf(incident.to) > spell.from

const hasEnded = (spell: Spell): spell is Spell & { readonly to: number } => spell.to !== null

/**
 * Both of one policy and device, ascending; `begin` is where judging began: what began before it is taken as recorded.
 * Doing what it says and asking again answers nothing.
 */
export function reconcile(
  { spells, begin }: { readonly spells: readonly Spell[]; readonly begin: number },
  recorded: readonly Recorded[],
): Reconciliation {
  const opens: Spell[] = []
  const ends: { incident: Recorded; spell: Spell & { to: number } }[] = []
  const amends: { incident: Recorded; from: number; to: number | null }[] = []
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
      const from = place > 0 || spell.from <= begin ? incident.from : spell.from
      // The pieces of a spell meet; the last one ends with it. What is closed keeps its end while the spell goes on.
      const to = mine[place + 1]?.from ?? spell.to ?? incident.to
      const isEnding = incident === last && incident.to === null
      if (from !== incident.from || (to !== incident.to && !isEnding)) amends.push({ incident, from, to })
    }
    // What is closed stays closed: the rest of the spell is an incident of its own.
    if (last.to !== null && spell.to === null) opens.push({ ...spell, from: last.to })
  }
  return { opens, ends, amends, withdrawals: [...free] }
}
