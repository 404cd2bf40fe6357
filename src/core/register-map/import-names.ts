/** What importers have made of another format: a document to be checked like an uploaded one, and what to know of it. */
export interface Imported {
  readonly document: unknown
  readonly notes: readonly ImportNote[]
}
export interface ImportNote {
  /** Of the register; null where the note is about the whole. */
  readonly key: string | null
  readonly note: string
}

/** Names that a map of ours may not hold become ones that it may. */
export const toKey = (name: string): string => {
  const plain = name.replace(/\W+/g, '_').slice(0, 64)
  return /^[A-Za-z]/.test(plain) ? plain : `x${plain}`.slice(0, 64)
}

/** Gives each name once: a, a_2, a_3. */
export function makeUnique(): (name: string) => string {
  const seen = new Map<string, number>()
  return (name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name.slice(0, 60)}_${count}`
  }
}
