/** A tenant table, as the catalogue of the database describes it. */
export interface TenantTable {
  readonly name: string
  /** The tables that contain its rows: itself, or its partitions. */
  readonly parts: readonly string[]
  /** The tables whose foreign keys refer to this table. */
  readonly referencedBy: readonly string[]
}

/**
 * Returns the tables so that a table comes after all tables that refer to it: its rows can then be deleted. References
 * of a table to itself do not count. Throws when tables refer to each other in a circle.
 */
export function deletionSequence<T extends TenantTable>(tables: readonly T[]): T[] {
  const sequence: T[] = []
  const done = new Set<string>()
  let waiting = tables
  while (waiting.length > 0) {
    const free = waiting.filter(({ name, referencedBy }) =>
      referencedBy.every((child) => child === name || done.has(child)),
    )
    if (free.length === 0)
      throw new Error(`tables refer to each other: ${waiting.map(({ name }) => name).join(', ')}`)
    for (const table of free) done.add(table.name)
    sequence.push(...free)
    waiting = waiting.filter(({ name }) => !done.has(name))
  }
  return sequence
}
