import type { Message } from '../../kernel/messages.ts'

/** The result of an importer: a document, to be checked like an uploaded one, and notes for the user. */
export interface Imported {
  readonly document: unknown
  readonly notes: readonly ImportNote[]
}
export interface ImportNote {
  /** Key of the register; null when the note concerns the whole map. */
  readonly key: string | null
  readonly note: Message
}

/** Converts a name to a valid key of a register map. */
export const toKey = (name: string): string => {
  const plain = name.replace(/\W+/g, '_').slice(0, 64)
  return /^[A-Za-z]/.test(plain) ? plain : `x${plain}`.slice(0, 64)
}

/** Returns a function that makes names unique: a, a_2, a_3. */
export function makeUnique(): (name: string) => string {
  const seen = new Map<string, number>()
  return (name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name.slice(0, 60)}_${count}`
  }
}
