import type { FastifyBaseLogger } from 'fastify'

/**
 * The events of the bus, by name. An area declares its own events next to the code that emits them:
 *
 *   declare module '../../../platform/messaging/bus.ts' {
 *     interface BusEvents {
 *       widget_changed: { readonly tenantId: number }
 *     }
 *   }
 */
// biome-ignore lint/suspicious/noEmptyInterface: the areas add events by declaration merging.
export interface BusEvents {}

type Listener<Event> = (event: Event) => void

/**
 * Typed events between the parts of one process, without any delivery guarantee: what must not be lost is in
 * the database. Listeners are called synchronously, one after the other; a listener with more to do than to
 * record the event keeps a bounded queue of its own. A listener that throws is logged and does not affect the
 * others.
 */
export interface Bus {
  /** Returns the function that unsubscribes the listener. */
  on<Name extends keyof BusEvents>(name: Name, listener: Listener<BusEvents[Name]>): () => void
  emit<Name extends keyof BusEvents>(name: Name, event: BusEvents[Name]): void
  /** Lets a sender skip building an expensive event. */
  hasListeners(name: keyof BusEvents): boolean
}

export function makeBus(log: Pick<FastifyBaseLogger, 'error'>): Bus {
  const listeners = new Map<keyof BusEvents, Set<Listener<never>>>()
  return {
    on(name, listener) {
      const ofName = listeners.get(name) ?? new Set()
      listeners.set(name, ofName)
      ofName.add(listener)
      return () => void ofName.delete(listener)
    },
    emit(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          listener(event as never)
        } catch (error) {
          log.error({ err: error, event: name }, 'a listener of the bus failed')
        }
      }
    },
    hasListeners: (name) => (listeners.get(name)?.size ?? 0) > 0,
  }
}
