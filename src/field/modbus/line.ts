import type { FastifyBaseLogger } from 'fastify'
import type { Block } from '../../core/register-map/plan.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sample } from '../../platform/ingest.ts'
import { ModbusConnection } from '../../platform/modbus/connection.ts'
import type { ModbusMetrics } from '../../platform/modbus/metrics.ts'
import { EXCEPTION, ModbusError } from '../../platform/modbus/modbus-error.ts'
import { chooseNext } from './choose.ts'
import { MODBUS_RISKY_SHARE, MODBUS_SILENCE_MS } from './limits.ts'
import { Outbox } from './outbox.ts'
import { reportOf } from './report.ts'
import { type Poll, Slave, type SlaveOrder } from './slave.ts'
import { Values } from './values.ts'

/** A gateway as it is to be polled. */
export interface LineOrder {
  readonly tenantId: number
  readonly gatewayId: string
  readonly host: string
  readonly port: number
  readonly slaves: readonly SlaveOrder[]
}

export interface LineDeps {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly metrics: ModbusMetrics
  readonly submit: (samples: readonly Sample[]) => Promise<unknown>
  /** 0 to 1, for pauses that should differ. */
  readonly random?: () => number
}

const REFUSALS: ReadonlySet<number> = new Set([
  EXCEPTION.illegalFunction,
  EXCEPTION.illegalAddress,
  EXCEPTION.illegalValue,
])
/** By which a gateway says that the slave behind it is silent. */
const SILENCES: ReadonlySet<number> = new Set([
  EXCEPTION.gatewayPathUnavailable,
  EXCEPTION.gatewayTargetSilent,
])

interface Member {
  readonly slave: Slave
  readonly values: Values
}

/** Polls the slaves behind one gateway, one request after the other, until it is stopped. */
export class Line {
  slaves: readonly Slave[] = []
  private readonly deps: LineDeps
  private readonly outbox: Outbox
  private readonly running: Promise<void>
  /** A place of every poll group's grid, on the monotonic clock: whole periods of the wall clock at the start. */
  private readonly phase: number
  private order: LineOrder
  private connection: ModbusConnection
  private members = new Map<string, Member>()
  private riskyFrom = 0
  private newFrom = 0
  private isStopped = false
  private wake: () => void = () => {}
  private answeredAt: number | undefined
  private seenAt: number | undefined

  constructor(order: LineOrder, deps: LineDeps) {
    this.deps = deps
    this.order = order
    this.phase = performance.now() - deps.clock.now()
    this.outbox = new Outbox(deps)
    this.connection = this.makeConnection(order)
    this.join(order)
    this.running = this.run()
  }

  /** Goes on with other slaves, or at another address; what has not changed keeps its state. */
  update(order: LineOrder): void {
    const { host, port, slaves } = this.order
    const isElsewhere = host !== order.host || port !== order.port
    const delay = connectDelayOf(slaves) !== connectDelayOf(order.slaves)
    this.order = order
    if (isElsewhere || delay) {
      this.connection.stop()
      this.connection = this.makeConnection(order)
    }
    this.join(order)
    this.wake()
  }

  /** Ends polling and stores what was read. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.connection.stop()
    this.wake()
    this.outbox.letGo()
    await this.running
    await this.outbox.close()
  }

  /** How polling goes; `seenAt` is told once. */
  report() {
    const { seenAt } = this
    this.seenAt = undefined
    const { tenantId, gatewayId } = this.order
    return { tenantId, gatewayId, seenAt, isOnline: this.isOnline(), report: reportOf(this.slaves) }
  }

  private makeConnection({ host, port, slaves }: LineOrder): ModbusConnection {
    return new ModbusConnection({ host, port, connectDelayMs: connectDelayOf(slaves), random: this.chance })
  }

  private readonly chance = (): number => (this.deps.random ?? Math.random)()

  private join({ slaves }: LineOrder): void {
    const before = this.members
    const present = { now: performance.now(), phase: this.phase }
    this.members = new Map(
      slaves.map((order) => {
        const known = before.get(order.deviceId)
        const isSame = known?.slave.order.digest === order.digest
        const member = isSame ? known : { slave: new Slave(order, present), values: new Values(order) }
        return [order.deviceId, member]
      }),
    )
    this.slaves = [...this.members.values()].map(({ slave }) => slave)
  }

