import type { Sample } from '../../../platform/ingest.ts'

/** Samples of one tenant that were committed and are new; never empty. The list is built when it is first read. */
export interface SamplesStored {
  readonly tenantId: number
  readonly samples: readonly Sample[]
}

declare module '../../../platform/messaging/bus.ts' {
  interface BusEvents {
    /** After the commit. */
    samples_stored: SamplesStored
  }
}
