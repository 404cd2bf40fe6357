import { at } from '../../../kernel/checked.ts'
import { AppError } from '../../../kernel/errors.ts'
import { textOf } from '../../../kernel/messages.ts'
import {
  type Ingest,
  type Sample,
  type SampleOutcome,
  type SampleSink,
  SenderGone,
  type Waiter,
} from '../intake-contract/index.ts'
import { METERING_TEXTS } from '../messages.ts'
import { type Part, SampleBlock } from './block.ts'
import { decodeSamples, type InputFailure, refuseInput } from './decode.ts'
import { DecodedSamples } from './decoded-samples.ts'
import type { DeviceDirectory } from './device-key-store.ts'
import type { Entry, SampleSource } from './lanes.ts'
import {
  INGEST_BATCH_ROWS_MAX,
  INGEST_SHARED_SAMPLES_MAX,
  INGEST_WAIT_MAX_MS,
  INGEST_WAITING_REQUESTS_MAX,
  INGEST_WAITING_SAMPLES_MAX,
  SAMPLE_FAILURES_MAX,
} from './limits.ts'
import type { SampleQueue } from './queue.ts'

const overloaded = () => new AppError(503, 'SERVICE_OVERLOADED', METERING_TEXTS.SAMPLES_NOT_STORED_IN_TIME())

export const REQUEST_LIMITS = {
  partMax: INGEST_BATCH_ROWS_MAX,
  sharedMax: INGEST_SHARED_SAMPLES_MAX,
  waitMs: INGEST_WAIT_MAX_MS,
  waitingSamplesMax: INGEST_WAITING_SAMPLES_MAX,
  waitingRequestsMax: INGEST_WAITING_REQUESTS_MAX,
}
export type RequestLimits = Readonly<typeof REQUEST_LIMITS>

export interface RequestDeps {
  readonly queue: SampleQueue
  readonly directory: DeviceDirectory
  /** Epoch milliseconds. */
  readonly now: () => number
}

type Keys = ReadonlyMap<string, number>

/** The samples of a request, checked but for their devices. */
interface SampleList {
  readonly count: number
  /** Every device of the samples; a device may occur several times. */
  readonly devices: readonly { readonly deviceId: string }[]
  deviceIdOf(index: number): string
  /** Adds the samples in their order. Every device has a key. */
  addTo(sink: SampleSink, keys: Keys): void
  /** The samples as a block of their own, checked against the clock. Every device has a key. */
  toBlock(tenantId: number, keys: Keys, now: number): SampleBlock
}

const listOf = (samples: readonly Sample[]): SampleList => ({
  count: samples.length,
  devices: samples,
  deviceIdOf: (index) => at(samples, index).deviceId,
  addTo(sink, keys) {
    for (const sample of samples) sink.add(sample, keys.get(sample.deviceId) as number)
  },
  toBlock(tenantId, keys, now) {
    const block = new SampleBlock(tenantId, samples.length)
    block.now = now
    this.addTo(block, keys)
    return block
  },
})

/**
 * Admits requests to the queue. A request with an unknown device is refused as a whole. Otherwise it waits
 * for capacity, and is either committed before its deadline or refused with 503. A small request shares a
 * block with others of its tenant. A large one has its own block, which is filled before the request waits:
 * columns need much less memory than objects.
 */
export class Requests implements Pick<Ingest, 'submit' | 'accept'> {
  private readonly deps: RequestDeps
  private readonly limits: RequestLimits
  private readonly forRoom: (() => void)[] = []

  constructor(deps: RequestDeps, limits: Partial<RequestLimits> = {}) {
    this.deps = deps
    this.limits = { ...REQUEST_LIMITS, ...limits }
    deps.queue.onRoom = () => {
      for (const wake of this.forRoom.splice(0)) wake()
    }
  }

  accept(tenantId: number, document: unknown): Promise<SampleOutcome> {
    try {
      return this.store(
        tenantId,
        document instanceof DecodedSamples ? document : listOf(decodeSamples(document)),
      )
    } catch (error) {
      return Promise.reject(error)
    }
  }

