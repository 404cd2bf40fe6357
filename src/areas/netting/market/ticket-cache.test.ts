import { describe, expect, it } from 'vitest'
import { makeTicketCache } from './ticket-cache.ts'

const MINUTE = 60_000

describe('ticket cache', () => {
  it('keeps a ticket for 90 minutes without use, and an hour and three quarters in total', () => {
    const tickets = makeTicketCache()
    expect(tickets.find('a', 0)).toBeUndefined()
    tickets.store('a', 'TGT-1', 0)
    expect(tickets.find('b', 0)).toBeUndefined()
    expect(tickets.find('a', 80 * MINUTE)).toBe('TGT-1')
    expect(tickets.find('a', 99 * MINUTE)).toBe('TGT-1')
    expect(tickets.find('a', 100 * MINUTE)).toBeUndefined()
    tickets.store('a', 'TGT-2', 0)
    expect(tickets.find('a', 85 * MINUTE)).toBeUndefined()
  })

  it('drops tickets on request and is bounded', () => {
    const tickets = makeTicketCache()
    tickets.store('a', 'TGT-1', 0)
    tickets.drop('a')
    expect(tickets.find('a', 1)).toBeUndefined()
    for (let index = 0; index < 1000; index += 1) tickets.store(`key ${index}`, 'TGT', 0)
    expect(tickets.find('key 0', 1)).toBeUndefined()
    expect(tickets.find('key 999', 1)).toBe('TGT')
  })
})
