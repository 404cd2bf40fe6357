import { recordEvent } from '../../areas/charging/stations.ts'
import { inStationTx } from './fields.ts'
import { secondsOnly } from './omit-empty.ts'
import type { Handlers, OcppDeps, Station } from './types.ts'

interface DataTransfer {
  readonly vendorId: string
  readonly messageId?: string
  readonly data?: unknown
}

export const currentTime = ({ clock }: Pick<OcppDeps, 'clock'>) =>
  secondsOnly(new Date(clock.now()).toISOString())

/** What stations of both versions say in the same words: that they live, and what only their vendor knows. */
export const commonHandlers = (deps: OcppDeps): Handlers => ({
  Heartbeat: async () => ({ currentTime: currentTime(deps) }),

  /** No vendor's messages are understood; they are kept, so that somebody may read them. */
  async DataTransfer(station: Station, { vendorId, messageId, data }: DataTransfer) {
    const details = { vendor_id: vendorId, message_id: messageId ?? null, data: data ?? null }
    const event = { type: 'data_transfer', details, now: new Date(deps.clock.now()) }
    await inStationTx(deps, station, (tx) => recordEvent(tx, station, event))
    return { status: 'UnknownVendorId' }
  },
})
