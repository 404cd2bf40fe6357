import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import type { Sample } from '../../platform/ingest.ts'
import { Outbox } from './outbox.ts'

const sample = (at: number, deviceId = 'device'): Sample => ({ deviceId, at, values: { voltage: 230 } })
const log = { warn: () => {} }

/** An outbox whose way out does what it is told. */
function makeOutbox(act: (batch: readonly Sample[]) => Promise<void> | void, most = 4) {
  const stored: number[] = []
  const submit = async (batch: readonly Sample[]) => {
    await act(batch)
    stored.push(...batch.map(({ at }) => at))
  }
  return { stored, outbox: new Outbox({ submit, log, most, retryMs: 1 }) }
}

describe('the outbox', () => {
  it('stores in order what it is given, and more while it does', async () => {
    const { stored, outbox } = makeOutbox(() => new Promise((resolve) => setTimeout(resolve, 2)), 100)
    for (let at = 0; at < 20; at++) {
      outbox.put(sample(at))
      if (at % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await outbox.close()
    expect(stored).toEqual(Array.from({ length: 20 }, (_, at) => at))
  })

  it('makes wait when it is full, and tries again until it is stored', async () => {
    let failures = 3
    const { stored, outbox } = makeOutbox(() => {
      if (failures-- > 0) throw new AppError(503, 'SERVICE_OVERLOADED', 'later')
    })
    for (let at = 0; at < 4; at++) outbox.put(sample(at))
    let hasRoom = false
    const room = outbox.room().then(() => {
      hasRoom = true
    })
    expect(hasRoom).toBe(false)
    await room
    expect(failures).toBe(-1)
    expect(stored).toEqual([0, 1, 2, 3])
  })

  it('leaves out a sample that is refused for good, and no other', async () => {
    const { stored, outbox } = makeOutbox((batch) => {
      if (batch.some(({ deviceId }) => deviceId === 'deleted'))
        throw new AppError(422, 'VALIDATION_ERROR', 'who?')
    }, 100)
    outbox.put(sample(1))
    outbox.put(sample(2, 'deleted'))
    outbox.put(sample(3))
    await outbox.close()
    expect(stored).toEqual([1, 3])
  })

  it('ends although nothing can be stored', async () => {
    const { stored, outbox } = makeOutbox(() => {
      throw new Error('the database is away')
    })
    outbox.put(sample(1))
    const room = outbox.room()
    await outbox.close()
    await room
    expect(stored).toEqual([])
  })
})
