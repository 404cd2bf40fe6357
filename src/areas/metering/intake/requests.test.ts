import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Sample } from '../intake-contract/index.ts'
import { SampleQueue } from './queue.ts'
import { BatchRetry, type BatchWriter } from './queue-options.ts'
import { type RequestLimits, Requests } from './requests.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const samples = (deviceId: string, count: number): Sample[] =>
  Array.from({ length: count }, (_, index) => ({ deviceId, at: NOW - index, values: { voltage: 230 } }))

/** Requests for known devices, except `unknown`. The device id of a request is its name. */
function makeRequests(act: (names: string[]) => Promise<void> | void, limits: Partial<RequestLimits> = {}) {
  const batches: string[][] = []
  const writer: BatchWriter = {
    async write(parts) {
      const names = parts.flatMap(({ block, from, to }) =>
        Array.from({ length: to - from }, (_, index) => block.deviceIdOf(from + index)),
      )
      await act(names)
      for (const { block, from, to } of parts) block.status.fill(1, from, to)
      batches.push([...new Set(names)])
    },
    reconnect: () => setTimeout(5),
    async close() {},
  }
  const queue = new SampleQueue({ writers: [writer], now: () => NOW }, { batchMax: 10, batchMin: 3 })
  const directory = {
    find: (_tenant: number, sent: readonly { readonly deviceId: string }[]) =>
      new Map(sent.flatMap(({ deviceId }) => (deviceId === 'unknown' ? [] : [[deviceId, 1] as const]))),
  }
  const requests = new Requests(
    { queue, directory, now: () => NOW },
    { waitMs: 60_000, partMax: 10, ...limits },
  )
  const submit = (name: string, count = 1) => requests.submit(1, samples(name, count))
  return { queue, requests, submit, batches }
}

const status = (work: Promise<unknown>) =>
  work.then(
    () => 'stored',
    (error: { status?: number; message: string }) => error.status ?? error.message,
  )

