import type { FastifyBaseLogger } from 'fastify'
import type { Sample } from '../../areas/metering/intake-contract/index.ts'
import type { Block } from '../../core/register-map/plan.ts'
import type { ModbusConnection } from '../../platform/modbus/connection.ts'
import type { ModbusMetrics } from '../../platform/modbus/metrics.ts'
import { isRefusalCode, isSilenceCode, ModbusError } from '../../platform/modbus/modbus-error.ts'
import type { ConnectGuard } from '../../platform/net/connect-guard.ts'
import type { Clock } from '../../platform/runtime/clock.ts'
import { DeviceValues } from './device-values.ts'
import { MODBUS_GATEWAY_SILENCE_MS, MODBUS_SILENT_PROBE_SHARE } from './limits.ts'
import { connectDelayOf, type Failure, type LineConfig, makeLineConnection } from './line-connection.ts'
import { Outbox } from './outbox.ts'
import { nextRequest } from './request-scheduler.ts'
import { type Poll, Slave, toPollReport } from './slave.ts'

export type { LineConfig } from './line-connection.ts'

export interface LineDeps {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly metrics: ModbusMetrics
  /** Resolves and checks the host of a gateway. */
  readonly guard: ConnectGuard
  readonly submit: (samples: readonly Sample[]) => Promise<unknown>
  /** 0 to 1; jitter for pauses. */
  readonly random?: () => number
}

interface LineMember {
  readonly slave: Slave
  readonly values: DeviceValues
}

/**
 * Polls the slaves behind one gateway, one request after the other, until it is stopped. The line is one serial
 * bus behind one TCP port, whose time is scarce. `nextRequest` selects the request; this
 * class sends it, updates the slave and passes finished rounds to the outbox.
 *
 * States of a slave (`Slave.health`):
 *   unproven  no response yet; probed first, within `newProbesFrom`
 *   good      polled on the grid of its groups
 *   down      silent after its retries; probed with back-off, within MODBUS_SILENT_PROBE_SHARE of the line's time
 *
 * Failures:
 *   connect              no connection: no slave is to blame; running rounds end, so that no round mixes
 *                        two times
 *   timeout, closed, malformed, exceptions 10 and 11   the slave is silent
 *   exceptions 1 to 3    the block is split until the register stands alone, then retried every
 *                        MODBUS_REFUSED_RETRY_MS
 *   other exceptions     the block is skipped in this round
 *
 * Back-pressure: while the outbox is full no request is sent. The grid of a poll group starts at whole periods
 * of the wall clock and runs on the monotonic clock; a late round skips periods instead of catching up.
 */
export class Line {
  slaves: readonly Slave[] = []
  private readonly deps: LineDeps
  private readonly outbox: Outbox
  private readonly running: Promise<void>
  /**
   * A point of every poll group's grid on the monotonic clock: whole periods of the wall clock at the
   * start.
   */
  private readonly phase: number
  private config: LineConfig
  private connection: ModbusConnection
  private members = new Map<string, LineMember>()
  private silentProbesFrom = 0
  private newProbesFrom = 0
  private isStopped = false
  private wake: () => void = () => {}
  private respondedAt: number | undefined
  private seenAt: number | undefined

  constructor(config: LineConfig, deps: LineDeps) {
    this.deps = deps
    this.config = config
    this.phase = performance.now() - deps.clock.now()
    this.outbox = new Outbox(deps)
    this.connection = this.makeConnection(config)
    this.applySlaves(config)
    this.running = this.run()
  }

  /** Applies a changed configuration; unchanged slaves and an unchanged connection keep their state. */
  update(config: LineConfig): void {
    const { host, port, slaves } = this.config
    const isElsewhere = host !== config.host || port !== config.port
    const delay = connectDelayOf(slaves) !== connectDelayOf(config.slaves)
    this.config = config
    if (isElsewhere || delay) {
      this.connection.stop()
      this.connection = this.makeConnection(config, isElsewhere ? undefined : this.connection.provenAddress)
    }
    this.applySlaves(config)
    this.wake()
  }

