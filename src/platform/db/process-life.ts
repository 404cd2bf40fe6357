import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { type HeldLock, holdLock } from './held-lock.ts'
import type { Database } from './pool.ts'
import type { DB } from './types.ts'

/**
 * The first key of the advisory locks by which a process proves that it is alive; an arbitrary number that nothing else
 * uses.
 */
const LOCK_CLASS = 723_648_205

/** The life of this process, as far as other processes see it. */
export interface ProcessLife {
  readonly id: string
  /** Resolves when the other processes see that this one is alive. */
  prove(): Promise<void>
  /** Ends the proof. */
  end(): void
}

/**
 * A process names itself in rows that it will settle, and holds an advisory lock under that name for as long as its
 * connection lives: see hasEnded. The lock is acquired when it is first needed, and again when its connection broke.
 */
export function makeProcessLife(database: Pick<Database, 'pool'>): ProcessLife {
  const id = randomUUID()
  /** Concurrent requests share one acquisition. */
  let held: Promise<HeldLock> | undefined

  return {
    id,
    async prove() {
      held ??= holdLock(database, { lockClass: LOCK_CLASS, id }, () => {
        held = undefined
      })
      const mine = held
      await mine.catch((error: unknown) => {
        if (held === mine) held = undefined
        throw error
      })
    },
    end() {
      held?.then(({ release }) => release()).catch(() => {})
      held = undefined
    },
  }
}

/** True when the process of that id has ended, or has lost its connection. Several may ask at the same time. */
export async function hasEnded(db: Kysely<DB>, id: string): Promise<boolean> {
  // A statement of its own, because the locks of a distributed database are those of its coordinator.
  const { rows } = await sql<{ ended: boolean }>`
    select pg_try_advisory_xact_lock_shared(${LOCK_CLASS}, hashtext(${id})) as ended`.execute(db)
  return rows[0]?.ended === true
}
