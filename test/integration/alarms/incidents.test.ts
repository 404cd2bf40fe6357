import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wakeIncidents } from '../../../src/areas/alarms/incidents/index.ts'
import { clear, raise } from '../../../src/areas/alarms/system-alarms/index.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import { makePolicy, openIncidents } from '../../support/alarms/incidents.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { plainText } from '../../support/plain-text.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
const MINUTE = 60_000
const PATH = '/api/alarms/incidents'
let api: TestApi
let tenant: TestTenant
let policy: string
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  policy = await makePolicy(api, tenant, { name: 'hot' })
})
afterAll(() => api.close())
beforeEach(() => api.clock.set(NOW))

const get = (path: string, user = tenant) => api.call('GET', PATH + path, { token: user.viewer.token })
const post = (path: string, body?: object, user = tenant.operator) =>
  api.call('POST', PATH + path, { token: user.token, body })
const open = async (): Promise<string> => (await openIncidents(api, tenant, policy))[0] ?? ''
const trail = async (id: string) =>
  (await get(`/${id}/events`)).body.map(({ event_type }: { event_type: string }) => event_type)
const endSnoozes = () => wakeIncidents(api.deps, new AbortController().signal)

/** Brings a new incident into a status by the API. */
const WAYS: Readonly<Record<string, readonly [string, object?][]>> = {
  active: [],
  acknowledged: [['ack']],
  snoozed: [['snooze', { minutes: 5 }]],
  closed: [['close']],
}
async function inStatus(status: string): Promise<string> {
  const id = await open()
  for (const [transition, body] of WAYS[status] ?? [])
    expect((await post(`/${id}/${transition}`, body)).status).toBe(200)
  return id
}

describe('transitions of an incident', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    active: ['ack', 'snooze', 'close'],
    acknowledged: ['snooze', 'close'],
    snoozed: ['ack', 'snooze', 'close'],
    closed: [],
  }
  const after: Readonly<Record<string, string>> = { ack: 'acknowledged', snooze: 'snoozed', close: 'closed' }

  for (const status of Object.keys(allowed)) {
    it(`in status ${status} are the documented ones, and the others are 409 without a trail`, async () => {
      for (const transition of Object.keys(after)) {
        const id = await inStatus(status)
        const before = await trail(id)
        const response = await post(
          `/${id}/${transition}`,
          transition === 'snooze' ? { minutes: 10 } : undefined,
        )
        if (allowed[status]?.includes(transition)) {
          expect([response.status, response.body.status], `${status} ${transition}`).toEqual([
            200,
            after[transition],
          ])
          expect(await trail(id)).toHaveLength(before.length + 1)
        } else {
          expect([response.status, response.body.error_code], `${status} ${transition}`).toEqual([
            409,
            'STATE_CONFLICT',
          ])
          expect(await trail(id)).toEqual(before)
        }
      }
    })
  }

  it('record who did what and why, and return the whole incident', async () => {
    const id = await open()
    const acknowledged = (await post(`/${id}/ack`, { note: 'I am on my way' })).body
    expect(acknowledged).toMatchObject({
      id,
      policy_id: policy,
      policy_name: 'hot',
      alarm_type: 'threshold',
      device_id: null,
      severity: 'critical',
      status: 'acknowledged',
      acknowledged_at: '2026-11-20T09:30:00.000Z',
      acknowledged_by: tenant.operator.id,
      snoozed_until: null,
      closed_at: null,
      closed_by: null,
      last_value: 85.2,
      payload: {},
    })
    api.clock.advance(MINUTE)
    const closed = (await post(`/${id}/close`, { note: null }, tenant.admin)).body
    expect(closed).toMatchObject({ closed_at: '2026-11-20T09:31:00.000Z', closed_by: tenant.admin.id })
    expect(closed).toEqual((await get(`/${id}`)).body)
    const events = await get(`/${id}/events?limit=2&offset=1`)
    expect(events.headers.get('x-total-count')).toBe('3')
    expect(events.body).toMatchObject([
      {
        event_type: 'acknowledged',
        by_user: tenant.operator.id,
        by_email: tenant.operator.email,
        details: { note: 'I am on my way' },
      },
      { event_type: 'closed', by_user: tenant.admin.id, details: {} },
    ])
  })

  it('require manage:alarm, which operators have and viewers do not', async () => {
    const id = await open()
    for (const transition of ['ack', 'snooze', 'close']) {
      expect((await post(`/${id}/${transition}`, { minutes: 5 }, tenant.viewer)).status).toBe(403)
    }
    expect((await get(`/${id}`)).body.status).toBe('active')
  })

  it('are done once when many requests are concurrent', async () => {
    const id = await open()
    const responses = await Promise.all(Array.from({ length: 8 }, () => post(`/${id}/ack`)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(await trail(id)).toEqual(['raised', 'acknowledged'])
  })

  it('answer a foreign incident like an unknown one', async () => {
    const other = await createTenant(api)
    const [foreign = ''] = await openIncidents(api, other, await makePolicy(api, other))
    const unknown = randomUUID()
    for (const [transition, body] of [['ack'], ['close'], ['snooze', { minutes: 5 }]] as [
      string,
      object?,
    ][]) {
      const [a, b] = [
        await post(`/${foreign}/${transition}`, body),
        await post(`/${unknown}/${transition}`, body),
      ]
      expect([a.status, a.text]).toEqual([404, b.text])
    }
    expect((await get(`/${foreign}/events`)).status).toBe(404)
  })
})