  /** Stops polling and stores what was read. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.connection.stop()
    this.wake()
    this.outbox.beginClose()
    await this.running
    await this.outbox.close()
  }

  /** State of polling; `seenAt` is reported once. */
  report() {
    const { seenAt } = this
    this.seenAt = undefined
    const { tenantId, gatewayId } = this.config
    const report = toPollReport(this.slaves, this.isProven)
    return { tenantId, gatewayId, seenAt, isOnline: this.isOnline(), report }
  }

  /** Whether the address of the gateway has sent a valid response. */
  get isProven(): boolean {
    return this.connection.provenAddress !== undefined
  }

  private makeConnection(config: LineConfig, provenAddress?: string): ModbusConnection {
    const { guard, log } = this.deps
    // What failed before the proof says something about the address, not about the slaves.
    const onProven = () => {
      for (const slave of this.slaves) slave.forgetFailures(performance.now())
    }
    return makeLineConnection(config, { guard, log, random: this.random, provenAddress, onProven })
  }

  private readonly random = (): number => (this.deps.random ?? Math.random)()

  private applySlaves({ slaves }: LineConfig): void {
    const before = this.members
    const times = { now: performance.now(), phase: this.phase }
    this.members = new Map(
      slaves.map((config) => {
        const known = before.get(config.deviceId)
        const isSame = known?.slave.config.digest === config.digest
        const member = isSame ? known : { slave: new Slave(config, times), values: new DeviceValues(config) }
        return [config.deviceId, member]
      }),
    )
    this.slaves = [...this.members.values()].map(({ slave }) => slave)
  }

