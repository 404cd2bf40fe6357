import { randomUUID } from 'node:crypto'
import type { BusEvents } from '../platform/messaging/bus.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { RELAYED_EVENT_BYTES_MAX } from './limits.ts'

const TOPIC = 'netsaat/changes'

type FieldType = 'number' | 'string'

/** The events that concern other processes, with the types of their fields: nothing else is accepted from a message. */
const RELAYED = {
  /** Directories and pollers load the gateway again. */
  gateways_changed: { tenantId: 'number', gatewayId: 'string' },
  device_templates_changed: { tenantId: 'number' },
  /** The process with the broker ends the sessions of the gateway. */
  gateway_login_changed: { gatewayId: 'string' },
  /** The process that holds the socket of the station sends the command at once. */
  charger_command: { tenantId: 'number', chargerId: 'string' },
  /** The processes that do work of this kind ask for it. */
  due_work: { kind: 'string' },
  /** The processes with the role `jobs` start the job. */
  job_requested: { job: 'string', tenantId: 'number' },
} as const satisfies Partial<Record<keyof BusEvents, Readonly<Record<string, FieldType>>>>

type Relayed = keyof typeof RELAYED
const NAMES = Object.keys(RELAYED) as Relayed[]

interface RelayedEvent {
  readonly name: Relayed
  readonly event: BusEvents[Relayed]
}

/**
 * Relays events of the bus between the processes of the service, so that caches are invalidated and commands are sent
 * in all of them.
 *
 * A lost message costs time only: caches expire, and commands are polled. Returns the function that ends the relay.
 */
export async function relayEvents({
  bus,
  link,
  log,
}: Pick<Deps, 'bus' | 'link' | 'log'>): Promise<() => Promise<void>> {
  if (!link) return async () => {}
  const process = randomUUID()
  /** True while an event of another process is emitted, which must not be published again. */
  let isRelaying = false

  function publish(name: Relayed, event: object): void {
    if (isRelaying) return
    link?.publish(TOPIC, JSON.stringify({ process, name, event }), { qos: 0 }).catch((error: Error) => {
      log.debug({ reason: error.message, name }, 'an event was not relayed to other processes')
    })
  }

  function receive(payload: Buffer): void {
    const relayed = payload.length > RELAYED_EVENT_BYTES_MAX ? undefined : decodeEvent(payload, process)
    if (!relayed) return
    isRelaying = true
    try {
      bus.emit(relayed.name, relayed.event as never)
    } finally {
      isRelaying = false
    }
  }

  const stops = NAMES.map((name) => bus.on(name, (event) => publish(name, event)))
  const unsubscribe = await link.subscribe(TOPIC, ({ payload }) => receive(payload))
  return async () => {
    for (const stop of stops) stop()
    await unsubscribe()
  }
}

/** Undefined for a malformed message, and for one of this process. */
function decodeEvent(payload: Buffer, ownProcess: string): RelayedEvent | undefined {
  let message: { process?: unknown; name?: unknown; event?: unknown } | null
  try {
    message = JSON.parse(String(payload)) as typeof message
  } catch {
    return undefined
  }
  const { process, event } = message ?? {}
  const name = NAMES.find((known) => known === message?.name)
  if (!name || process === ownProcess || typeof event !== 'object' || event === null) return undefined
  const fields = event as Readonly<Record<string, unknown>>
  const isValid = Object.entries(RELAYED[name]).every(([field, type]) => typeof fields[field] === type)
  return isValid ? { name, event: event as BusEvents[Relayed] } : undefined
}
