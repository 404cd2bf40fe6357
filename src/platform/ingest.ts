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

/** The values of a sample by the places of METRICS: those whose bits the mask has. Within the limits of a sample. */
export interface Columns {
  readonly mask: number
  readonly values: Float64Array
}

/** Samples of one tenant that are stored together, put together one by one. */
export interface Collection {
  readonly count: number
  /** The sample itself is not kept. */
  add(sample: Sample): void
  /** The same of one that was never an object; the columns are not kept either. */
  addColumns(deviceId: string, at: number, columns: Columns): void
  /** Those of these places; registers to six decimals. */
  read(from: number, to: number): Sample[]
  /** As `submit`; may be tried again. */
  store(): Promise<SampleOutcome>
}

/**
 * The way in for measurements, whatever protocol they came by. All resolve only when every sample is committed.
 * They throw the 422 that names the samples of unknown devices (nothing is stored then), and 503 SERVICE_OVERLOADED
 * when the samples could not be stored in time; sending them again is always safe.
 */
export interface Ingest {
  submit(tenantId: number, samples: readonly Sample[]): Promise<SampleOutcome>
  /** For samples that come one by one and wait for one another: much lighter than a list of them. */
  collect(tenantId: number): Collection
  /** The canonical document `{samples: [{device_id, timestamp, values}]}`; throws the 422 that lists its failures. */
  accept(tenantId: number, document: unknown): Promise<SampleOutcome>
  /** The share of the last moments in which samples were being written, 0 to 1: for work that gives way to them. */
  busyShare(): number
  /** Takes nothing new, and resolves when all that was taken is committed or refused. */
  drain(): Promise<void>
}
