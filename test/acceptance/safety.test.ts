import { describe, expect, it } from 'vitest'
import { call, create, createSubregion, uniqueName } from './client.ts'

describe('lockout/tagout', () => {
  it('requires two people for request and approval, and a lock at every point before the application', async () => {
    const point = await create('operator', '/api/loto/points', {
      name: uniqueName('point'),
      subregion_id: await createSubregion(),
      energy_type: 'electrical',
      isolation_method: 'main switch open',
      location: 'switch room 2',
    })
    const session = await create('operator', '/api/loto/sessions', {
      title: 'Bearing change',
      reason: 'bearing temperature',
      point_ids: [point.id],
    })
    const path = `/api/loto/sessions/${session.id}`
    expect((await call('admin', 'POST', `${path}/approve`, {})).status).toBe(200)
    const early = await call('admin', 'POST', `${path}/apply`, {})
    expect(early.status, early.text).toBe(409)
    const lock = await create('operator', '/api/loto/locks', { session_id: session.id, point_id: point.id })
    const applied = await call('admin', 'POST', `${path}/apply`, {})
    expect([applied.status, applied.body.status]).toEqual([200, 'applied'])
    const blocked = await call('admin', 'POST', `${path}/release`, {})
    expect(blocked.status, blocked.text).toBe(409)
    const unlocked = await call('operator', 'DELETE', `/api/loto/locks/${lock.id}`)
    expect([200, 204]).toContain(unlocked.status)
    const released = await call('admin', 'POST', `${path}/release`, {})
    expect([released.status, released.body.status]).toEqual([200, 'released'])
  })
})
