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
  /** By position in the request. */
  readonly setAside: readonly { readonly index: number; readonly reason: SetAsideReason }[]
}

/**
 * The way in for measurements, whatever protocol they came by. Both resolve only when every sample is committed.
 * They throw the 422 that names the samples of unknown devices (nothing is stored then), and 503 SERVICE_OVERLOADED
 * when the samples could not be stored in time; sending them again is always safe.
 */
export interface Ingest {
  submit(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome>
  /** The canonical document `{samples: [{device_id, timestamp, values}]}`; throws the 422 that lists its failures. */
  accept(tenantId: number, document: unknown): Promise<SampleOutcome>
  /** Takes nothing new, and resolves when all that was taken is committed or refused. */
  drain(): Promise<void>
}
