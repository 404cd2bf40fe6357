import type { FastifyBaseLogger } from 'fastify'
import type { Sample } from '../ingest.ts'

/** What parts of one process tell each other. Nothing here is a promise: what must not be lost is in the database. */
export interface BusEvents {
  /** After the commit, only what was new; `samples` is never empty, and costs something when it is first read. */
  samples_stored: { readonly tenantId: number; readonly samples: readonly Sample[] }
  /** A gateway is to be read anew, with its devices: what polls it need not wait for its next look. */
  gateways_changed: { readonly tenantId: number; readonly gatewayId: string }
  /** A gateway has another login at the broker, or none: its sessions are no longer right. */
  gateway_login_changed: { readonly gatewayId: string }
  /** After the commit: incidents of devices that were opened, also those that the samples show to be over already. */
  incidents_opened: IncidentsTold
  /** After the commit: incidents of devices that the service closed. */
  incidents_closed: IncidentsTold
  /** What a gateway said of itself and its devices; after the commit of what came with it. */
  gateway_told: GatewayTold
  /** After the commit: a command waits for a charger. */
  charger_command: { readonly tenantId: number; readonly chargerId: string }
}

export interface IncidentsTold {
  readonly tenantId: number
  readonly incidents: readonly IncidentTold[]
}

export interface IncidentTold {
  readonly id: string
  readonly policyId: string
  readonly deviceId: string
  readonly severity: string
  readonly message: string
}

export interface GatewayTold {
  readonly tenantId: number
  readonly gatewayId: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly status?: StatusTold | undefined
  readonly availability?: readonly { readonly device: string; readonly isOnline: boolean }[] | undefined
  readonly inventory?: readonly DeviceTold[] | undefined
  /** The inventory lists all there are. */
  readonly isInventoryWhole?: boolean | undefined
}

export interface StatusTold {
  readonly isOnline: boolean
  readonly firmwareVersion?: string
  /** Of a Zigbee gateway's coordinator. */
  readonly ieeeAddress?: string
}

/** A device as its gateway describes it; `exposes` as the dialect says it. */
export interface DeviceTold {
  readonly device: string
  readonly ieeeAddress?: string
  readonly vendor?: string
  readonly model?: string
  readonly isSupported?: boolean
  readonly exposes?: unknown
}

type Listener<Event> = (event: Event) => void

/**
 * Typed events within the process. Listeners are called one after the other, at once: one that has more to do than to
 * note the event keeps a bounded queue of its own. One that throws is logged and hurts nobody.
 */
export interface Bus {
  /** Returns how to stop listening. */
  on<Name extends keyof BusEvents>(name: Name, listener: Listener<BusEvents[Name]>): () => void
  emit<Name extends keyof BusEvents>(name: Name, event: BusEvents[Name]): void
  /** For a sender whose event costs something to put together. */
  isHeard(name: keyof BusEvents): boolean
}

export function makeBus(log: Pick<FastifyBaseLogger, 'error'>): Bus {
  const listeners: { [Name in keyof BusEvents]: Set<Listener<BusEvents[Name]>> } = {
    charger_command: new Set(),
    samples_stored: new Set(),
    gateway_login_changed: new Set(),
    gateway_told: new Set(),
    gateways_changed: new Set(),
    incidents_closed: new Set(),
    incidents_opened: new Set(),
  }
  return {
    on(name, listener) {
      listeners[name].add(listener)
      return () => void listeners[name].delete(listener)
    },
    emit(name, event) {
      for (const listener of listeners[name]) {
        try {
          listener(event)
        } catch (error) {
          log.error({ err: error, event: name }, 'a listener of the bus failed')
        }
      }
    },
    isHeard: (name) => listeners[name].size > 0,
  }
}
