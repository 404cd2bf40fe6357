import { type SampleSink, SenderGone, type Waiter } from '../intake-contract/index.ts'
import { type Part, SampleBlock } from './block.ts'
import { INGEST_BLOCK_ROOM } from './limits.ts'

/** Samples that are about to be added to a block. */
export interface SampleSource {
  /** At least 1. */
  readonly count: number
  addTo(sink: SampleSink): void
}

/** The samples of one sender that are committed together, and their sender. */
export class Entry {
  readonly lane: Lane
  readonly part: Part
  private readonly waiter: Waiter
  isSettled = false
  isCommitted = false

  constructor(lane: Lane, part: Part, waiter: Waiter) {
    this.lane = lane
    this.part = part
    this.waiter = waiter
  }

  /**
   * Returns false when the entry need not be written, because it has expired or because its sender has
   * disconnected, in which case it is rejected here.
   */
  isWanted(): boolean {
    if (!this.isSettled && this.waiter.isGone()) this.reject(new SenderGone('the sender has gone'))
    return !this.isSettled
  }

  resolve(): void {
    if (this.isSettled) return
    this.isSettled = true
    this.waiter.resolve()
  }

  reject(error: unknown): void {
    if (this.isSettled || this.isCommitted) return
    this.isSettled = true
    this.waiter.reject(error)
  }
}

/** The entries of a tenant in a lane, first in, first out, and the block that the next ones are added to. */
interface Flow {
  readonly entries: Entry[]
  open: SampleBlock | undefined
}

/**
 * Entries of one priority by tenant. Tenants take turns, so that a burst of one tenant does not delay the
 * others.
 */
export class Lane {
  /** Maximum number of samples of a turn, and of a shared block. */
  private readonly turnMax: number
  private readonly flows = new Map<number, Flow>()
  entries = 0
  samples = 0

  constructor(turnMax: number) {
    this.turnMax = turnMax
  }

  /** Adds samples to the open block of a tenant. `now` is the time that they are checked against. */
  append(tenantId: number, source: SampleSource, now: number): Part {
    const flow = this.flowOf(tenantId)
    const { count } = source
    let block = flow.open
    if (!block || block.count + count > this.turnMax) {
      block = new SampleBlock(tenantId, Math.max(INGEST_BLOCK_ROOM, count))
      flow.open = block
    }
    const from = block.count
    block.now = now
    source.addTo(block)
    return { block, from, to: block.count, size: block.count - from }
  }

  enqueue(entry: Entry): void {
    this.flowOf(entry.part.block.tenantId).entries.push(entry)
    this.count(entry, 1)
  }

  /** Returns entries to the head of their queues in their original order. */
  putBack(entries: readonly Entry[]): void {
    const byTenant = new Map<number, Entry[]>()
    for (const entry of entries) {
      const { tenantId } = entry.part.block
      const list = byTenant.get(tenantId)
      if (list) list.push(entry)
      else byTenant.set(tenantId, [entry])
      this.count(entry, 1)
    }
    for (const [tenantId, list] of byTenant) this.flowOf(tenantId).entries.unshift(...list)
  }

  /** Removes an entry; returns false when it is already part of a batch. */
  remove(entry: Entry): boolean {
    const { tenantId } = entry.part.block
    const entries = this.flows.get(tenantId)?.entries ?? []
    const index = entries.indexOf(entry)
    if (index < 0) return false
    entries.splice(index, 1)
    if (entries.length === 0) this.flows.delete(tenantId)
    this.count(entry, -1)
    return true
  }

  clear(): Entry[] {
    const all = [...this.flows.values()].flatMap(({ entries }) => entries)
    this.flows.clear()
    this.entries = 0
    this.samples = 0
    return all
  }

  private nextFlow(mayJoin: (tenantId: number) => boolean): [number, Flow] | undefined {
    for (const [tenantId, flow] of this.flows) {
      if (flow.entries.length === 0) this.flows.delete(tenantId)
      else if (mayJoin(tenantId)) return [tenantId, flow]
    }
    return undefined
  }

  /**
   * Removes the next entries of the tenant whose turn it is: at most the samples of a turn and at most
   * `room`. A single larger entry is removed only when `isFirst` is true. Their blocks accept no further
   * samples. Tenants that `mayJoin` rejects keep their place in the round.
   */
  takeTurn(room: number, isFirst: boolean, mayJoin: (tenantId: number) => boolean = () => true): Entry[] {
    const next = this.nextFlow(mayJoin)
    if (!next) return []
    const [tenantId, flow] = next
    const max = Math.min(room, this.turnMax)
    let taken = 0
    let samples = 0
    for (const { part } of flow.entries) {
      if (samples + part.size > max && !(isFirst && taken === 0)) break
      taken += 1
      samples += part.size
    }
    if (taken === 0) return []
    const turn = flow.entries.splice(0, taken)
    for (const entry of turn) this.count(entry, -1)
    flow.open = undefined
    // The tenant moves to the end of the round.
    this.flows.delete(tenantId)
    if (flow.entries.length > 0) this.flows.set(tenantId, flow)
    return turn
  }

  private flowOf(tenantId: number): Flow {
    let flow = this.flows.get(tenantId)
    if (!flow) {
      flow = { entries: [], open: undefined }
      this.flows.set(tenantId, flow)
    }
    return flow
  }

  private count({ part: { size } }: Entry, sign: 1 | -1): void {
    this.entries += sign
    this.samples += sign * size
  }
}

/** Neighbouring ranges of a block that are written as one part, with the entries that it settles. */
export class MergedPart implements Part {
  readonly block: SampleBlock
  readonly from: number
  to: number
  private readonly entries: Entry[]

  constructor(entry: Entry) {
    this.block = entry.part.block
    this.from = entry.part.from
    this.to = entry.part.to
    this.entries = [entry]
  }

  get size(): number {
    return this.to - this.from
  }

  extend(entry: Entry): boolean {
    const { block, from, to } = entry.part
    if (block !== this.block || from !== this.to) return false
    this.to = to
    this.entries.push(entry)
    return true
  }

  commit(): void {
    for (const entry of this.entries) entry.isCommitted = true
  }

  resolve(): void {
    for (const entry of this.entries) entry.resolve()
  }
}

export function mergeParts(entries: readonly Entry[]): MergedPart[] {
  const parts: MergedPart[] = []
  for (const entry of entries) {
    if (!parts.at(-1)?.extend(entry)) parts.push(new MergedPart(entry))
  }
  return parts
}
