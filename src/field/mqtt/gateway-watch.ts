import type { FastifyBaseLogger } from 'fastify'
import {
  copySequence,
  type MessageSequence,
  mergeSequences,
  mergeStoredSequence,
  missingNumbers,
  readSequence,
  recordNumber,
  tryAppendNumber,
} from '../../areas/equipment/gateway-link/index.ts'
import { type GatewayActivity, updateLastSeen } from '../../areas/equipment/gateways/index.ts'
import { LAST_SEEN_EVERY_MS } from '../../kernel/limits.ts'
import { isTransient } from '../../platform/db/errors.ts'
import type { Database } from '../../platform/db/pool.ts'
import type { Clock } from '../../platform/runtime/clock.ts'
import type { Sequence } from './dialects/types.ts'
import type { GatewayRef } from './directory.ts'
import {
  CLOCK_SKEW_STEP_MS,
  SEQUENCE_ACK_MS,
  SEQUENCE_FLUSH_GATEWAYS,
  SEQUENCE_FLUSH_MS,
  SEQUENCE_GATEWAYS_MAX,
  SEQUENCE_MISSING_LISTED_MAX,
} from './limits.ts'
import { ClockSkew } from './skew.ts'

/** The stored sequence numbers, as published to the gateway on `ack`. */
export interface Acknowledgement {
  /** The highest number that is stored; 0 when none is. */
  readonly seq: number
  /** The first number seen of this numbering; nothing is known about earlier ones. */
  readonly from: number | null
  /** The newest ranges in between that are not stored; absent when there is none. */
  readonly missing?: readonly (readonly [number, number])[]
}

interface Gateway extends GatewayRef {
  root: string
  readonly skew: ClockSkew
  seenAt: number
  writtenAt: number
  writtenSkew: number | null
  numbering: MessageSequence | undefined
  /** Resolves when the stored numbering is loaded; it has to be loaded before a number is recorded. */
  opened: Promise<void> | undefined
  isOpen: boolean
  owesAck: boolean
}

export interface Noted {
  readonly receivedAt: number
  readonly sequence: Sequence | undefined
  readonly newestAt: number | undefined
}

export interface GatewayWatch {
  /** Loads the stored numbering; to be awaited once, before the first number of a gateway is recorded. */
  open(ref: GatewayRef): Promise<void> | undefined
  /** True when the stored numbering is loaded. */
  isOpen(ref: GatewayRef): boolean
  /** Records a message after its commit. */
  note(ref: GatewayRef, noted: Noted): void
  acknowledgement(ref: GatewayRef): Promise<Acknowledgement>
  /** The known clock skews of gateways, milliseconds. */
  skews(): number[]
  stop(): Promise<void>
}

interface WatchDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly acknowledge: (ref: GatewayRef, ack: Acknowledgement) => void
}

const ackOf = (numbering: MessageSequence | undefined): Acknowledgement => {
  if (!numbering) return { seq: 0, from: null }
  const missing = missingNumbers(numbering).slice(-SEQUENCE_MISSING_LISTED_MAX)
  const { lastSeq: seq, received } = numbering
  return { seq, from: received[0]?.[0] ?? seq, ...(missing.length > 0 && { missing }) }
}

/**
 * Keeps each gateway's sequence numbers, clock skew and last activity in memory, and writes them to the
 * database about once a second.
 */
class Watch implements GatewayWatch {
  private readonly deps: WatchDeps
  private readonly gateways = new Map<string, Gateway>()
  private readonly owing: Gateway[] = []
  /** Gateways with unwritten changes, in the order of the changes. */
  private readonly dirty = new Set<Gateway>()
  private readonly timer: NodeJS.Timeout
  private ackTimer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  private isWriting = false

  constructor(deps: WatchDeps) {
    this.deps = deps
    this.timer = setInterval(() => this.write(), SEQUENCE_FLUSH_MS).unref()
  }

  open(ref: GatewayRef): Promise<void> | undefined {
    const gateway = this.gatewayOf(ref)
    if (gateway.isOpen) return undefined
    gateway.opened ??= readSequence(this.deps.database, ref)
      .then((numbering) => {
        gateway.numbering = numbering
        gateway.isOpen = true
      })
      .finally(() => {
        gateway.opened = undefined
      })
    return gateway.opened
  }

  isOpen(ref: GatewayRef): boolean {
    return this.gatewayOf(ref).isOpen
  }

  note(ref: GatewayRef, { receivedAt, sequence, newestAt }: Noted): void {
    const gateway = this.gatewayOf(ref)
    gateway.seenAt = Math.max(gateway.seenAt, receivedAt)
    gateway.skew.note(receivedAt, sequence?.sentAt, newestAt)
    if (!sequence) return
    const { seq, sentAt } = sequence
    const numbered = { seq, sentAt, receivedAt }
    if (!gateway.numbering || !tryAppendNumber(gateway.numbering, numbered)) {
      gateway.numbering = copySequence(recordNumber(gateway.numbering, numbered))
    }
    this.dirty.add(gateway)
    if (gateway.owesAck) return
    gateway.owesAck = true
    this.owing.push(gateway)
    this.ackTimer ??= setTimeout(() => this.sendAcks(), SEQUENCE_ACK_MS)
  }

