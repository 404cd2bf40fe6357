/** A sample in the form that every source provides: checked, with values in the units of `kernel/metrics`. */
export interface Sample {
  /** UUID, in lower case. */
  readonly deviceId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** At least one; all finite, registers within REGISTER_MAX. */
  readonly values: SampleValues
}
export type SampleValues = Readonly<Record<string, number>>

/** The reasons why a sample is quarantined instead of stored as a measurement. */
export const SET_ASIDE_REASONS = [
  'future_timestamp',
  'epoch_timestamp',
  'negative_register',
  'conflicts_with_stored',
  'sealed_month',
] as const
export type SetAsideReason = (typeof SET_ASIDE_REASONS)[number]

export interface SampleOutcome {
  /** Samples that are new or add metrics to a stored sample. */
  readonly accepted: number
  /** Samples that are already stored and add nothing. */
  readonly duplicates: number
  /** Quarantined samples by their index in the request. */
  readonly setAside: readonly { readonly index: number; readonly reason: SetAsideReason }[]
}

/** The values of a sample by their indexes in METRICS: those whose bits the mask has. Within the limits of a sample. */
export interface Columns {
  readonly mask: number
  readonly values: Float64Array
}

/** Receives the samples of a message; it retains neither the objects nor the columns. */
export interface SampleSink {
  add(sample: Sample, deviceKey: number): void
  /** Adds a sample whose values are already columns, without creating an object for it. */
  addColumns(deviceId: string, deviceKey: number, at: number, columns: Columns): void
}

/** The samples of one message of a stream. They are committed in one transaction. */
export interface StreamMessage {
  /** At least 1. */
  readonly count: number
  /** True for messages from the memory of a gateway. They yield to live messages. */
  readonly isBackfill: boolean
  /** Called once, before `stream` returns; adds the samples. */
  addTo(sink: SampleSink): void
}

/** Callbacks for the result of a message; exactly one of `resolve` and `reject` is called, once. */
export interface Waiter {
  /**
   * True when the sender has disconnected without an acknowledgement. It will send the message again, so it
   * need not be stored.
   */
  readonly isGone: () => boolean
  /** Called when the samples are committed. */
  readonly resolve: () => void
  /**
   * Called with SenderGone, or with the error that prevents the samples of this message from being stored.
   */
  readonly reject: (error: unknown) => void
}

/** The sender of a message has disconnected before the message was stored. */
export class SenderGone extends Error {}

/**
 * The intake for samples of every protocol: see `areas/metering/intake`. Every promise resolves after every
 * sample is committed. Sending samples again is idempotent.
 */
export interface Ingest {
  /**
   * Stores the samples of a request. Rejects with the 422 that names the samples of unknown devices, in which
   * case nothing is stored, and with 503 SERVICE_OVERLOADED when the samples could not be stored in time.
   */
  submit(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome>
  /**
   * Like `submit`, for senders of a field protocol. Samples beyond the quota of the tenant are counted as refused
   * and not stored; the promise resolves nevertheless, so that the sender is acknowledged and does not repeat them.
   */
  offer(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome>
  /** Like `submit`, but rejects with 429 beyond the quota of the tenant. */
  submitWithinQuota(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome>
  /**
   * Like `submit`, for the document `{samples: [{device_id, timestamp, values}]}`, or what `decodeSampleBytes` has made
   * of it; rejects with the 422 that lists its failures, and with 429 beyond the quota of the tenant.
   */
  accept(tenantId: number, document: unknown): Promise<SampleOutcome>
  /**
   * Enqueues a message of a sender that limits its unacknowledged messages by itself and waits without a
   * deadline. The keys of its devices are known. Beyond the quota of the tenant, it is handled as by `offer`.
   * The function does not create a promise per message.
   */
  stream(tenantId: number, message: StreamMessage, waiter: Waiter): void
  /** Number of stream messages that are not part of a batch yet. */
  waitingMessages(): { readonly live: number; readonly backfill: number }
  /**
   * The share of recent time in which samples were being written, 0 to 1; work that yields to ingest uses it.
   */
  busyShare(): number
  /** Refuses new samples; resolves when all accepted ones are committed or refused. */
  drain(): Promise<void>
}

declare module '../../../platform/runtime/deps.ts' {
  interface Deps {
    /** The intake for samples, over HTTP and every other protocol. */
    readonly ingest: Ingest
  }
}
