import { describe, expect, it } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import type { Sample } from '../../areas/metering/intake-contract/index.ts'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import { MODBUS_OUTBOX_MAX, MODBUS_SUBMITS_MAX } from './limits.ts'
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
  return { stored, outbox: new Outbox({ submit, log, capacity: most, collectMs: 5, retryMs: 1 }) }
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
      if (failures-- > 0) throw new AppError(503, 'SERVICE_OVERLOADED', ERROR_TEXTS.DATABASE_UNREACHABLE())
    })
    for (let at = 0; at < 4; at++) outbox.add(sample(at))
    let hasRoom = false
    const room = outbox.waitForCapacity().then(() => {
      hasRoom = true
    })
    expect(hasRoom).toBe(false)
    await room
    await outbox.close()
    // The samples were stored together, after the given number of failures.
    expect(failures).toBe(-1)
    expect(stored.toSorted()).toEqual([0, 1, 2, 3])
  })

  it('drops a permanently rejected sample, and no other', async () => {
    const { stored, outbox } = makeOutbox((batch) => {
      if (batch.some(({ deviceId }) => deviceId === 'deleted'))
        throw new AppError(422, 'VALIDATION_ERROR', ERROR_TEXTS.RECORD_NOT_FOUND({ what: 'device' }))
    }, 100)
    outbox.add(sample(1))
    outbox.add(sample(2, 'deleted'))
    outbox.add(sample(3))
    await outbox.close()
    expect(stored).toEqual([1, 3])
  })

  it('submits a bounded number of samples at once, also while samples are added and others are committed', async () => {
    const commits: (() => void)[] = []
    let submitted = 0
    let submittedMax = 0
    const { stored, outbox } = makeOutbox(async (batch) => {
      submitted += batch.length
      submittedMax = Math.max(submittedMax, submitted)
      await new Promise<void>((resolve) => commits.push(resolve))
      submitted -= batch.length
    }, MODBUS_OUTBOX_MAX)
    let added = 0
    while (added < 2 * MODBUS_SUBMITS_MAX) outbox.add(sample(added++))
    expect(submitted).toBe(MODBUS_SUBMITS_MAX)
    expect(MODBUS_SUBMITS_MAX).toBe(500)
    commits.shift()?.()
    // A sample is added at every step between a commit and the submission of the samples that wait for it.
    for (let step = 0; step < 10; step++) {
      await Promise.resolve()
      outbox.add(sample(added++))
    }
    await waitFor(() => {
      for (const commit of commits.splice(0)) commit()
      return stored.length === added
    })
    expect(submittedMax).toBe(MODBUS_SUBMITS_MAX)
    expect(stored).toEqual(Array.from({ length: added }, (_, at) => at))
    await outbox.close()
  })

  it('submits samples together that are read shortly one after the other', async () => {
    const sizes: number[] = []
    const { stored, outbox } = makeOutbox((batch) => void sizes.push(batch.length), 100)
    for (let at = 0; at < 20; at++) outbox.add(sample(at))
    await waitFor(() => stored.length === 20)
    outbox.add(sample(20))
    await waitFor(() => stored.length === 21)
    expect(sizes).toEqual([20, 1])
    await outbox.close()
  })

  it('stores the other samples of a batch while one of them fails', async () => {
    const { stored, outbox } = makeOutbox((batch) => {
      if (batch.some(({ at }) => at === 2)) throw new Error('this sample cannot be stored')
    }, 100)
    for (let at = 1; at < 4; at++) outbox.add(sample(at))
    await waitFor(() => stored.length === 2)
    expect(stored).toEqual([1, 3])
    await outbox.close()
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