  async acknowledgement(ref: GatewayRef): Promise<Acknowledgement> {
    await this.open(ref)
    return ackOf(this.gatewayOf(ref).numbering)
  }

  skews(): number[] {
    return [...this.gateways.values()].flatMap(({ skew }) => skew.median() ?? [])
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    clearTimeout(this.ackTimer)
    this.sendAcks()
    await this.writing
    let left: number
    do {
      left = this.dirty.size
      await this.writeAll()
      // Stops when a round wrote nothing.
    } while (this.dirty.size > 0 && this.dirty.size < left)
  }

  private gatewayOf(ref: GatewayRef): Gateway {
    const known = this.gateways.get(ref.gatewayId)
    if (known?.tenantId === ref.tenantId) {
      if (ref.root) known.root = ref.root
      return known
    }
    const gateway: Gateway = {
      tenantId: ref.tenantId,
      gatewayId: ref.gatewayId,
      root: ref.root,
      skew: new ClockSkew(),
      seenAt: 0,
      writtenAt: 0,
      writtenSkew: null,
      numbering: undefined,
      opened: undefined,
      isOpen: false,
      owesAck: false,
    }
    this.gateways.set(ref.gatewayId, gateway)
    if (this.gateways.size > SEQUENCE_GATEWAYS_MAX) this.forgetOne()
    return gateway
  }

  /** Evicts a gateway without unwritten changes; it is loaded again with its next message. */
  private forgetOne(): void {
    for (const [key, gateway] of this.gateways) {
      if (this.dirty.has(gateway) || gateway.owesAck || gateway.opened) continue
      this.gateways.delete(key)
      return
    }
  }

  private sendAcks(): void {
    this.ackTimer = undefined
    for (const gateway of this.owing.splice(0)) {
      gateway.owesAck = false
      this.deps.acknowledge(gateway, ackOf(gateway.numbering))
    }
  }

  /** One write at a time; changes that are recorded meanwhile are written by the next one. */
  private write(): void {
    if (this.isWriting) return
    this.isWriting = true
    this.writing = this.writeAll()
  }

  private async writeAll(): Promise<void> {
    try {
      await this.writeSeen()
      await this.writeNumberings()
    } catch (error) {
      this.deps.log.warn({ reason: (error as Error).message }, 'gateways were not written down')
    } finally {
      this.isWriting = false
    }
  }

  private async writeSeen(): Promise<void> {
    const due: GatewayActivity[] = []
    for (const gateway of this.gateways.values()) {
      const { tenantId, gatewayId, seenAt, writtenAt, writtenSkew } = gateway
      const clockSkewMs = gateway.skew.median()
      const hasMoved =
        clockSkewMs !== null && Math.abs(clockSkewMs - (writtenSkew ?? Infinity)) >= CLOCK_SKEW_STEP_MS
      if (seenAt === writtenAt || (seenAt < writtenAt + LAST_SEEN_EVERY_MS && !hasMoved)) continue
      due.push({ tenantId, gatewayId, at: seenAt, clockSkewMs })
      gateway.writtenAt = seenAt
      gateway.writtenSkew = clockSkewMs
      if (due.length >= SEQUENCE_FLUSH_GATEWAYS) break
    }
    await updateLastSeen(this.deps.database, due)
  }

  private async writeNumberings(): Promise<void> {
    for (const gateway of [...this.dirty].slice(0, SEQUENCE_FLUSH_GATEWAYS)) {
      this.dirty.delete(gateway)
      try {
        await this.writeNumbering(gateway)
      } catch (error) {
        // To the end of the queue, so that a gateway that cannot be written does not block the others.
        this.dirty.add(gateway)
        if (isTransient(error)) throw error
        const { gatewayId } = gateway
        this.deps.log.warn(
          { reason: (error as Error).message, gatewayId },
          'a numbering was not written down',
        )
      }
    }
  }

  private async writeNumbering(gateway: Gateway): Promise<void> {
    const { tenantId, gatewayId, numbering } = gateway
    if (!numbering) return
    const stored = await this.merge({ tenantId, gatewayId }, copySequence(numbering))
    // Numbers that other processes have recorded are merged with those recorded meanwhile.
    gateway.numbering = copySequence(mergeSequences(stored, gateway.numbering ?? stored))
  }

  private merge(ref: Omit<GatewayRef, 'root'>, numbering: MessageSequence): Promise<MessageSequence> {
    return mergeStoredSequence(
      this.deps.database,
      { ...ref, sequence: numbering },
      new Date(this.deps.clock.now()),
    )
  }
}

export const watchGateways = (deps: WatchDeps): GatewayWatch => new Watch(deps)
