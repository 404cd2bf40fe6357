import type { Operation } from './document.ts'
import { collectionOf } from './pool.ts'
import type { FuzzRandom } from './random.ts'
import type { Mode } from './requests.ts'

/** The operations of one kind of record. */
export interface Lifecycle {
  readonly create: Operation
  /** Reads, changes and actions of a record. */
  readonly uses: readonly Operation[]
  readonly ends: readonly Operation[]
}

export interface Step {
  readonly operation: Operation
  /** Undefined: chosen at random. */
  readonly mode?: Mode
}

const addressesRecord = (path: string, collection: string): boolean =>
  path.includes('/{') && collectionOf(path) === collection

/** The life of every resource that a POST to its collection creates. */
export function lifecyclesOf(operations: readonly Operation[]): Lifecycle[] {
  return operations.flatMap((create) => {
    const isCreate =
      create.method === 'POST' && create.responses['201'] !== undefined && !create.path.endsWith('}')
    if (!isCreate) return []
    const own = operations.filter(({ path }) => addressesRecord(path, create.path))
    const ends = own.filter(({ method, path }) => method === 'DELETE' && path.endsWith('}'))
    return own.length === 0
      ? []
      : [{ create, uses: own.filter((operation) => !ends.includes(operation)), ends }]
  })
}

const USES_MAX = 8

/** The requests after the creation: some uses, a deletion, the deletion again and a use of what is deleted. */
export function stepsOf({ uses, ends }: Lifecycle, random: FuzzRandom): Step[] {
  const some = random.shuffle(uses).slice(0, USES_MAX)
  const steps: Step[] = some.map((operation) =>
    random.chance(60) ? { operation, mode: 'valid' } : { operation },
  )
  const end = random.choose(ends)
  if (!end || random.chance(50)) return steps
  const after = random.choose(uses)
  return [
    ...steps,
    { operation: end, mode: 'valid' },
    { operation: end },
    ...(after ? [{ operation: after }] : []),
  ]
}
