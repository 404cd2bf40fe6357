import type { Database } from './pool.ts'

export interface HeldLock {
  release(): void
}

/** The name of a lock: a number for its kind, and a text within the kind. */
export interface LockName {
  readonly lockClass: number
  readonly id: string
}

/**
 * Holds an advisory lock for as long as its own connection exists: a process that acquires it knows that
 * the previous holder has ended. `onLost` is called when the connection breaks.
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

/** As holdLock, but undefined when another connection holds the lock. */
export async function tryHoldLock(
  { pool }: Pick<Database, 'pool'>,
  { lockClass, id }: LockName,
  onLost: () => void,
): Promise<HeldLock | undefined> {
  const client = await pool.connect()
  let isOpen = true
  const release = () => {
    if (isOpen) client.release(true)
    isOpen = false
  }
  try {
    const { rows } = await client.query<{ ok: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as ok',
      [lockClass, id],
    )
    if (rows[0]?.ok !== true) {
      isOpen = false
      client.release()
      return undefined
    }
  } catch (error) {
    release()
    throw error
  }
  client.once('error', () => {
    if (!isOpen) return
    release()
    onLost()
  })
  return { release }
}
