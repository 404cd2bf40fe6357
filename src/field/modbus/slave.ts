import type { DeviceReads } from '../../areas/equipment/gateways/index.ts'
import type { WordBlock } from '../../core/register-map/decode.ts'
import { type Block, type GroupPlan, splitBlock } from '../../core/register-map/plan.ts'
import {
  MODBUS_FAIRNESS_WINDOW_MS,
  MODBUS_PROBE_FIRST_MS,
  MODBUS_PROBE_MAX_MS,
  MODBUS_REFUSED_RETRY_MS,
  MODBUS_REPORTED_DEVICES_MAX,
} from './limits.ts'

export interface SlaveConfig extends DeviceReads {
  readonly deviceId: string
  readonly offlineThresholdS: number
  /** Changes with everything that affects polling of the device. */
  readonly digest: string
}

/** `unproven`: no request yet; `good`: the last request was answered; `down`: silent and probed rarely. */
export type Health = 'unproven' | 'good' | 'down'

/** One poll group of one slave: its schedule and the progress of its running round. */
export class Poll {
  readonly name: string
  readonly periodMs: number
  /** On the monotonic clock, milliseconds. */
  dueAt: number
  /** When the first request of this round was sent, epoch milliseconds; undefined between rounds. */
  startedAt: number | undefined
  readonly words: WordBlock[] = []
  readonly refusedBlocks: { readonly block: Block; readonly until: number }[] = []
  private blocks: readonly Block[]
  private remaining: Block[] = []

  constructor({ group, blocks }: GroupPlan, now: number) {
    this.name = group.name
    this.periodMs = group.periodMs
    this.blocks = blocks
    this.dueAt = now
  }

  get isRunning(): boolean {
    return this.startedAt !== undefined
  }

  /** The next block to request; undefined when the round is complete. */
  get next(): Block | undefined {
    return this.remaining[0]
  }

  start(wallNow: number, now: number): void {
    this.startedAt = wallNow
    const retried = this.refusedBlocks.filter(({ until }) => until <= now)
    for (const one of retried) this.refusedBlocks.splice(this.refusedBlocks.indexOf(one), 1)
    this.blocks = [...this.blocks, ...retried.map(({ block }) => block)]
    this.remaining = [...this.blocks]
  }

  /** Whether the device has refused every register of the group. */
  get isRefused(): boolean {
    return this.blocks.length === 0 && this.refusedBlocks.length > 0
  }

  addWords(words: readonly number[]): void {
    const block = this.remaining.shift()
    if (block) this.words.push({ function: block.function, address: block.address, words })
  }

  /** Leaves the block out in this round. */
  skipBlock(): void {
    this.remaining.shift()
  }

  /**
   * Splits a refused block; a single refused register is left out until MODBUS_REFUSED_RETRY_MS has passed.
   */
  refuseBlock(map: DeviceReads['map'], now: number): void {
    const block = this.remaining.shift()
    if (!block) return
    const parts = splitBlock(map, block)
    if (parts.length === 0) this.refusedBlocks.push({ block, until: now + MODBUS_REFUSED_RETRY_MS })
    this.blocks = this.blocks.flatMap((one) => (one === block ? parts : [one]))
    this.remaining.unshift(...parts)
  }

  /** Moves the due time to the latest point of the grid: missed rounds are not made up for. */
  catchUp(now: number): void {
    if (now > this.dueAt) this.dueAt += Math.floor((now - this.dueAt) / this.periodMs) * this.periodMs
  }

  /**
   * Ends the round; the next one is due at the next point of the grid. Returns the number of skipped
   * points.
   */
  finish(now: number): number {
    this.startedAt = undefined
    this.words.length = 0
    this.remaining = []
    const periods = Math.max(1, Math.floor((now - this.dueAt) / this.periodMs) + 1)
    this.dueAt += periods * this.periodMs
    return periods - 1
  }
}

