import { Counter, Gauge } from 'prom-client'
import { makeTenantNodes } from '../../../platform/db/distribution/tenant-nodes.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Ingest, Sample, SampleOutcome } from '../intake-contract/index.ts'
import { makeBatchWriter } from './batch-connection.ts'
import { ACCEPTED, type Part } from './block.ts'
import { makeDeviceDirectory } from './device-key-store.ts'
import { makeLastSeen } from './last-seen-store.ts'
import { INGEST_CONNECTIONS } from './limits.ts'
import { SampleQueue } from './queue.ts'
import { Requests } from './requests.ts'
import { SampleQuota } from './sample-quota.ts'
import { storeBatch } from './write-store.ts'

const NOTHING_STORED: SampleOutcome = { accepted: 0, duplicates: 0, setAside: [] }

type IngestDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'metrics' | 'bus'>

/**
 * Starts the intake for requests and streams of every protocol: one queue, the writers with COPY, and the
 * work after a commit.
 */
export function startIngest(deps: IngestDeps): Ingest {
  const { bus, clock, database, log } = deps
  const now = () => clock.now()
  const writers = Array.from({ length: INGEST_CONNECTIONS }, () =>
    makeBatchWriter({
      database,
      log,
      store: (connection, parts) => storeBatch({ database, connection, parts, now: now() }),
    }),
  )
  const nodes = makeTenantNodes(database, (error) =>
    log.warn({ err: error }, 'the nodes of tenants were not read'),
  )
  const lastSeen = makeLastSeen(deps)
  const quota = new SampleQuota(deps, nodes)
  const onStored = (part: Part): Promise<void> | undefined => {
    const accepted = count(part)
    if (accepted > 0) quota.countStored(part.block.tenantId, accepted)
    // The event is emitted right after the commit, before anything else is written.
    if (accepted > 0 && bus.hasListeners('samples_stored')) bus.emit('samples_stored', storedOf(part))
    return lastSeen.touch(part)
  }
  const queue = new SampleQueue({
    writers,
    nodes,
    now,
    onStored,
    onError: (error) => log.error({ err: error }, 'the work after a commit of samples failed'),
  })
  const count = countSamples(deps.metrics, queue)
  const requests = new Requests({ queue, directory: makeDeviceDirectory(database, nodes), now })
  /** Not async: an async function would hold the samples until their commit. */
  const whenReady = (tenantId: number, store: () => Promise<SampleOutcome>): Promise<SampleOutcome> =>
    quota.ready(tenantId)?.then(store) ?? store()
  const withinQuota = (tenantId: number, store: () => Promise<SampleOutcome>): Promise<SampleOutcome> =>
    whenReady(tenantId, () =>
      quota.isExceeded(tenantId) ? Promise.reject(quota.refusal(tenantId)) : store(),
    )
  return {
    submit: (tenantId, samples) => requests.submit(tenantId, samples),
    offer(tenantId, samples) {
      return whenReady(tenantId, () => {
        if (!quota.isExceeded(tenantId)) return requests.submit(tenantId, samples)
        quota.countRefused(tenantId, samples.length)
        return Promise.resolve(NOTHING_STORED)
      })
    },
    submitWithinQuota: (tenantId, samples) => withinQuota(tenantId, () => requests.submit(tenantId, samples)),
    accept: (tenantId, document) => withinQuota(tenantId, () => requests.accept(tenantId, document)),
    stream(tenantId, message, waiter) {
      if (!quota.isExceeded(tenantId)) return queue.push(tenantId, message, waiter)
      quota.countRefused(tenantId, message.count)
      waiter.resolve()
    },
    waitingMessages: () => queue.waiting,
    busyShare: () => queue.busyShare,
    async drain() {
      await queue.drain()
      await lastSeen.stop()
      await quota.stop()
    },
  }
}

/**
 * Returns the new samples of a part. They usually have no reader, so the list is built when it is first read.
 */
function storedOf({ block, from, to }: Part): SamplesStored {
  let samples: Sample[] | undefined
  return {
    tenantId: block.tenantId,
    get samples() {
      if (samples) return samples
      samples = []
      for (let index = from; index < to; index++) {
        if (block.status[index] === ACCEPTED) samples.push(block.sampleAt(index))
      }
      return samples
    },
  }
}

/**
 * Registers the metrics and returns a function that counts a stored part and returns the number of its
 * accepted samples.
 */
function countSamples({ registry }: Deps['metrics'], queue: SampleQueue): (part: Part) => number {
  const samples = new Counter({
    name: 'netsaat_ingest_samples_total',
    help: 'Samples that were acknowledged as stored, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  new Gauge({
    name: 'netsaat_ingest_waiting_samples',
    help: 'Samples in the buffer that no batch has taken yet.',
    registers: [registry],
    collect() {
      this.set(queue.waitingSamples)
    },
  })
  return ({ block, from, to }) => {
    const { accepted, duplicates, setAside } = block.outcome(from, to)
    samples.inc({ outcome: 'accepted' }, accepted)
    samples.inc({ outcome: 'duplicate' }, duplicates)
    samples.inc({ outcome: 'set_aside' }, setAside.length)
    return accepted
  }
}

/** Samples of one tenant that were committed and are new; never empty. The list is built when it is first read. */
interface SamplesStored {
  readonly tenantId: number
  readonly samples: readonly Sample[]
}

declare module '../../../platform/messaging/bus.ts' {
  interface BusEvents {
    /** Emitted after the commit. */
    samples_stored: SamplesStored
  }
}
