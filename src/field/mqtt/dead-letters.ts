import { setTimeout as sleep } from 'node:timers/promises'
import {
  insertDeadLetters,
  type NewDeadLetter,
  trimTenantDeadLetters,
} from '../../areas/equipment/gateway-link/index.ts'
import { SenderGone } from '../../areas/metering/intake-contract/index.ts'
import { DEAD_LETTERS_AT_ONCE, MQTT_PACKET_BYTES_MAX } from '../../kernel/limits.ts'
import { isTransient } from '../../platform/db/errors.ts'
import type { Database } from '../../platform/db/pool.ts'
import type { ThrottledLog } from '../../platform/observability/throttled-log.ts'
import type { Clock } from '../../platform/runtime/clock.ts'
import { DEAD_LETTERS_TRIM_EVERY, MQTT_RETRY_MS } from './limits.ts'

interface Waiting {
  readonly letter: NewDeadLetter
  readonly isGone: () => boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface DeadLetters {
  /** Resolves when the dead letter is committed; rejects only when its sender is gone. */
  keep(letter: NewDeadLetter, isGone: () => boolean): Promise<void>
}

interface LetterDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Pick<ThrottledLog, 'warn'>
}

const DETAIL_MAX = 1_000
/** Removes what PostgreSQL cannot store in a text. */
const storable = (text: string): string => text.replaceAll('\0', '\u{fffd}').slice(0, DETAIL_MAX)

/**
 * Stores dead letters in batches, one after the other, so that a large number of them costs few statements
 * and never runs concurrently.
 */
export function makeDeadLetters({ database, clock, log }: LetterDeps): DeadLetters {
  const queue: Waiting[] = []
  const sinceTrim = new Map<number, number>()
  let isRunning = false

  function portion(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const { letter } of queue) {
      if (count >= DEAD_LETTERS_AT_ONCE || (count > 0 && bytes > MQTT_PACKET_BYTES_MAX)) break
      bytes += letter.payload.length
      count += 1
    }
    return queue.splice(0, count)
  }

  async function trim(letters: readonly NewDeadLetter[]): Promise<void> {
    for (const { tenantId } of letters) sinceTrim.set(tenantId, (sinceTrim.get(tenantId) ?? 0) + 1)
    for (const [tenantId, count] of sinceTrim) {
      if (count < DEAD_LETTERS_TRIM_EVERY) continue
      sinceTrim.delete(tenantId)
      const dropped = await trimTenantDeadLetters({ database, clock }, tenantId)
      if (dropped > 0) log.warn({ tenantId }, 'dead letters fell out of a full list', dropped)
    }
  }

  /** Never rejects: the promise of each dead letter is settled with its result. */
  async function store(waiting: readonly Waiting[]): Promise<void> {
    for (let left = waiting; left.length > 0; ) {
      try {
        await insertDeadLetters(
          database,
          left.map(({ letter }) => letter),
        )
        for (const { resolve } of left) resolve()
        return
      } catch (error) {
        if (!isTransient(error)) return await storeSingly(left, error)
        log.warn({ reason: (error as Error).message }, 'dead letters are kept again')
        await sleep(MQTT_RETRY_MS)
        for (const one of left) if (one.isGone()) one.reject(new SenderGone('the sender has gone'))
        left = left.filter((one) => !one.isGone())
      }
    }
  }

  /** Stored one by one, so that a dead letter that cannot be stored does not fail the others. */
  async function storeSingly(waiting: readonly Waiting[], error: unknown): Promise<void> {
    if (waiting.length > 1) for (const one of waiting) await store([one])
    else waiting[0]?.reject(error)
  }

  async function run(): Promise<void> {
    isRunning = true
    while (queue.length > 0) {
      const letters = portion()
      await store(letters)
      await trim(letters.map(({ letter }) => letter)).catch((error: Error) =>
        log.warn({ reason: error.message }, 'the list of dead letters was not cut'),
      )
    }
    isRunning = false
  }

  return {
    keep: (letter, isGone) =>
      new Promise((resolve, reject) => {
        const { detail, topic } = letter
        queue.push({
          letter: { ...letter, detail: storable(detail), topic: storable(topic) },
          isGone,
          resolve,
          reject,
        })
        if (!isRunning) setImmediate(() => void (isRunning || run()))
      }),
  }
}