const ALL_REFUSED = 'the device refuses every register: check its template and its Modbus address'
const NO_VALID_RESPONSE = 'the gateway has not sent a valid Modbus response'

/** A device on a line: its health and the line time that it has used. */
export class Slave {
  readonly config: SlaveConfig
  readonly polls: readonly Poll[]
  health: Health = 'unproven'
  /** Consecutive requests without a response. */
  failures = 0
  /** Earliest next request while the slave is not good, monotonic clock. */
  probeAt = 0
  lastError: string | undefined
  private usedMs = 0
  private usedAt = 0

  /** `phase`: a point of the grid on the monotonic clock, shared by all slaves and restarts. */
  constructor(config: SlaveConfig, { now, phase }: { readonly now: number; readonly phase: number }) {
    this.config = config
    this.polls = config.groups.map((group) => {
      const { periodMs } = group.group
      return new Poll(group, now - ((((now - phase) % periodMs) + periodMs) % periodMs))
    })
    this.probeAt = now
  }

  /** The state in reports: `refused` answers, but delivers no value. */
  get state(): Health | 'refused' {
    const isRefused = this.health === 'good' && this.polls.every((poll) => poll.isRefused)
    return isRefused ? 'refused' : this.health
  }

  /** Recently used line time, milliseconds, with exponential decay over MODBUS_FAIRNESS_WINDOW_MS. */
  lineTimeUsed(now: number): number {
    return this.usedMs * Math.exp((this.usedAt - now) / MODBUS_FAIRNESS_WINDOW_MS)
  }

  addLineTime(ms: number, now: number): void {
    this.usedMs = this.lineTimeUsed(now) + ms
    this.usedAt = now
  }

  recordResponse(now: number): void {
    if (this.health !== 'good') for (const poll of this.polls) poll.catchUp(now)
    this.health = 'good'
    this.failures = 0
    this.lastError = undefined
  }

  /** Returns to the state before the first request; the schedule of the rounds remains. */
  forgetFailures(now: number): void {
    this.health = 'unproven'
    this.failures = 0
    this.lastError = undefined
    this.probeAt = now
  }

  recordTimeout(error: string): void {
    this.failures += 1
    this.lastError = error
  }

  /**
   * Marks the slave as down and schedules its next probe with exponential back-off. `random`: jitter, 0 to
   * 1.
   */
  scheduleProbe(now: number, random: number): void {
    this.health = 'down'
    const longest = Math.min(
      MODBUS_PROBE_MAX_MS,
      MODBUS_PROBE_FIRST_MS * 2 ** Math.min(this.failures - 1, 20),
    )
    this.probeAt = now + longest * (1 - random / 2)
  }
}

/**
 * The polling report of a line: numbers of devices, silent devices and refused registers. Until the address of
 * the gateway has sent a valid response, all devices have the same state and error, so that a tenant cannot
 * distinguish ports that are closed, filtered, refused by the policy or not Modbus.
 */
export function toPollReport(slaves: readonly Slave[], isProven: boolean) {
  if (!isProven) {
    const reported = slaves.slice(0, MODBUS_REPORTED_DEVICES_MAX)
    const same = { state: 'unproven', error: NO_VALID_RESPONSE, refused: [] }
    return {
      devices: slaves.length,
      good: 0,
      troubled: reported.map(({ config }) => ({ device_id: config.deviceId, ...same })),
    }
  }
  const failing = slaves.flatMap((slave) => {
    const refused = slave.polls.flatMap((poll) => poll.refusedBlocks.flatMap(({ block }) => block.keys))
    const { state } = slave
    if (state === 'good' && refused.length === 0) return []
    const error = state === 'refused' ? ALL_REFUSED : (slave.lastError ?? null)
    return [{ device_id: slave.config.deviceId, state, error, refused }]
  })
  return {
    devices: slaves.length,
    good: slaves.filter(({ state }) => state === 'good').length,
    troubled: failing.slice(0, MODBUS_REPORTED_DEVICES_MAX),
  }
}