describe('snooze', () => {
  it('requires exactly one end within bounds', async () => {
    const id = await open()
    const bad = [
      {},
      { minutes: 5, until: '2026-11-20T10:00:00Z' },
      { minutes: 0 },
      { minutes: 43_201 },
      { until: '2026-11-20T09:30:00Z' },
      { until: '2026-12-20T09:30:01Z' },
      { until: 'tomorrow' },
    ]
    for (const body of bad) expect((await post(`/${id}/snooze`, body)).status, JSON.stringify(body)).toBe(422)
    // Without an offset the time is Turkey-local.
    const { body } = await post(`/${id}/snooze`, { until: '2026-11-20T13:00:00', note: 'after lunch' })
    expect(body.snoozed_until).toBe('2026-11-20T10:00:00.000Z')
  })

  it('ends at its instant in every read, and the job records the end once', async () => {
    const own = await createTenant(api)
    const [id = ''] = await openIncidents(api, own, await makePolicy(api, own))
    const look = async () => {
      const [one, list, count, none] = await Promise.all([
        get(`/${id}`, own),
        get('?status=active', own),
        get('/count', own),
        get('?status=snoozed', own),
      ])
      return [one.body.status, list.body.total, count.body.by_status.active, none.body.total]
    }
    await post(`/${id}/ack`, undefined, own.operator)
    await post(`/${id}/snooze`, { minutes: 5 }, own.operator)
    api.clock.advance(5 * MINUTE - 1)
    await endSnoozes()
    expect(await look()).toEqual(['snoozed', 0, 0, 1])
    api.clock.advance(1)
    expect(await look()).toEqual(['active', 1, 1, 0])
    const before = (await get(`/${id}`, own)).body
    expect(before).toMatchObject({ acknowledged_at: null, acknowledged_by: null, snoozed_until: null })
    await Promise.all([endSnoozes(), endSnoozes()])
    expect((await get(`/${id}`, own)).body).toEqual(before)
    const events = (await get(`/${id}/events`, own)).body
    expect(events.map((event: { event_type: string }) => event.event_type)).toEqual([
      ...['raised', 'acknowledged', 'snoozed', 'woken'],
    ])
    expect(events[3]).toMatchObject({ occurred_at: '2026-11-20T09:35:00.000Z', by_user: null })
  })

  it('that has ended is in the trail before the next user action, also before the job ran', async () => {
    const id = await inStatus('snoozed')
    api.clock.advance(6 * MINUTE)
    expect((await post(`/${id}/ack`)).status).toBe(200)
    expect(await trail(id)).toEqual(['raised', 'snoozed', 'woken', 'acknowledged'])
  })
})

