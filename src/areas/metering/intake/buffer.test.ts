import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type BatchWriter, type BufferLimits, Disconnected, SampleBuffer } from './buffer.ts'

interface Item {
  readonly name: string
  readonly size: number
}
const item = (name: string, size = 1): Item => ({ name, size })

/** A writer that notes its batches and does with each what it is told. */
function makeWriter(act: (names: string[]) => Promise<void> | void = () => {}) {
  const batches: string[][] = []
  const writer: BatchWriter<Item> & { isClosed: boolean } = {
    isClosed: false,
    async write(parts) {
      const names = parts.map(({ name }) => name)
      await act(names)
      batches.push(names)
    },
    reconnect: () => setTimeout(5),
    async close() {
      writer.isClosed = true
    },
  }
  return { writer, batches }
}

const limits: Partial<BufferLimits> = { batchMin: 3, batchMax: 10, lingerMs: 5, waitMs: 200 }
const status = (work: Promise<unknown>) =>
  work.then(
    () => 'stored',
    (error: { status?: number; message: string }) => error.status ?? error.message,
  )

describe('the buffer', () => {
  it('writes at once when idle, and merges what comes meanwhile', async () => {
    const { writer, batches } = makeWriter(() => setTimeout(20))
    const buffer = new SampleBuffer([writer], limits)
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => buffer.add([item(name)])))
    expect(batches).toEqual([['a'], ['b', 'c', 'd']])
  })

  it('keeps batches within their size and the order of arrival', async () => {
    const { writer, batches } = makeWriter(() => setTimeout(2))
    const buffer = new SampleBuffer([writer], limits)
    await buffer.add([item('a', 6), item('b', 6), item('c', 4), item('d', 1)])
    expect(batches).toEqual([['a'], ['b', 'c'], ['d']])
  })

  it('uses both connections, but lets a small batch wait a moment for company', async () => {
    const first = makeWriter(() => setTimeout(30))
    const second = makeWriter()
    const buffer = new SampleBuffer([second.writer, first.writer], limits)
    const busy = buffer.add([item('a')])
    await Promise.all([buffer.add([item('b')]), setTimeout(1).then(() => buffer.add([item('c')]))])
    await busy
    expect([first.batches, second.batches]).toEqual([[['a']], [['b', 'c']]])
  })

  it('lets one impossible request fail alone', async () => {
    const { writer, batches } = makeWriter(async (names) => {
      await setTimeout(2)
      if (names.includes('poison')) throw new Error('impossible')
    })
    const buffer = new SampleBuffer([writer], limits)
    const names = ['a', 'b', 'poison', 'c']
    const ends = await Promise.all(names.map((name) => status(buffer.add([item(name)]))))
    expect(ends).toEqual(['stored', 'stored', 'impossible', 'stored'])
    expect(batches.flat()).toEqual(['a', 'b', 'c'])
  })

  it('tries again after a lost connection, and loses nothing', async () => {
    let losses = 2
    const { writer, batches } = makeWriter(() => {
      if (losses-- > 0) throw new Disconnected('gone')
    })
    const buffer = new SampleBuffer([writer], limits)
    expect(await Promise.all(['a', 'b'].map((name) => status(buffer.add([item(name)]))))).toEqual([
      'stored',
      'stored',
    ])
    expect(batches.flat().sort()).toEqual(['a', 'b'])
  })

  it('answers 503 in time while the database is away', async () => {
    const { writer, batches } = makeWriter(() => {
      throw new Disconnected('gone')
    })
    const buffer = new SampleBuffer([writer], { ...limits, waitMs: 40 })
    const started = performance.now()
    expect(await status(buffer.add([item('a')]))).toBe(503)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(batches).toEqual([])
    await buffer.drain()
    expect(writer.isClosed).toBe(true)
  })

  it('makes senders wait when it is full, and refuses those beyond', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const { writer, batches } = makeWriter(() => gate)
    const buffer = new SampleBuffer([writer], { ...limits, waitingItemsMax: 4, waitingRequestsMax: 1 })
    const work = [item('writing', 4), item('queued', 4), item('for room', 4), item('too many', 4)].map(
      (one) => status(buffer.add([one])),
    )
    expect(await work[3]).toBe(503)
    release()
    expect(await Promise.all(work.slice(0, 3))).toEqual(['stored', 'stored', 'stored'])
    expect(batches).toEqual([['writing'], ['queued'], ['for room']])
  })

  it('drains: stores what it has, takes nothing new', async () => {
    const { writer, batches } = makeWriter(() => setTimeout(10))
    const buffer = new SampleBuffer([writer], limits)
    const stored = ['a', 'b'].map((name) => status(buffer.add([item(name)])))
    await setTimeout(1)
    const drained = buffer.drain()
    expect(await status(buffer.add([item('late')]))).toBe(503)
    expect(await Promise.all(stored)).toEqual(['stored', 'stored'])
    await drained
    expect(batches.flat()).toEqual(['a', 'b'])
    expect(writer.isClosed).toBe(true)
  })
})
