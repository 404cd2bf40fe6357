import { recordEvent } from '../../areas/charging/stations.ts'
import { secondsOnly } from './encoding.ts'
import { inStationTx } from './fields.ts'
import type { OcppDeps, SharedHandlers } from './types.ts'

export const currentTime = ({ clock }: Pick<OcppDeps, 'clock'>): string =>
  secondsOnly(new Date(clock.now()).toISOString())

/** Handles the messages that both versions word alike: the heartbeat and vendor-specific data. */
export const commonHandlers = (deps: OcppDeps): SharedHandlers<'Heartbeat' | 'DataTransfer'> => ({
  Heartbeat: async () => ({ currentTime: currentTime(deps) }),

  /** No vendor's messages are understood; they are stored as events so that somebody may read them. */
  async DataTransfer(station, { vendorId, messageId, data }) {
    const details = { vendor_id: vendorId, message_id: messageId ?? null, data: data ?? null }
    const event = { type: 'data_transfer', details, now: new Date(deps.clock.now()) }
    await inStationTx(deps, station, (tx) => recordEvent(tx, station, event))
    return { status: 'UnknownVendorId' }
  },
})
