import { MARKET_TICKET_IDLE_MS, MARKET_TICKET_LIFE_MS, MARKET_TICKETS_MAX } from './limits.ts'

/**
 * Tickets of this process. The platform counts logins, so a ticket is reused until it expires. Tickets are
 * never stored.
 */
export interface TicketCache {
  /** Returns the ticket of a login if it is still valid. A read counts as a use. */
  find(key: string, now: number): string | undefined
  store(key: string, ticket: string, now: number): void
  drop(key: string): void
}

interface CachedTicket {
  readonly ticket: string
  readonly since: number
  usedAt: number
}

/** The key identifies an account with its credentials, so changed credentials need another ticket. */
export function makeTicketCache(): TicketCache {
  const tickets = new Map<string, CachedTicket>()
  return {
    find(key, now) {
      const cached = tickets.get(key)
      if (!cached) return undefined
      if (now - cached.usedAt >= MARKET_TICKET_IDLE_MS || now - cached.since >= MARKET_TICKET_LIFE_MS) {
        tickets.delete(key)
        return undefined
      }
      cached.usedAt = now
      return cached.ticket
    },
    store(key, ticket, now) {
      if (tickets.size >= MARKET_TICKETS_MAX) tickets.clear()
      tickets.set(key, { ticket, since: now, usedAt: now })
    },
    drop: (key) => void tickets.delete(key),
  }
}
