import { randomUUID } from 'node:crypto'
import type { Deps } from '../../platform/runtime/deps.ts'
import { CHANGE_BYTES_MAX } from './limits.ts'

const TOPIC = 'netsaat/changes'

/** A change as it is published; `process` lets the sender ignore its own messages. */
interface Change {
  readonly process: string
  readonly tenantId: number
  /** Absent after a change of device templates. */
  readonly gatewayId?: string
}

/**
 * Relays changes of devices and device templates between the processes of the service, over the broker that they
 * share, so that caches such as the directory of devices are invalidated in all of them.
 *
 * A message that is lost, because the broker is away or refuses it, delays the change until the caches expire.
 * Returns the function that ends the relay.
 */
export async function relayChanges({
  bus,
  broker,
  log,
}: Pick<Deps, 'bus' | 'broker' | 'log'>): Promise<() => Promise<void>> {
  const process = randomUUID()
  /** True while an event of another process is emitted, which must not be published again. */
  let isRelaying = false

  function publish(change: Omit<Change, 'process'>): void {
    if (isRelaying) return
    broker.publish(TOPIC, JSON.stringify({ process, ...change }), { qos: 0 }).catch((error: Error) => {
      log.debug({ reason: error.message }, 'a change of devices was not relayed to other processes')
    })
  }

  function receive(payload: Buffer): void {
    const change = payload.length > CHANGE_BYTES_MAX ? undefined : decodeChange(payload)
    if (!change || change.process === process) return
    const { tenantId, gatewayId } = change
    isRelaying = true
    try {
      if (gatewayId === undefined) bus.emit('device_templates_changed', { tenantId })
      else bus.emit('gateways_changed', { tenantId, gatewayId })
    } finally {
      isRelaying = false
    }
  }

  const stops = [
    bus.on('gateways_changed', ({ tenantId, gatewayId }) => publish({ tenantId, gatewayId })),
    bus.on('device_templates_changed', ({ tenantId }) => publish({ tenantId })),
  ]
  const unsubscribe = await broker.subscribe(TOPIC, ({ payload }) => receive(payload))
  return async () => {
    for (const stop of stops) stop()
    await unsubscribe()
  }
}

/** Undefined for a malformed message. */
function decodeChange(payload: Buffer): Change | undefined {
  let change: Partial<Record<keyof Change, unknown>> | null
  try {
    change = JSON.parse(String(payload)) as typeof change
  } catch {
    return undefined
  }
  const { process, tenantId, gatewayId } = change ?? {}
  if (typeof process !== 'string' || typeof tenantId !== 'number') return undefined
  if (gatewayId === undefined) return { process, tenantId }
  return typeof gatewayId === 'string' ? { process, tenantId, gatewayId } : undefined
}
