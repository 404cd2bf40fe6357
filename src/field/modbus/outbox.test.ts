import { describe, expect, it } from 'vitest'
import type { Sample } from '../../areas/metering/intake-contract/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { Outbox } from './outbox.ts'

const sample = (at: number, deviceId = 'device'): Sample => ({ deviceId, at, values: { voltage: 230 } })
const log = { warn: () => {} }

/** An outbox whose `submit` runs `act` first. */
function makeOutbox(act: (batch: readonly Sample[]) => Promise<void> | void, most = 4) {
  const stored: number[] = []
  const submit = async (batch: readonly Sample[]) => {
    await act(batch)
    stored.push(...batch.map(({ at }) => at))
  }
  return { stored, outbox: new Outbox({ submit, log, capacity: most, retryMs: 1 }) }
}

describe('Outbox', () => {
  it('stores samples in order, also those added meanwhile', async () => {
    const { stored, outbox } = makeOutbox(() => new Promise((resolve) => setTimeout(resolve, 2)), 100)
    for (let at = 0; at < 20; at++) {
      outbox.add(sample(at))
      if (at % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await outbox.close()
    expect(stored).toEqual(Array.from({ length: 20 }, (_, at) => at))
  })

  it('blocks when it is full, and retries until everything is stored', async () => {
    let failures = 3
    const { stored, outbox } = makeOutbox(() => {
      if (failures-- > 0) throw new AppError(503, 'SERVICE_OVERLOADED', 'later')
    })
    for (let at = 0; at < 4; at++) outbox.add(sample(at))
    let hasRoom = false
    const room = outbox.waitForCapacity().then(() => {
      hasRoom = true
    })
    expect(hasRoom).toBe(false)
    await room
    await outbox.close()
    // Each sample was stored once, after the given number of failures.
    expect(failures).toBe(-4)
    expect(stored.toSorted()).toEqual([0, 1, 2, 3])
  })

  it('drops a permanently rejected sample, and no other', async () => {
    const { stored, outbox } = makeOutbox((batch) => {
      if (batch.some(({ deviceId }) => deviceId === 'deleted'))
        throw new AppError(422, 'VALIDATION_ERROR', 'who?')
    }, 100)
    outbox.add(sample(1))
    outbox.add(sample(2, 'deleted'))
    outbox.add(sample(3))
    await outbox.close()
    expect(stored).toEqual([1, 3])
  })

  it('closes although nothing can be stored', async () => {
    const { stored, outbox } = makeOutbox(() => {
      throw new Error('the database is away')
    })
    outbox.add(sample(1))
    const room = outbox.waitForCapacity()
    await outbox.close()
    await room
    expect(stored).toEqual([])
  })
})
