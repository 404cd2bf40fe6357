import type { Database } from './pool.ts'

export interface HeldLock {
  release(): void
}

/** Two numbers that name a lock: whose kind it is, and a text within it. */
export interface LockName {
  readonly lockClass: number
  readonly id: string
}

/**
 * Holds a lock of the database for as long as its own connection lives: a process that acquires it knows that
 * the previous holder is dead. `onLost` is called when the connection breaks.
 */
export async function holdLock(
  { pool }: Pick<Database, 'pool'>,
  { lockClass, id }: LockName,
  onLost: () => void,
): Promise<HeldLock> {
  const client = await pool.connect()
  let isOpen = true
  const release = () => {
    if (isOpen) client.release(true)
    isOpen = false
  }
  client.once('error', () => {
    onLost()
    release()
  })
  try {
    await client.query('select pg_advisory_lock($1, hashtext($2))', [lockClass, id])
    return { release }
  } catch (error) {
    release()
    throw error
  }
}
