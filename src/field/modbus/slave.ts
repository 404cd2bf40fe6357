import type { DeviceReads } from '../../areas/equipment/gateways/index.ts'
import type { WordBlock } from '../../core/register-map/decode.ts'
import { type Block, type GroupPlan, splitBlock } from '../../core/register-map/plan.ts'
import {
  MODBUS_FAIRNESS_MS,
  MODBUS_PROBE_FIRST_MS,
  MODBUS_PROBE_MAX_MS,
  MODBUS_REFUSED_RETRY_MS,
} from './limits.ts'

export interface SlaveOrder extends DeviceReads {
  readonly deviceId: string
  readonly offlineThresholdS: number
  /** Changes with anything that the above is made of. */
  readonly digest: string
}

/** `unproven`: not asked yet; `good`: its last request was answered; `down`: silent, and asked rarely. */
export type Health = 'unproven' | 'good' | 'down'

/** One poll group of one slave: when it is due, and how far the round is that is under way. */
export class Poll {
  readonly name: string
  readonly periodMs: number
  /** On the monotonic clock, milliseconds. */
  dueAt: number
  /** When the first request of this round was sent, epoch milliseconds; undefined between rounds. */
  begunAt: number | undefined
  readonly words: WordBlock[] = []
  readonly refused: { readonly block: Block; readonly until: number }[] = []
  private blocks: readonly Block[]
  private left: Block[] = []

  constructor({ group, blocks }: GroupPlan, now: number) {
    this.name = group.name
    this.periodMs = group.periodMs
    this.blocks = blocks
    this.dueAt = now
  }

  get isRunning(): boolean {
    return this.begunAt !== undefined
  }

  /** The request that is next; undefined when the round is through. */
  get next(): Block | undefined {
    return this.left[0]
  }

  begin(wallNow: number, now: number): void {
    this.begunAt = wallNow
    const again = this.refused.filter(({ until }) => until <= now)
    for (const one of again) this.refused.splice(this.refused.indexOf(one), 1)
    this.blocks = [...this.blocks, ...again.map(({ block }) => block)]
    this.left = [...this.blocks]
  }

  take(words: readonly number[]): void {
    const block = this.left.shift()
    if (block) this.words.push({ function: block.function, address: block.address, words })
  }

  /** This time without the block. */
  skip(): void {
    this.left.shift()
  }

  /** The device does not have (all of) the block: parts of it, and in the end the rest without the single register. */
  refuse(map: DeviceReads['map'], now: number): void {
    const block = this.left.shift()
    if (!block) return
    const parts = splitBlock(map, block)
    if (parts.length === 0) this.refused.push({ block, until: now + MODBUS_REFUSED_RETRY_MS })
    this.blocks = this.blocks.flatMap((one) => (one === block ? parts : [one]))
    this.left.unshift(...parts)
  }

  /** The newest place of the grid: what lies before it is not made up for. */
  catchUp(now: number): void {
    if (now > this.dueAt) this.dueAt += Math.floor((now - this.dueAt) / this.periodMs) * this.periodMs
  }

  /** The next round is due at the next place of the grid; answers how many places were left out. */
  end(now: number): number {
    this.begunAt = undefined
    this.words.length = 0
    this.left = []
    const places = Math.max(1, Math.floor((now - this.dueAt) / this.periodMs) + 1)
    this.dueAt += places * this.periodMs
    return places - 1
  }
}

/** A device on a line: whether it answers, and how much of the line's time it has had. */
export class Slave {
  readonly order: SlaveOrder
  readonly polls: readonly Poll[]
  health: Health = 'unproven'
  /** Requests in a row that it did not answer. */
  failures = 0
  /** While it is not good: no question before, monotonic. */
  probeAt = 0
  lastError: string | undefined
  private usedMs = 0
  private usedAt = 0

  /** `phase`: a place of the grid on the monotonic clock; groups of all slaves and restarts share it. */
  constructor(order: SlaveOrder, { now, phase }: { readonly now: number; readonly phase: number }) {
    this.order = order
    this.polls = order.groups.map((group) => {
      const { periodMs } = group.group
      return new Poll(group, now - ((((now - phase) % periodMs) + periodMs) % periodMs))
    })
    this.probeAt = now
  }

  /** Milliseconds of the line that it has had lately. */
  used(now: number): number {
    return this.usedMs * Math.exp((this.usedAt - now) / MODBUS_FAIRNESS_MS)
  }

  spend(ms: number, now: number): void {
    this.usedMs = this.used(now) + ms
    this.usedAt = now
  }

  answered(now: number): void {
    if (this.health !== 'good') for (const poll of this.polls) poll.catchUp(now)
    this.health = 'good'
    this.failures = 0
    this.lastError = undefined
  }

  silent(error: string): void {
    this.failures += 1
    this.lastError = error
  }

  /** Is asked rarely from now on. `chance`: 0 to 1. */
  giveUp(now: number, chance: number): void {
    this.health = 'down'
    const longest = Math.min(
      MODBUS_PROBE_MAX_MS,
      MODBUS_PROBE_FIRST_MS * 2 ** Math.min(this.failures - 1, 20),
    )
    this.probeAt = now + longest * (1 - chance / 2)
  }
}