describe('queued ingest requests', () => {
  it('get their own outcome, in a shared block or a separate one', async () => {
    const { submit } = makeRequests(() => {}, { sharedMax: 2 })
    const outcomes = await Promise.all([submit('a'), submit('b', 2), submit('c', 25)])
    expect(outcomes.map(({ accepted }) => accepted)).toEqual([1, 2, 25])
  })

  it('that name an unknown device are rejected whole, and no others', async () => {
    const { submit, requests, batches } = makeRequests(() => {})
    const mixed = requests.submit(1, [...samples('a', 1), ...samples('unknown', 2)])
    const ends = [mixed, submit('b')].map(status)
    await expect(mixed).rejects.toMatchObject({
      status: 422,
      extra: {
        failures: [1, 2].map((index) => ({
          loc: ['body', 'samples', index, 'device_id'],
          msg: 'does not refer to an existing device',
          type: 'invalid_reference',
        })),
      },
    })
    expect(await Promise.all(ends)).toEqual([422, 'stored'])
    expect(batches).toEqual([['b']])
  })

  it('that cannot be stored fail alone, also a part of a large one', async () => {
    const { submit } = makeRequests(
      (names) => {
        if (names.includes('poison')) throw new Error('impossible')
      },
      { sharedMax: 2 },
    )
    const ends = [submit('a'), submit('poison', 25), submit('b', 25), submit('poison'), submit('c')].map(
      status,
    )
    expect(await Promise.all(ends)).toEqual(['stored', 'impossible', 'stored', 'impossible', 'stored'])
  })

  it('are rejected with 503 within their deadline during a database outage', async () => {
    const { queue, submit, batches } = makeRequests(
      () => {
        throw new BatchRetry('gone')
      },
      { waitMs: 40 },
    )
    const started = performance.now()
    expect(await status(submit('a'))).toBe(503)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(batches).toEqual([])
    expect(queue.waitingSamples).toBe(0)
    await queue.drain()
  })

  it('wait when the queue is full, and are rejected beyond the limit of waiting requests', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const { submit, batches } = makeRequests(() => gate, {
      waitMs: 5_000,
      waitingSamplesMax: 4,
      waitingRequestsMax: 1,
    })
    const writing = status(submit('writing', 4))
    for (let passed = 0; passed < 3; passed++) await new Promise((resolve) => setImmediate(resolve))
    const work = [writing, ...['queued', 'for room', 'too many'].map((name) => status(submit(name, 4)))]
    expect(await work[3]).toBe(503)
    release()
    expect(await Promise.all(work.slice(0, 3))).toEqual(['stored', 'stored', 'stored'])
    expect(batches).toEqual([['writing'], ['queued'], ['for room']])
  })

  it('are rejected with 503 during the stop of the service', async () => {
    const { queue, submit } = makeRequests(() => setTimeout(10))
    const stored = status(submit('a'))
    const drained = queue.drain()
    expect(await status(submit('late'))).toBe(503)
    expect(await stored).toBe('stored')
    await drained
  })

  /** Clients that send their next request of `count` samples as soon as the last one is answered. */
  function keepSending(
    submit: (name: string, count: number) => Promise<unknown>,
    clients: number,
    count: number,
  ) {
    let isOver = false
    const loops = Array.from({ length: clients }, async (_, client) => {
      while (!isOver) await submit(`request ${client}`, count)
    })
    return async () => {
      isOver = true
      await Promise.all(loops)
    }
  }

  /** Sends a live message of some samples; resolves when it is committed. */
  const pushLive = (queue: SampleQueue, name: string, count: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const source = {
        count,
        isBackfill: false,
        addTo(sink: { add(sample: Sample, key: number): void }) {
          for (const sample of samples(name, count)) sink.add(sample, 1)
        },
      }
      queue.push(1, source, { isGone: () => false, resolve, reject })
    })

  it.each([
    ['requests that fill batches', 1, 10],
    ['a backlog of small requests as large as a batch', 9, 3],
  ])('let a live message through beside %s', async (_, liveSamples, requestSamples) => {
    const { queue, submit, batches } = makeRequests(() => setTimeout(1), { waitMs: 60_000 })
    const stop = keepSending(submit, 12, requestSamples)
    await setTimeout(20)
    const before = batches.length
    await pushLive(queue, 'live', liveSamples)
    const written = batches.length - before
    await stop()
    expect(written).toBeLessThanOrEqual(6)
  })

  it('are answered after their commit, also when the work after it exceeds their deadline', async () => {
    const writer: BatchWriter = {
      async write(parts) {
        for (const { block, from, to } of parts) block.status.fill(1, from, to)
      },
      reconnect: () => setTimeout(5),
      async close() {},
    }
    const queue = new SampleQueue({ writers: [writer], now: () => NOW, onStored: () => setTimeout(600) })
    const directory = { find: () => new Map([['a', 1]]) }
    const requests = new Requests({ queue, directory, now: () => NOW }, { waitMs: 300 })
    expect(await status(requests.submit(1, samples('a', 1)))).toBe('stored')
  })

  it('are acknowledged when the work after their commit fails', async () => {
    const errors: unknown[] = []
    const writer: BatchWriter = {
      async write(parts) {
        for (const { block, from, to } of parts) block.status.fill(1, from, to)
      },
      reconnect: () => setTimeout(5),
      async close() {},
    }
    const onStored = () => {
      throw new Error('no listener')
    }
    const onError = (error: unknown) => void errors.push(error)
    const queue = new SampleQueue({ writers: [writer], now: () => NOW, onStored, onError })
    const requests = new Requests({ queue, directory: { find: () => new Map([['a', 1]]) }, now: () => NOW })
    expect(await status(requests.submit(1, samples('a', 1)))).toBe('stored')
    expect(errors).toHaveLength(1)
  })
})
