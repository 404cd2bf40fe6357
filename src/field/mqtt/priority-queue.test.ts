import { describe, expect, it } from 'vitest'
import type { Collection, Sample } from '../../platform/ingest.ts'
import {
  MQTT_BACKFILL_BLOCK_SAMPLES,
  MQTT_BACKFILL_EVERY,
  MQTT_LIVE_BLOCK_SAMPLES,
  MQTT_LIVE_BLOCKS_PER_TENANT,
} from './limits.ts'
import { Lanes, SenderGone, type Verdict } from './priority-queue.ts'

const LIVE = 1_000_000
const samples = (count: number, at = LIVE): Sample[] =>
  Array.from({ length: count }, (_, index) => ({ deviceId: 'd', at: at + index, values: { voltage: 230 } }))
const stays = () => false

interface Block {
  readonly tenantId: number
  readonly samples: readonly Sample[]
  readonly end: (error?: Error) => void
}

/** A store that keeps every block until the test lets it go. */
function makeStore(judge: (error: unknown) => Verdict = () => 'singly') {
  const blocks: Block[] = []
  function collect(tenantId: number): Collection {
    const kept: Sample[] = []
    return {
      get count() {
        return kept.length
      },
      add: (sample) => void kept.push(sample),
      addColumns: (deviceId, at) => void kept.push({ deviceId, at, values: {} }),
      read: (from, to) => kept.slice(from, to),
      store: () =>
        new Promise((resolve, reject) => {
          const end: Block['end'] = (error) =>
            error ? reject(error) : resolve({ accepted: kept.length, duplicates: 0, setAside: [] })
          blocks.push({ tenantId, samples: [...kept], end })
        }),
    }
  }
  const lanes = new Lanes({ collect, judge, pause: async () => {} })
  /** Resolves when the message is stored. */
  const add = (tenantId: number, sent: readonly Sample[], isOld: boolean, isGone: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      lanes.add(tenantId, sent, isOld, { isGone, resolve, reject })
    })
  /** Until what was begun has been dispatched. */
  const turn = async () => {
    for (let passed = 0; passed < 3; passed++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { lanes, add, blocks, turn }
}

const isOld = ({ samples: [first] }: Block): boolean => (first?.at ?? 0) < LIVE

describe('the lanes before ingest', () => {
  it('put messages that arrive together into one block, and tell each its end', async () => {
    const { add, blocks, turn } = makeStore()
    const ends = [add(1, samples(3), false, stays), add(1, samples(4), false, stays)]
    await turn()
    expect(blocks.map((block) => block.samples.length)).toEqual([7])
    blocks[0]?.end()
    expect(await Promise.all(ends)).toEqual([undefined, undefined])
  })

  it('let live messages pass a week of stored ones, which still go on', async () => {
    const { lanes, add, blocks, turn } = makeStore()
    // A week at a sample a minute, in batches of a hundred, from a store; and live messages that keep coming.
    const old = Array.from({ length: 100 }, (_, index) => add(1, samples(100, index), true, stays))
    const live: Promise<void>[] = []
    const order: boolean[] = []
    for (let round = 0; round < 400; round++) {
      live.push(add(1, samples(1), false, stays))
      await turn()
      for (const block of blocks.splice(0)) {
        order.push(isOld(block))
        expect(block.samples.length).toBeLessThanOrEqual(isOld(block) ? MQTT_BACKFILL_BLOCK_SAMPLES : 2)
        block.end()
      }
      // Whatever is waiting in the old lane: a live message is under way in the turn in which it came.
      expect(lanes.waiting.live).toBe(0)
    }
    await Promise.all([...live, ...old])
    expect(order.filter(Boolean).length).toBeGreaterThanOrEqual((100 * 100) / MQTT_BACKFILL_BLOCK_SAMPLES)
  }, 10_000)

  it('give stored messages one block in so many while live ones wait', async () => {
    const { lanes, add, blocks, turn } = makeStore()
    const everything: Promise<void>[] = []
    for (let index = 0; index < 40; index++) {
      everything.push(add(1, samples(MQTT_LIVE_BLOCK_SAMPLES), false, stays))
      everything.push(add(1, samples(MQTT_BACKFILL_BLOCK_SAMPLES, 0), true, stays))
    }
    const order: boolean[] = []
    while (lanes.waiting.live > 0 || blocks.length > 0) {
      await turn()
      const underWay = blocks.filter((block) => !isOld(block)).length
      expect(underWay).toBeLessThanOrEqual(MQTT_LIVE_BLOCKS_PER_TENANT)
      const block = blocks.shift()
      if (!block) break
      if (lanes.waiting.live > 0) order.push(isOld(block))
      block.end()
    }
    const oldOnes = order.filter(Boolean).length
    expect(oldOnes).toBeGreaterThan(0)
    expect(oldOnes).toBeLessThanOrEqual(Math.ceil(order.length / MQTT_BACKFILL_EVERY) + 1)
    while (lanes.waiting.old > 0 || blocks.length > 0) {
      await turn()
      for (const block of blocks.splice(0)) block.end()
    }
    await Promise.all(everything)
  })

  it('let tenants take turns', async () => {
    const { add, blocks, turn } = makeStore()
    const flood = Array.from({ length: 20 }, () => add(1, samples(MQTT_LIVE_BLOCK_SAMPLES), false, stays))
    const other = add(2, samples(1), false, stays)
    await turn()
    expect(blocks.map(({ tenantId }) => tenantId).toSorted()).toEqual([1, 1, 2])
    while (blocks.length > 0) {
      blocks.shift()?.end()
      await turn()
    }
    await Promise.all([...flood, other])
  })

  it('store messages one by one when a block cannot be stored, so that only the one at fault fails', async () => {
    const { add, blocks, turn } = makeStore()
    const ends = [1, 2, 3].map((at) => add(1, samples(1, LIVE + at), false, stays))
    const poison = LIVE + 2
    const settled = Promise.allSettled(ends)
    for (let left = 4; left > 0; left--) {
      await turn()
      const block = blocks.shift()
      block?.end(block.samples.some(({ at }) => at === poison) ? new Error('poison') : undefined)
    }
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('try again what may pass, for as long as its sender is there', async () => {
    const { add, blocks, turn } = makeStore(() => 'again')
    let isGone = false
    const staying = add(1, samples(1), false, stays)
    const leaving = add(1, samples(1), false, () => isGone)
    const left = leaving.catch((error: unknown) => error)
    await turn()
    isGone = true
    blocks.shift()?.end(new Error('the database is away'))
    await turn()
    expect(await left).toBeInstanceOf(SenderGone)
    expect(blocks.map((block) => block.samples.length)).toEqual([1])
    blocks.shift()?.end()
    await staying
  })
})