describe('system alarms', () => {
  const about = { policy: 'netting_group_blocked' as const, cause: `group:${randomUUID()}` }
  const again = () =>
    inTenantTx(api.deps.database.kysely, tenant.id, (tx) =>
      raise(tx, {
        ...about,
        message: plainText('blocked'),
        payload: { group_id: 'g', group_name: 'G' },
        at: NOW,
      }),
    )

  it('are acknowledged and closed like any other, and opened again while their cause persists', async () => {
    await again()
    const [incident] = (await get('?alarm_type=custom')).body.items
    expect(incident).toMatchObject({
      device_id: null,
      device_name: null,
      alarm_type: 'custom',
      payload: { group_id: 'g', group_name: 'G' },
    })
    await post(`/${incident.id}/ack`)
    await again()
    expect((await get('?alarm_type=custom')).body.total).toBe(1)
    await post(`/${incident.id}/close`)
    await again()
    const { items } = (await get('?alarm_type=custom&sort_by=status&sort_order=asc')).body
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['active', 'closed'])
    await inTenantTx(api.deps.database.kysely, tenant.id, (tx) =>
      clear(tx, { ...about, reason: plainText('valid'), at: NOW }),
    )
    expect((await get(`/${items[0].id}`)).body).toMatchObject({ status: 'closed', closed_by: null })
  })
})

describe('incident list', () => {
  let own: TestTenant
  const list = async (query: string): Promise<ApiResponse> => get(`?${query}`, own)
  const messages = async (query: string): Promise<string[]> =>
    (await list(query)).body.items.map(({ message }: { message: string }) => message)
  beforeAll(async () => {
    own = await createTenant(api)
    const mild = await makePolicy(api, own, { severity: 'info' })
    const strong = await makePolicy(api, own)
    await openIncidents(api, own, mild, { severity: 'info', message: 'a', at: NOW - 3 * MINUTE })
    await openIncidents(api, own, strong, { message: 'b', at: NOW - 2 * MINUTE })
    await openIncidents(api, own, mild, { severity: 'warning', message: 'c', at: NOW - MINUTE })
    const [closed] = await openIncidents(api, own, strong, { message: 'd', at: NOW })
    await post(`/${closed}/close`, undefined, own.operator)
  })

  it('is newest first, and sorts severity by rank and not alphabetically', async () => {
    expect(await messages('')).toEqual(['d', 'c', 'b', 'a'])
    expect(await messages('sort_by=severity&sort_order=asc')).toEqual(
      expect.arrayContaining(['a', 'b', 'c', 'd']),
    )
    expect((await messages('sort_by=severity&sort_order=asc')).slice(0, 2)).toEqual(['a', 'c'])
    expect((await messages('sort_by=closed_at&sort_order=desc'))[0]).toBe('d')
    expect((await list('sort_by=cause')).status).toBe(422)
  })

  it('filters by severity, status, time and open state', async () => {
    expect(await messages('severity=critical')).toEqual(['d', 'b'])
    expect(await messages('status=closed')).toEqual(['d'])
    expect(await messages('is_open=true&severity=critical')).toEqual(['b'])
    expect(await messages('from=2026-11-20T09:28:00Z&to=2026-11-20T09:30:00Z')).toEqual(['c', 'b'])
    expect((await list('severity=bad')).status).toBe(422)
    expect((await list('limit=1&skip=1')).body).toMatchObject({ total: 4, skip: 1, limit: 1 })
  })

  it('counts open incidents', async () => {
    expect((await get('/count', own)).body).toEqual({
      total: 3,
      by_severity: { critical: 1, warning: 1, info: 1 },
      by_status: { active: 3, acknowledged: 0, snoozed: 0 },
    })
  })
})
