import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ONE_NODE } from '../../../platform/db/distribution/tenant-nodes.ts'
import { SenderGone, type Waiter } from '../intake-contract/index.ts'
import type { Part } from './block.ts'
import {
  INGEST_BACKFILL_BATCH_SAMPLES,
  INGEST_BACKFILL_EVERY,
  INGEST_DRAIN_MAX_MS,
  INGEST_RECONNECT_MS,
  INGEST_TURN_SAMPLES,
} from './limits.ts'
import { BusyShare, SampleQueue } from './queue.ts'
import { type BatchLimits, BatchRetry, type BatchWriter, type QueueOptions } from './queue-options.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const LIVE = NOW - 60_000
const OLD = NOW - 3_600_000

/** The device ids of the samples of a part, which are the names of messages here. */
const namesOf = ({ block, from, to }: Part): string[] =>
  Array.from({ length: to - from }, (_, index) => block.deviceIdOf(from + index))

interface Written {
  readonly names: string[]
  readonly isOld: boolean
  readonly tenants: number[]
  readonly parts: number
}

/** A writer that records its batches and calls `act` for each. */
function makeWriter(act: (batch: Written) => Promise<void> | void = () => {}) {
  const batches: Written[] = []
  const writer: BatchWriter & { isClosed: boolean } = {
    isClosed: false,
    async write(parts) {
      const batch = {
        names: parts.flatMap(namesOf),
        isOld: parts.some(({ block, from }) => (block.at[from] ?? 0) < LIVE),
        tenants: parts.map(({ block }) => block.tenantId),
        parts: parts.length,
      }
      await act(batch)
      batches.push(batch)
    },
    reconnect: () => setTimeout(5),
    async close() {
      writer.isClosed = true
    },
  }
  return { writer, batches, names: () => batches.map((batch) => batch.names) }
}

/** A writer whose batches wait until the test releases them. */
function makeHeldWriter() {
  const held: (Written & { readonly end: (error?: Error) => void })[] = []
  const { writer } = makeWriter(
    (batch) =>
      new Promise((resolve, reject) => {
        held.push({ ...batch, end: (error) => (error ? reject(error) : resolve()) })
      }),
  )
  return { writer, held }
}

interface SendOptions {
  readonly tenantId?: number
  readonly count?: number
  readonly isBackfill?: boolean
  readonly isGone?: () => boolean
}

const limits: Partial<BatchLimits> = { batchMin: 3, batchMax: 10, lingerMs: 5 }
const status = (work: Promise<unknown>) =>
  work.then(
    () => 'stored',
    (error: Error) => (error instanceof SenderGone ? 'gone' : error.message),
  )

function makeQueue(
  writers: readonly BatchWriter[],
  own: Partial<BatchLimits> = limits,
  onStored?: (part: Part) => Promise<void> | undefined,
  nodes: QueueOptions['nodes'] = ONE_NODE,
) {
  const queue = new SampleQueue({ writers, nodes, now: () => NOW, ...(onStored && { onStored }) }, own)
  /** Resolves when the message is stored. */
  const send = (name: string, options: SendOptions = {}): Promise<void> => {
    const { tenantId = 1, count = 1, isBackfill = false, isGone = () => false } = options
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { isGone, resolve, reject }
      const at = isBackfill ? OLD : LIVE
      queue.push(
        tenantId,
        {
          count,
          isBackfill,
          addTo(sink) {
            for (let index = 0; index < count; index++) {
              sink.add({ deviceId: name, at: at + index, values: { voltage: 230 } }, 1)
            }
          },
        },
        waiter,
      )
    })
  }
  return { queue, send }
}

const WAIT = { timeout: 60_000 }

/** Resolves when everything enqueued has been dispatched. */
const turn = async () => {
  for (let passed = 0; passed < 3; passed++) await new Promise((resolve) => setImmediate(resolve))
}