  private isOnline(): boolean {
    if (this.answeredAt === undefined || this.connection.waitMs > 0) return false
    const periods = this.slaves.flatMap(({ polls }) => polls.map(({ periodMs }) => periodMs))
    const shortest = Math.min(...periods)
    return performance.now() - this.answeredAt < Math.max(MODBUS_SILENCE_MS, 3 * shortest)
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      try {
        await this.step()
      } catch (error) {
        // Our own mistake must not stop a plant's meters; it is not to spin either.
        this.deps.log.error({ err: error, gateway: this.order.gatewayId }, 'polling a Modbus gateway failed')
        await this.idle(1_000)
      }
    }
  }

  private async step(): Promise<void> {
    await this.outbox.room()
    const { waitMs } = this.connection
    if (waitMs > 0) return this.idle(waitMs)
    const now = performance.now()
    const { riskyFrom, newFrom } = this
    const choice = chooseNext(this.slaves, { now, riskyFrom, newFrom })
    if ('waitMs' in choice) return this.rest(choice.waitMs)
    const { slave, poll } = choice
    if (!poll.isRunning) {
      poll.begin(this.deps.clock.now(), now)
      if (slave.health === 'good') this.deps.metrics.lateness.observe((now - poll.dueAt) / 1000)
    }
    if (poll.next) await this.ask(slave, poll, poll.next)
    if (poll.isRunning && !poll.next) this.finish(slave, poll)
  }

  /** Nothing is due. A connection that is not to be kept is given back meanwhile. */
  private async rest(waitMs: number): Promise<void> {
    if (this.slaves.some(({ order }) => !order.map.bus.keepConnection)) this.connection.release()
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

  private async ask(slave: Slave, poll: Poll, block: Block): Promise<void> {
    const { unit, map } = slave.order
    const { function: fn, address, count } = block
    const request = { function: fn, address, count }
    const sentAt = performance.now()
    try {
      const words = await this.connection.request({ unit, request, timeoutMs: map.bus.timeoutMs })
      this.deps.metrics.registersRead.inc(count)
      this.heard(slave)
      poll.take(words)
    } catch (error) {
      if (!(error instanceof ModbusError)) throw error
      this.fail(slave, poll, { error, tookMs: performance.now() - sentAt })
    }
    if (map.bus.interRequestMs > 0) await this.idle(map.bus.interRequestMs)
    const now = performance.now()
    slave.spend(now - sentAt, now)
  }

  private lineAnswered(): void {
    this.answeredAt = performance.now()
    this.seenAt = this.deps.clock.now()
  }

  private heard(slave: Slave): void {
    this.lineAnswered()
    if (slave.health === 'down')
      this.deps.log.info({ device: slave.order.deviceId }, 'a Modbus device answers again')
    slave.answered(performance.now())
  }

  private fail(slave: Slave, poll: Poll, { error, tookMs }: Failure): void {
    const { kind, exceptionCode = 0 } = error
    if (kind === 'stopped') return
    this.deps.metrics.errors.inc({ kind })
    // The line is down, and no slave is to blame; a round that was begun before would mix two times.
    if (kind === 'connect') {
      this.breakOff()
      return
    }
    if (kind === 'exception' && !SILENCES.has(exceptionCode)) {
      this.heard(slave)
      if (REFUSALS.has(exceptionCode)) this.refuse(slave, poll)
      else poll.skip()
      return
    }
    if (kind === 'exception') this.lineAnswered()
    this.silence(slave, poll, { error, tookMs })
  }

  private refuse(slave: Slave, poll: Poll): void {
    const known = poll.refused.length
    poll.refuse(slave.order.map, performance.now())
    const news = poll.refused[known]
    if (!news) return
    const { function: fn, address, count, keys } = news.block
    const told = { device: slave.order.deviceId, function: fn, address, count, keys }
    this.deps.log.warn(told, 'a Modbus device refuses a register; the others are read without it')
  }

  /**
   * Asked again at once as often as its map says, but only while silent slaves have not used up their share of the
   * line: then, and when it stays silent, it is asked rarely, and its neighbours keep their time.
   */
  private silence(slave: Slave, poll: Poll, { error, tookMs }: Failure): void {
    const now = performance.now()
    const isKnownSilent = slave.failures > 0
    const wasGood = slave.health === 'good'
    slave.silent(error.message)
    if (isKnownSilent) this.riskyFrom = now + tookMs * (1 / MODBUS_RISKY_SHARE - 1)
    else if (!wasGood) this.newFrom = now + tookMs
    if (wasGood && slave.failures <= slave.order.map.bus.retries && this.riskyFrom <= now) return
    if (wasGood)
      this.deps.log.warn(
        { device: slave.order.deviceId, unit: slave.order.unit, reason: error.message },
        'a Modbus device is silent',
      )
    slave.giveUp(now, this.chance())
    this.finish(slave, poll)
    for (const other of slave.polls) if (other.isRunning) this.finish(slave, other)
  }

  private breakOff(): void {
    for (const slave of this.slaves)
      for (const poll of slave.polls) if (poll.isRunning) this.finish(slave, poll)
  }

  /** What was read goes to be stored, also when it is not all. */
  private finish(slave: Slave, poll: Poll): void {
    const { begunAt, words } = poll
    const member = this.members.get(slave.order.deviceId)
    if (begunAt !== undefined && words.length > 0 && member?.slave === slave) {
      const values = member.values.read(poll.name, words, begunAt)
      if (Object.keys(values).length > 0)
        this.outbox.put({ deviceId: slave.order.deviceId, at: begunAt, values })
    }
    const missed = poll.end(performance.now())
    if (missed > 0 && slave.health === 'good') this.deps.metrics.missed.inc(missed)
  }
}

interface Failure {
  readonly error: ModbusError
  readonly tookMs: number
}

const connectDelayOf = (slaves: readonly SlaveOrder[]): number =>
  Math.max(0, ...slaves.map(({ map }) => map.bus.connectDelayMs))
