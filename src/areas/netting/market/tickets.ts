import { MARKET_TICKET_IDLE_MS, MARKET_TICKET_LIFE_MS, MARKET_TICKETS_MAX } from './limits.ts'

/** Tickets of this process: the platform counts logins, so one is used as long as it holds. Never stored. */
export interface Tickets {
  /** The ticket of a login, if it is still good. Looking at it counts as using it. */
  find(key: string, now: number): string | undefined
  keep(key: string, ticket: string, now: number): void
  drop(key: string): void
}

interface Kept {
  readonly ticket: string
  readonly since: number
  usedAt: number
}

/** A key stands for an account with its credentials: other credentials, another ticket. */
export function makeTickets(): Tickets {
  const tickets = new Map<string, Kept>()
  return {
    find(key, now) {
      const kept = tickets.get(key)
      if (!kept) return undefined
      if (now - kept.usedAt >= MARKET_TICKET_IDLE_MS || now - kept.since >= MARKET_TICKET_LIFE_MS) {
        tickets.delete(key)
        return undefined
      }
      kept.usedAt = now
      return kept.ticket
    },
    keep(key, ticket, now) {
      if (tickets.size >= MARKET_TICKETS_MAX) tickets.clear()
      tickets.set(key, { ticket, since: now, usedAt: now })
    },
    drop: (key) => void tickets.delete(key),
  }
}