describe('sample queue', () => {
  it('writes at once when idle, concurrent samples in one batch, and merges those that arrive meanwhile', async () => {
    const { writer, batches, names } = makeWriter(() => setTimeout(20))
    const { send } = makeQueue([writer])
    const first = [send('a'), send('b')]
    await turn()
    await Promise.all([...first, send('c'), send('d'), send('e', { tenantId: 2 })])
    expect(names()).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
    expect(batches.map(({ parts }) => parts)).toEqual([1, 2])
  })

  it('keeps batches within their size and the order of arrival, and never splits a message', async () => {
    const { writer, batches } = makeWriter(() => setTimeout(2))
    const { send } = makeQueue([writer])
    await Promise.all([
      send('a', { count: 6 }),
      send('b', { count: 6 }),
      send('c', { count: 4 }),
      send('d', { count: 12 }),
    ])
    expect(batches.map(({ names }) => [...new Set(names)])).toEqual([['a'], ['b', 'c'], ['d']])
  })

  it('uses both connections, but delays a small batch briefly to fill it', async () => {
    const first = makeHeldWriter()
    const second = makeWriter()
    const { send } = makeQueue([second.writer, first.writer], { ...limits, lingerMs: 500 })
    const busy = send('a')
    await vi.waitFor(() => expect(first.held).toHaveLength(1), WAIT)
    await Promise.all([send('b'), setTimeout(1).then(() => send('c'))])
    first.held[0]?.end()
    await busy
    expect([first.held.map(({ names }) => names), second.names()]).toEqual([[['a']], [['b', 'c']]])
  })

  it('splits a failed batch in halves, so that only the faulty message is rejected', async () => {
    let writes = 0
    const { writer, names } = makeWriter(async ({ names }) => {
      writes += 1
      await setTimeout(1)
      if (names.includes('poison')) throw new Error('impossible')
    })
    const { send } = makeQueue([writer], { ...limits, batchMax: 100 })
    const sent = Array.from({ length: 64 }, (_, index) => (index === 37 ? 'poison' : `${index}`))
    const ends = await Promise.all(sent.map((name) => status(send(name))))
    expect(ends).toEqual(sent.map((name) => (name === 'poison' ? 'impossible' : 'stored')))
    expect(names().flat()).toEqual(sent.filter((name) => name !== 'poison'))
    expect(writes).toBeLessThanOrEqual(2 * Math.log2(64) + 1)
  })

  it('rejects every faulty message, and no other', async () => {
    const { writer } = makeWriter(({ names }) => {
      if (names.some((name) => name.startsWith('poison'))) throw new Error('impossible')
    })
    const { send } = makeQueue([writer])
    const sent = ['poison 1', 'a', 'poison 2', 'poison 3', 'b']
    const ends = await Promise.all(sent.map((name) => status(send(name))))
    expect(ends).toEqual(['impossible', 'stored', 'impossible', 'impossible', 'stored'])
  })

  it('retries after a lost connection, in the order of arrival, without a loss', async () => {
    let losses = 2
    const { writer, names } = makeWriter(() => {
      if (losses-- > 0) throw new BatchRetry('gone')
    })
    const { send } = makeQueue([writer])
    const first = [send('a'), send('b', { tenantId: 2 }), send('c')].map(status)
    await setTimeout(1)
    first.push(status(send('d')))
    expect(await Promise.all(first)).toEqual(['stored', 'stored', 'stored', 'stored'])
    const own = names().flat()
    expect(own.toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(own.filter((name) => name !== 'b')).toEqual(['a', 'c', 'd'])
  })

  it('writes a committed half of a batch once when the connection is lost before its acknowledgement', async () => {
    let isLost = false
    const { writer, names } = makeWriter(({ names }) => {
      if (names.includes('poison')) throw new Error('impossible')
      if (!names.includes('second') || isLost) return
      isLost = true
      throw new BatchRetry('gone')
    })
    let acknowledge = () => {}
    const afterCommit = new Promise<void>((resolve) => {
      acknowledge = resolve
    })
    const { send } = makeQueue([writer], limits, () => afterCommit)
    const ends = ['first', 'poison', 'second'].map((name) => status(send(name)))
    await vi.waitFor(() => expect(names().flat()).toContain('second'), WAIT)
    acknowledge()
    expect(await Promise.all(ends)).toEqual(['stored', 'impossible', 'stored'])
    expect(names()).toEqual([['first'], ['second']])
  })

  it.each([
    ['live', false],
    ['backfill', true],
  ])('writes the %s messages of others after a message that could not be enqueued', async (_, isBackfill) => {
    const { writer, names } = makeWriter()
    const { queue, send } = makeQueue([writer])
    const addTo = () => {
      throw new Error('unreadable')
    }
    const waiter: Waiter = { isGone: () => false, resolve() {}, reject() {} }
    expect(() => queue.push(1, { count: 1, isBackfill, addTo }, waiter)).toThrow('unreadable')
    const stored = status(send('other', { tenantId: 2, isBackfill }))
    await turn()
    expect(names()).toEqual([['other']])
    expect(await stored).toBe('stored')
  })

  it('retries a temporary failure until its sender gives up', async () => {
    const { writer, held } = makeHeldWriter()
    const { send } = makeQueue([writer])
    let isGone = false
    const accepted = status(send('staying'))
    const leaving = status(send('leaving', { isGone: () => isGone }))
    await turn()
    isGone = true
    held.shift()?.end(new BatchRetry('the database is away'))
    expect(await leaving).toBe('gone')
    expect(held.map(({ names }) => names)).toEqual([['staying']])
    held.shift()?.end()
    expect(await accepted).toBe('stored')
  })

  it('acknowledges after the work that follows the commit', async () => {
    const { writer } = makeWriter()
    let finish = () => {}
    const queue = new SampleQueue({
      writers: [writer],
      now: () => NOW,
      onStored: () => new Promise((resolve) => (finish = resolve)),
    })
    let isAcknowledged = false
    const addTo: Parameters<SampleQueue['push']>[1]['addTo'] = (sink) =>
      sink.add({ deviceId: 'a', at: LIVE, values: { voltage: 1 } }, 1)
    queue.push(
      1,
      { count: 1, isBackfill: false, addTo },
      {
        isGone: () => false,
        resolve: () => {
          isAcknowledged = true
        },
        reject: () => {},
      },
    )
    await turn()
    expect(isAcknowledged).toBe(false)
    finish()
    await turn()
    expect(isAcknowledged).toBe(true)
  })

  it('drain stores what is queued and accepts nothing new', async () => {
    const { writer, names } = makeWriter(() => setTimeout(10))
    const { queue, send } = makeQueue([writer])
    const stored = ['a', 'b'].map((name) => status(send(name)))
    await setTimeout(1)
    const drained = queue.drain()
    expect(await status(send('late'))).toBe('gone')
    expect(await Promise.all(stored)).toEqual(['stored', 'stored'])
    await drained
    expect(names().flat()).toEqual(['a', 'b'])
    expect(writer.isClosed).toBe(true)
  })

  it('drain ends during a database outage, and rejects what cannot be stored', async () => {
    const { writer } = makeWriter(() => {
      throw new BatchRetry('gone')
    })
    const { queue, send } = makeQueue([writer], { ...limits, drainMs: 30 })
    const stored = status(send('a'))
    await queue.drain()
    expect(await stored).toBe('gone')
    expect(writer.isClosed).toBe(true)
  })

  it.each([
    // The limit of the drain falls into an attempt, after which the batch would be written again.
    ['every attempt fails after a while', 700],
    ['an attempt never ends', Number.POSITIVE_INFINITY],
  ])('drains within its limit when %s: what is left is refused', async (_, failsAfterMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const sleep = (ms: number) =>
      new Promise<void>(
        (resolve) => void (ms < Number.POSITIVE_INFINITY && globalThis.setTimeout(resolve, ms)),
      )
    const { writer } = makeWriter(async () => {
      await sleep(failsAfterMs)
      throw new BatchRetry('gone')
    })
    const { queue, send } = makeQueue([{ ...writer, reconnect: () => sleep(INGEST_RECONNECT_MS) }], {})
    const ends = [status(send('being written')), turn().then(() => status(send('waiting')))]
    await turn()
    let isDrained = false
    const drained = queue.drain().then(() => {
      isDrained = true
    })
    await vi.advanceTimersByTimeAsync(INGEST_DRAIN_MAX_MS - 1)
    expect(isDrained).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(isDrained).toBe(true)
    await drained
    expect(await Promise.all(ends)).toEqual(['gone', 'gone'])
  })
})

describe('priorities in the sample queue', () => {
  it('let live messages pass a week of backfill, which still progresses', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { writer, held } = makeHeldWriter()
    const other = makeHeldWriter()
    const { queue, send } = makeQueue([writer, other.writer], {})
    // A week at a sample a minute, in backfill messages of a hundred, beside a constant stream of live
    // messages.
    const old = Array.from({ length: 100 }, () => send('old', { count: 100, isBackfill: true }))
    const live: Promise<void>[] = []
    const order: boolean[] = []
    for (let round = 0; round < 400; round++) {
      live.push(send('live'))
      await vi.advanceTimersByTimeAsync(4)
      await turn()
      const batches = [...held.splice(0), ...other.held.splice(0)]
      for (const batch of batches) {
        order.push(batch.isOld)
        expect(batch.names.length).toBeLessThanOrEqual(batch.isOld ? INGEST_BACKFILL_BATCH_SAMPLES : 2)
        batch.end()
      }
      expect(batches.filter(({ isOld }) => isOld).length).toBeLessThanOrEqual(1)
      // Whatever is queued as backfill: a live message is dispatched within the linger time.
      expect(queue.waiting.live).toBe(0)
      await turn()
    }
    const rest = (async () => {
      while (queue.waiting.backfill > 0 || held.length + other.held.length > 0) {
        for (const batch of [...held.splice(0), ...other.held.splice(0)]) batch.end()
        await turn()
      }
    })()
    await Promise.all([...live, ...old, rest])
    expect(order.filter(Boolean).length).toBeGreaterThanOrEqual((100 * 100) / INGEST_BACKFILL_BATCH_SAMPLES)
  })

  it('dispatch one backfill batch after several live ones, one at a time', async () => {
    const { writer, held } = makeHeldWriter()
    const { queue, send } = makeQueue([writer], {})
    const everything: Promise<void>[] = []
    for (let index = 0; index < 40; index++) {
      everything.push(send('live', { count: INGEST_TURN_SAMPLES }))
      everything.push(send('old', { count: INGEST_BACKFILL_BATCH_SAMPLES, isBackfill: true }))
    }
    let turns = 0
    let oldOnes = 0
    await turn()
    while (queue.waiting.live > 0) {
      const batch = held.shift()
      if (!batch) break
      if (batch.isOld) oldOnes += 1
      else turns += batch.names.length / INGEST_TURN_SAMPLES
      batch.end()
      await turn()
    }
    expect(oldOnes).toBeGreaterThan(0)
    expect(oldOnes).toBeLessThanOrEqual(Math.ceil(turns / INGEST_BACKFILL_EVERY) + 1)
    while (held.length > 0) {
      held.shift()?.end()
      await turn()
    }
    await Promise.all(everything)
  })

  it('alternate between tenants', async () => {
    const { writer, held } = makeHeldWriter()
    const { send } = makeQueue([writer], {})
    const flood = Array.from({ length: 20 }, () => send('flood', { count: INGEST_TURN_SAMPLES }))
    const other = send('other', { tenantId: 2 })
    await turn()
    expect(held[0]?.tenants.toSorted()).toEqual([1, 1, 2])
    while (held.length > 0) {
      held.shift()?.end()
      await turn()
    }
    await Promise.all([...flood, other])
  })

  it('have a batch for each node, in which the others keep their turn', async () => {
    const { writer, batches } = makeWriter()
    const nodes = new Map([1, 2, 3, 4, 5, 6].map((tenantId) => [tenantId, tenantId % 2]))
    const nodeOf = (tenantId: number) => nodes.get(tenantId) ?? -tenantId
    const { send } = makeQueue([writer], {}, undefined, { nodeOf })
    await Promise.all([1, 2, 3, 4, 7, 8, 5, 6].map((tenantId) => send(`of ${tenantId}`, { tenantId })))
    // The nodes of the tenants 7 and 8 are not known yet.
    expect(batches.map(({ tenants }) => tenants)).toEqual([[1, 3, 5], [2, 4, 6], [7], [8]])
  })
})

describe('the busy share', () => {
  it('is the fraction of recent time that was busy, at any read', () => {
    let at = 0
    const share = new BusyShare(() => at)
    expect(share.read()).toBe(0)
    for (; at < 5_000; at += 10) {
      share.set(true)
      at += 30
      share.read()
      share.set(false)
    }
    expect(share.read()).toBeCloseTo(0.75, 1)
    share.set(true)
    at += 5_000
    expect(share.read()).toBeCloseTo(1)
    share.set(true)
    share.set(false)
    at += 200
    expect(share.read()).toBeCloseTo(Math.exp(-1))
    at += 5_000
    expect(share.read()).toBeCloseTo(0)
  })
})