  private isOnline(): boolean {
    if (this.respondedAt === undefined || !this.isProven || this.connection.waitMs > 0) return false
    const periods = this.slaves.flatMap(({ polls }) => polls.map(({ periodMs }) => periodMs))
    const shortest = Math.min(...periods)
    return performance.now() - this.respondedAt < Math.max(MODBUS_GATEWAY_SILENCE_MS, 3 * shortest)
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      try {
        await this.step()
      } catch (error) {
        // A bug must not stop polling, nor make it spin.
        this.deps.log.error({ err: error, gateway: this.config.gatewayId }, 'polling a Modbus gateway failed')
        await this.idle(1_000)
      }
    }
  }

  private async step(): Promise<void> {
    await this.outbox.waitForCapacity()
    const { waitMs } = this.connection
    if (waitMs > 0) return this.idle(waitMs)
    const now = performance.now()
    const { silentProbesFrom: riskyFrom, newProbesFrom: newFrom } = this
    const next = nextRequest(this.slaves, { now, silentProbesFrom: riskyFrom, newProbesFrom: newFrom })
    if ('waitMs' in next) return this.waitIdle(next.waitMs)
    const { slave, poll } = next
    if (!poll.isRunning) {
      poll.start(this.deps.clock.now(), now)
      if (slave.health === 'good') this.deps.metrics.lateness.observe((now - poll.dueAt) / 1000)
    }
    if (poll.next) await this.sendRequest(slave, poll, poll.next)
    if (poll.isRunning && !poll.next) this.finish(slave, poll)
  }

  /** Waits until something is due. Closes the connection meanwhile, when a map says so. */
  private async waitIdle(waitMs: number): Promise<void> {
    if (this.slaves.some(({ config }) => !config.map.bus.keepConnection)) this.connection.release()
    await this.idle(waitMs)
  }

  private idle(ms: number): Promise<void> {
    if (this.isStopped) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private async sendRequest(slave: Slave, poll: Poll, block: Block): Promise<void> {
    const { unit, map } = slave.config
    const { function: fn, address, count } = block
    const request = { function: fn, address, count }
    const sentAt = performance.now()
    try {
      const words = await this.connection.request({ unit, request, timeoutMs: map.bus.timeoutMs })
      this.deps.metrics.registersRead.inc(count)
      this.handleResponse(slave)
      poll.addWords(words)
    } catch (error) {
      if (!(error instanceof ModbusError)) throw error
      this.handleFailure(slave, poll, { error, tookMs: performance.now() - sentAt })
    }
    if (map.bus.interRequestMs > 0) await this.idle(map.bus.interRequestMs)
    const now = performance.now()
    slave.addLineTime(now - sentAt, now)
  }

  private recordResponse(): void {
    this.respondedAt = performance.now()
    this.seenAt = this.deps.clock.now()
  }

  private handleResponse(slave: Slave): void {
    this.recordResponse()
    if (slave.health === 'down')
      this.deps.log.info({ device: slave.config.deviceId }, 'a Modbus device answers again')
    slave.recordResponse(performance.now())
  }

  private handleFailure(slave: Slave, poll: Poll, { error, tookMs }: Failure): void {
    const { kind, exceptionCode = 0 } = error
    if (kind === 'stopped') return
    this.deps.metrics.errors.inc({ kind: this.isProven ? kind : 'connect' })
    // The line is down and no slave is to blame. A round that continues after it would mix two times.
    if (kind === 'connect') {
      this.finishAllPolls()
      return
    }
    if (kind === 'exception' && !isSilenceCode(exceptionCode)) {
      this.handleResponse(slave)
      if (isRefusalCode(exceptionCode)) this.handleRefusal(slave, poll)
      else poll.skipBlock()
      return
    }
    if (kind === 'exception') this.recordResponse()
    this.handleTimeout(slave, poll, { error, tookMs })
  }

  private handleRefusal(slave: Slave, poll: Poll): void {
    const known = poll.refusedBlocks.length
    poll.refuseBlock(slave.config.map, performance.now())
    const refusal = poll.refusedBlocks[known]
    if (!refusal) return
    const { function: fn, address, count, keys } = refusal.block
    const fields = { device: slave.config.deviceId, function: fn, address, count, keys }
    this.deps.log.warn(fields, 'a Modbus device refuses a register; the others are read without it')
  }

  /**
   * Retries at once as often as the map says, while silent slaves have not used up their share of the line.
   * After that the slave is down and probed rarely, so that the other slaves keep their line time.
   */
  private handleTimeout(slave: Slave, poll: Poll, { error, tookMs }: Failure): void {
    const now = performance.now()
    const isKnownSilent = slave.failures > 0
    const wasGood = slave.health === 'good'
    slave.recordTimeout(error.message)
    if (isKnownSilent) this.silentProbesFrom = now + tookMs * (1 / MODBUS_SILENT_PROBE_SHARE - 1)
    else if (!wasGood) this.newProbesFrom = now + tookMs
    if (wasGood && slave.failures <= slave.config.map.bus.retries && this.silentProbesFrom <= now) return
    if (wasGood)
      this.deps.log.warn(
        { device: slave.config.deviceId, unit: slave.config.unit, reason: error.message },
        'a Modbus device is silent',
      )
    slave.scheduleProbe(now, this.random())
    this.finish(slave, poll)
    for (const other of slave.polls) if (other.isRunning) this.finish(slave, other)
  }

  private finishAllPolls(): void {
    for (const slave of this.slaves)
      for (const poll of slave.polls) if (poll.isRunning) this.finish(slave, poll)
  }

  /** Ends a round and passes its values to the outbox, even when the round is incomplete. */
  private finish(slave: Slave, poll: Poll): void {
    const { startedAt: begunAt, words } = poll
    const member = this.members.get(slave.config.deviceId)
    if (begunAt !== undefined && words.length > 0 && member?.slave === slave) {
      const values = member.values.decode(poll.name, words, begunAt)
      if (Object.keys(values).length > 0)
        this.outbox.add({ deviceId: slave.config.deviceId, at: begunAt, values })
    }
    const missed = poll.finish(performance.now())
    if (missed > 0 && slave.health === 'good') this.deps.metrics.missed.inc(missed)
  }
}
