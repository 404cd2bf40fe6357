/** Order by code units: the same on every machine, and the order of uuids in PostgreSQL. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A sorted copy. */
export const sortedBy = <T>(list: readonly T[], key: (item: T) => string): T[] =>
  [...list].sort((a, b) => compareText(key(a), key(b)))
