import type { FastifyReply } from 'fastify'
import type { App } from '../../../platform/http/app-type.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type DirectSlots, makeDirectSlots } from './direct-slots.ts'
import { EXPORT_RETRY_AFTER_S, EXPORT_STALLED_MS } from './limits.ts'

/** The slots of a process, for all files that are made while they are sent. */
const slotsOfProcess = new WeakMap<Deps, DirectSlots>()

function slotsOf(deps: Deps): DirectSlots {
  const slots = slotsOfProcess.get(deps) ?? makeDirectSlots()
  slotsOfProcess.set(deps, slots)
  return slots
}

/** Holds a slot until the response is sent or the client has disconnected; throws when all slots are taken. */
export function holdSlot({ deps }: App, tenantId: number, reply: FastifyReply): void {
  void reply.header('Retry-After', EXPORT_RETRY_AFTER_S)
  const release = slotsOf(deps).acquire(tenantId)
  void reply.removeHeader('Retry-After')
  const { raw } = reply
  if (raw.closed) release()
  else raw.once('close', release)
  raw.setTimeout(EXPORT_STALLED_MS, () => raw.destroy())
}
