/** An entry of the local list of a station. */
export interface ListEntry {
  /** The tag as it was created; compared without regard to case. */
  readonly id_tag: string
  readonly status: 'accepted' | 'blocked' | 'expired'
  readonly parent_tag: string | null
  readonly expires_at: string | null
}

/** An entry of a part. In a differential part, null as status deletes the entry. */
export type ListChange = ListEntry | { readonly id_tag: string; readonly status: null }

/** The request of `send_local_list`. */
export interface SendLocalList {
  readonly mode: 'full' | 'differential'
  readonly version: number
  readonly entries: readonly ListChange[]
}

/** The entries that a station stores, by the tag in lower case. */
export type Held = Readonly<Record<string, ListEntry>>

const keyOf = ({ id_tag }: { readonly id_tag: string }): string => id_tag.toLowerCase()

const isSame = (a: ListEntry, b: ListEntry | undefined): boolean =>
  b !== undefined &&
  a.id_tag === b.id_tag &&
  a.status === b.status &&
  a.parent_tag === b.parent_tag &&
  a.expires_at === b.expires_at

/** The changes that turn the held entries into the wanted ones. Deletions come first, which makes room. */
export function changesBetween(held: Held, wanted: readonly ListEntry[]): ListChange[] {
  const keep = new Set(wanted.map(keyOf))
  const gone = Object.entries(held).filter(([key]) => !keep.has(key))
  return [
    ...gone.map(([, { id_tag }]) => ({ id_tag, status: null })),
    ...wanted.filter((entry) => !isSame(entry, held[keyOf(entry)])),
  ]
}

/** The entries that a station holds after it has accepted a part. */
export function heldAfter(held: Held, { mode, entries }: Pick<SendLocalList, 'mode' | 'entries'>): Held {
  const after: Record<string, ListEntry> = mode === 'full' ? {} : { ...held }
  for (const entry of entries) {
    if (entry.status === null) delete after[keyOf(entry)]
    else after[keyOf(entry)] = entry
  }
  return after
}

/**
 * The next part to send; undefined when nothing has changed. A full list begins with as many entries as fit.
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