  submit(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome> {
    return this.store(tenantId, listOf(samples))
  }

  /** Stores samples. Neither this function nor those that it calls retain the list while they wait. */
  private store(tenantId: number, list: SampleList): Promise<SampleOutcome> {
    const keys = this.deps.directory.find(tenantId, list.devices)
    return keys instanceof Promise
      ? keys.then((found) => this.enqueue(tenantId, list, found))
      : this.enqueue(tenantId, list, keys)
  }

  private enqueue(tenantId: number, list: SampleList, keys: Keys): Promise<SampleOutcome> {
    const { count } = list
    if (count === 0) return Promise.resolve({ accepted: 0, duplicates: 0, setAside: [] })
    const failures = unknownDevices(list, keys)
    if (failures.length > 0) return Promise.reject(refuseInput(failures))
    if (count > this.limits.sharedMax) return this.addBlock(list.toBlock(tenantId, keys, this.deps.now()))
    return this.add(tenantId, { count, addTo: (sink) => list.addTo(sink, keys) })
  }

  /** Not async: the samples are in the block of the queue and must not live until the commit a second time. */
  private add(tenantId: number, source: SampleSource): Promise<SampleOutcome> {
    if (this.isFull(source.count)) return this.addLater(tenantId, source)
    return this.push(tenantId, source, this.deadline())
  }

  private async addLater(tenantId: number, source: SampleSource): Promise<SampleOutcome> {
    const deadline = this.admit(source.count)
    // The loop is not a function of its own, because no other task may run between the last check and the
    // enqueueing.
    while (this.isFull(source.count)) await this.change(deadline)
    return this.push(tenantId, source, deadline)
  }

  private push(tenantId: number, source: SampleSource, deadline: number): Promise<SampleOutcome> {
    if (this.deps.queue.isClosed) return Promise.reject(overloaded())
    const request = new PendingRequest()
    request.wait(this.deps.queue, this.deps.queue.pushRequest(tenantId, source, request), deadline)
    return request.end.then(({ block, from, to }) => block.outcome(from, to))
  }

  private async addBlock(block: SampleBlock): Promise<SampleOutcome> {
    const deadline = this.admit(block.count)
    while (this.isFull(block.count)) await this.change(deadline)
    if (this.deps.queue.isClosed) throw overloaded()
    const ends: Promise<Part>[] = []
    for (let from = 0; from < block.count; from += this.limits.partMax) {
      const to = Math.min(block.count, from + this.limits.partMax)
      const part = { block, from, to, size: to - from }
      const request = new PendingRequest()
      request.wait(this.deps.queue, this.deps.queue.pushPart(part, request), deadline)
      ends.push(request.end)
    }
    const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
    return block.outcome(0, block.count)
  }

  /**
   * Returns the deadline of a new request on the monotonic clock; throws 503 when too many requests already
   * wait for capacity.
   */
  private admit(count: number): number {
    if (this.isFull(count) && this.forRoom.length >= this.limits.waitingRequestsMax) throw overloaded()
    return this.deadline()
  }

  private deadline(): number {
    return performance.now() + this.limits.waitMs
  }

  /** True when a request must wait. While no request waits, one of any size is admitted. */
  private isFull(count: number): boolean {
    const { waiting, isClosed } = this.deps.queue
    const { requestSamples } = waiting
    return requestSamples > 0 && requestSamples + count > this.limits.waitingSamplesMax && !isClosed
  }

  /** Resolves when there may be capacity. */
  private async change(deadline: number): Promise<void> {
    const remainingMs = deadline - performance.now()
    if (remainingMs <= 0) throw overloaded()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, remainingMs)
      this.forRoom.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

/**
 * An entry of a request until it is committed. At the deadline it is refused, also when it is being written. It does
 * not refer to the samples.
 */
class PendingRequest implements Waiter {
  readonly end: Promise<Part>
  private settle: { resolve(part: Part): void; reject(error: unknown): void } | undefined
  private entry: Entry | undefined
  private timer: NodeJS.Timeout | undefined

  constructor() {
    this.end = new Promise((resolve, reject) => {
      this.settle = { resolve, reject }
    })
  }

  /** The queue settles an entry later, never while it is being enqueued. */
  wait(queue: SampleQueue, entry: Entry, deadline: number): void {
    this.entry = entry
    this.timer = setTimeout(() => {
      queue.remove(entry)
      entry.reject(overloaded())
    }, deadline - performance.now())
  }

  isGone(): boolean {
    return false
  }

  resolve(): void {
    clearTimeout(this.timer)
    if (this.entry) this.settle?.resolve(this.entry.part)
  }

  reject(error: unknown): void {
    clearTimeout(this.timer)
    this.settle?.reject(error instanceof SenderGone ? overloaded() : error)
  }
}

const UNKNOWN_DEVICE = METERING_TEXTS.SAMPLES_DEVICE_UNKNOWN()

function unknownDevices(list: SampleList, keys: Keys): InputFailure[] {
  const failures: InputFailure[] = []
  if (list.devices.every(({ deviceId }) => keys.has(deviceId))) return failures
  for (let index = 0; index < list.count && failures.length < SAMPLE_FAILURES_MAX; index++) {
    if (keys.has(list.deviceIdOf(index))) continue
    failures.push({
      loc: ['body', 'samples', index, 'device_id'],
      msg: textOf(UNKNOWN_DEVICE),
      type: 'invalid_reference',
      content: UNKNOWN_DEVICE,
    })
  }
  return failures
}
