/** A sample as every source hands it over: checked, values in the units of `kernel/metrics`. */
export interface Sample {
  /** UUID, in lower case. */
  readonly deviceId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** At least one; all finite, registers within REGISTER_MAX. */
  readonly values: SampleValues
}
export type SampleValues = Readonly<Record<string, number>>

/** Why a sample is kept but not taken as data. */
export const SET_ASIDE_REASONS = [
  'future_timestamp',
  'epoch_timestamp',
  'negative_register',
  'conflicts_with_stored',
  'sealed_month',
] as const
export type SetAsideReason = (typeof SET_ASIDE_REASONS)[number]

export interface SampleOutcome {
  /** New, or new metrics of a stored sample. */
  readonly accepted: number
  /** Already stored, with nothing to add. */
  readonly duplicates: number
  /** By index in the request. */
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
  /** The same for a sample that was never an object. */
  addColumns(deviceId: string, deviceKey: number, at: number, columns: Columns): void
}

/** The samples of one message of a stream. They are committed in one transaction. */
export interface StreamMessage {
  /** At least 1. */
  readonly count: number
  /** Sent late, from a store: it gives precedence to live messages. */
  readonly isBackfill: boolean
  /** Called once, before `stream` returns. */
  addTo(sink: SampleSink): void
}

/** Waits for the end of a message; exactly one of `resolve` and `reject` is called, once. */
export interface Waiter {
  /** The sender has left without an acknowledgement and will send the message again: it need not be stored. */
  readonly isGone: () => boolean
  /** The samples are committed. */
  readonly resolve: () => void
  /** With SenderGone, or with the error that prevents the samples of this message from being stored. */
  readonly reject: (error: unknown) => void
}

/** The sender of a message has left before the message was stored. */
export class SenderGone extends Error {}

/**
 * The intake for samples of every protocol: see `areas/metering/intake`. Whatever resolves does so when every sample is
 * committed, and sending samples again is always safe.
 */
export interface Ingest {
  /**
   * A request. Throws the 422 that names the samples of unknown devices (nothing is stored then), and 503
   * SERVICE_OVERLOADED when the samples could not be stored in time.
   */
  submit(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome>
  /**
   * As `submit`, for the document `{samples: [{device_id, timestamp, values}]}`; throws the 422 that lists its
   * failures.
   */
  accept(tenantId: number, document: unknown): Promise<SampleOutcome>
  /**
   * A message of a sender that limits by itself what it has under way, and that waits for as long as it takes. The keys
   * of its devices are known. Does not create a promise per message.
   */
  stream(tenantId: number, message: StreamMessage, waiter: Waiter): void
  /** Messages of streams that no batch has taken yet. */
  waitingMessages(): { readonly live: number; readonly backfill: number }
  /** The share of the last moments in which samples were being written, 0 to 1: for work that yields to them. */
  busyShare(): number
  /** Refuses everything new, and resolves when all that was taken is committed or refused. */
  drain(): Promise<void>
}

declare module '../../../platform/runtime/deps.ts' {
  interface Deps {
    /** The intake for samples, over HTTP and every other protocol. */
    readonly ingest: Ingest
  }
}
