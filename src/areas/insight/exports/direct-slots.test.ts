import { expect, it } from 'vitest'
import { makeDirectSlots } from './direct-slots.ts'
import { EXPORTS_DIRECT_AT_ONCE, EXPORTS_DIRECT_PER_TENANT } from './limits.ts'

it('direct exports have a limit per tenant and a total limit', () => {
  const slots = makeDirectSlots()
  const busy = { status: 503, code: 'SERVICE_OVERLOADED' }
  const releases = Array.from({ length: EXPORTS_DIRECT_AT_ONCE }, (_, index) =>
    slots.acquire(Math.floor(index / EXPORTS_DIRECT_PER_TENANT)),
  )
  expect(() => slots.acquire(0)).toThrow(expect.objectContaining({ status: 429, code: 'RATE_LIMITED' }))
  expect(() => slots.acquire(99)).toThrow(expect.objectContaining(busy))
  releases[0]?.()
  const release = slots.acquire(99)
  expect(() => slots.acquire(0)).toThrow(expect.objectContaining(busy))
  release()
  for (const one of releases.slice(1)) one()
  for (let index = 0; index < EXPORTS_DIRECT_PER_TENANT; index++) slots.acquire(0)
  expect(() => slots.acquire(0)).toThrow(expect.objectContaining({ status: 429 }))
})
