/** A tag as a station's own list has it. */
export interface ListEntry {
  /** As it is written; compared without regard to case. */
  readonly id_tag: string
  readonly status: 'accepted' | 'blocked' | 'expired'
  readonly parent_tag: string | null
  readonly expires_at: string | null
}

/** One of a differential piece without a status is to be forgotten. */
export type ListChange = ListEntry | { readonly id_tag: string; readonly status: null }

/** What `send_local_list` is asked to do. */
export interface SendLocalList {
  readonly mode: 'full' | 'differential'
  readonly version: number
  readonly entries: readonly ListChange[]
}

/** By the tag in small letters. */
export type Held = Readonly<Record<string, ListEntry>>

const keyOf = ({ id_tag }: { readonly id_tag: string }): string => id_tag.toLowerCase()

const isSame = (a: ListEntry, b: ListEntry | undefined): boolean =>
  b !== undefined &&
  a.id_tag === b.id_tag &&
  a.status === b.status &&
  a.parent_tag === b.parent_tag &&
  a.expires_at === b.expires_at

/**
 * What makes a list that holds `held` one that holds `wanted`; what is to be forgotten comes first, and makes
 * room.
 */
export function changesBetween(held: Held, wanted: readonly ListEntry[]): ListChange[] {
  const keep = new Set(wanted.map(keyOf))
  const gone = Object.entries(held).filter(([key]) => !keep.has(key))
  return [
    ...gone.map(([, { id_tag }]) => ({ id_tag, status: null })),
    ...wanted.filter((entry) => !isSame(entry, held[keyOf(entry)])),
  ]
}

/** What a station holds once it has taken a piece. */
export function heldAfter(held: Held, { mode, entries }: Pick<SendLocalList, 'mode' | 'entries'>): Held {
  const after: Record<string, ListEntry> = mode === 'full' ? {} : { ...held }
  for (const entry of entries) {
    if (entry.status === null) delete after[keyOf(entry)]
    else after[keyOf(entry)] = entry
  }
  return after
}

/**
 * The next piece to send; undefined when there is nothing left to say. A full list begins with as much as
 * fits.
 */
export function nextPart(
  held: Held,
  wanted: readonly ListEntry[],
  options: { readonly mode: SendLocalList['mode']; readonly max: number },
): Pick<SendLocalList, 'mode' | 'entries'> | undefined {
  if (options.mode === 'full') return { mode: 'full', entries: wanted.slice(0, options.max) }
  const entries = changesBetween(held, wanted).slice(0, options.max)
  return entries.length === 0 ? undefined : { mode: 'differential', entries }
}
