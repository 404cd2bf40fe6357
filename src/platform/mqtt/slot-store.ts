import type pg from 'pg'
import type { Database } from '../db/pool.ts'

/** Any number that only we use: the first half of the locks by which a process holds a slot. */
const LOCK_CLASS = 723_648_203

export interface Slots {
  /** Takes a free slot that was used before, or the lowest new one; undefined when `max` are in use. */
  takeOne(max: number): Promise<number | undefined>
  /** Takes one that was used before and that nobody serves. */
  takeAbandoned(): Promise<number | undefined>
  /** Nothing is kept under it any more. */
  retire(slot: number): Promise<void>
  giveBack(slot: number): Promise<void>
  release(): void
}

/**
 * Slots are client ids at an outside broker, each held by one process of the installation through a lock of the
 * database that ends with its connection. `onLost` is called when that connection breaks: no slot is held any more.
 */
export function makeSlots({ pool }: Database, onLost: () => void): Slots {
  let opened: Promise<pg.PoolClient> | undefined
  const own = new Set<number>()

  async function open(): Promise<pg.PoolClient> {
    const client = await pool.connect()
    client.once('error', () => {
      if (opened === undefined) return
      opened = undefined
      own.clear()
      client.release(true)
      onLost()
    })
    return client
  }

  async function session(): Promise<pg.PoolClient> {
    opened ??= open()
    return opened.catch((error: unknown) => {
      opened = undefined
      throw error
    })
  }

  async function tryLock(slot: number): Promise<boolean> {
    if (own.has(slot)) return false
    const client = await session()
    const { rows } = await client.query<{ ok: boolean }>('select pg_try_advisory_lock($1, $2) as ok', [
      LOCK_CLASS,
      slot,
    ])
    if (rows[0]?.ok) own.add(slot)
    return rows[0]?.ok === true
  }

  async function used(): Promise<number[]> {
    const { rows } = await pool.query<{ slot: number }>('select slot from broker_slot order by slot')
    return rows.map(({ slot }) => slot)
  }

  return {
    async takeOne(max) {
      for (const slot of await used()) if (await tryLock(slot)) return slot
      for (let slot = 1; slot <= max; slot++) {
        if (!(await tryLock(slot))) continue
        await pool.query('insert into broker_slot (slot) values ($1) on conflict do nothing', [slot])
        return slot
      }
      return undefined
    },
    async takeAbandoned() {
      for (const slot of await used()) if (await tryLock(slot)) return slot
      return undefined
    },
    async retire(slot) {
      await pool.query('delete from broker_slot where slot = $1', [slot])
    },
    async giveBack(slot) {
      if (!own.delete(slot)) return
      const client = await session()
      await client.query('select pg_advisory_unlock($1, $2)', [LOCK_CLASS, slot])
    },
    release() {
      const client = opened
      opened = undefined
      own.clear()
      void client?.then((one) => one.release(true)).catch(() => {})
    },
  }
}
