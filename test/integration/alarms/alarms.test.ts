import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listPolicies } from '../../../src/areas/alarms/policies/index.ts'
import {
  applyAlarms,
  clear,
  clearSubject,
  ensureSystemPolicies,
  raise,
  SYSTEM_POLICIES,
} from '../../../src/areas/alarms/system-alarms/index.ts'
import { inTenantTx, systemDb, tenantDb } from '../../../src/platform/db/tenant.ts'
import { incidents, openPolicies, trail } from '../../support/alarms/alarms.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { plainText } from '../../support/plain-text.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const inTx = <T>(work: Parameters<typeof inTenantTx<T>>[2]) =>
  inTenantTx(api.deps.database.kysely, tenant.id, work)
const policy = 'netting_group_blocked'
const AT = Date.parse('2026-11-20T09:30:00Z')
const blocked = (cause: string, message = 'blocked') => ({
  policy: 'netting_group_blocked' as const,
  cause,
  message: plainText(message),
  payload: { group_id: cause },
  at: AT,
})
const cause = () => `group:${randomUUID()}`

const systemPolicies = async (of: { readonly id: number }) => {
  const { rows } = await api.deps.database.pool.query(
    'select * from alarm_policy where tenant_id = $1 and is_system order by name',
    [of.id],
  )
  return rows
}

describe('system alarm policies', () => {
  it('are created with a tenant: 33, without a device, in-app only, and not in the list', async () => {
    const { status, body } = await api.call('POST', '/api/v1/admin/tenants', {
      token: tenant.superuser.token,
      body: {
        name: `with policies ${randomUUID()}`,
        admin_email: `${randomUUID()}@example.test`,
        admin_password: 'a long enough 1 password',
      },
    })
    expect(status).toBe(201)
    const { rows } = await api.deps.database.pool.query('select id from tenant where uid = $1', [body.id])
    const policies = await systemPolicies(rows[0])
    expect(policies.map(({ name }) => name)).toEqual(SYSTEM_POLICIES.map(({ name }) => name).toSorted())
    for (const row of policies) {
      expect(row).toMatchObject({ device_id: null, subregion_id: null, notify: ['in_app'], is_active: true })
    }
    const page = { skip: 0, limit: 50, sort_by: 'name', sort_order: 'asc' } as const
    expect(await listPolicies(tenantDb(api.deps.database.kysely, rows[0].id), page)).toMatchObject({
      items: [],
      total: 0,
    })
  })

  it('are added to tenants that lack them and corrected at every start', async () => {
    const bare = await createTenant(api)
    expect(await systemPolicies(bare)).toHaveLength(0)
    const system = systemDb(api.deps.database.kysely)
    await Promise.all([ensureSystemPolicies(system), ensureSystemPolicies(system)])
    const first = await systemPolicies(bare)
    expect(first).toHaveLength(33)
    await api.deps.database.pool.query(
      `update alarm_policy set severity = 'info' where tenant_id = $1 and name = $2`,
      [bare.id, policy],
    )
    await ensureSystemPolicies(system)
    expect(await systemPolicies(bare)).toEqual(first)
  })
})

describe('incident', () => {
  it('opens once, is raised again without an event, and closes once', async () => {
    const own = cause()
    await inTx((tx) => raise(tx, blocked(own)))
    await inTx((tx) => raise(tx, blocked(own)))
    await inTx((tx) => raise(tx, { ...blocked(own, 'by R001'), lastValue: '1', at: AT + 1000 }))
    const [incident, ...others] = await incidents(api.deps, tenant, own)
    expect(others).toEqual([])
    expect(incident).toMatchObject({
      policy,
      severity: 'critical',
      status: 'active',
      message: 'by R001',
      last_value: '1.000000',
      device_id: null,
      triggered_at: new Date(AT),
    })
    expect(await trail(api.deps, incident?.id)).toEqual(['raised'])

    await inTx((tx) => raise(tx, { ...blocked(own, 'by R001'), severity: 'info' }))
    const over = {
      policy: 'netting_group_blocked' as const,
      cause: own,
      reason: plainText('valid'),
      at: AT + 5000,
    }
    await inTx((tx) => clear(tx, over))
    await inTx((tx) => clear(tx, over))
    const [closed] = await incidents(api.deps, tenant, own)
    expect(closed).toMatchObject({ status: 'closed', severity: 'info', closed_at: new Date(AT + 5000) })
    expect(await trail(api.deps, incident?.id)).toEqual(['raised', 'severity_changed', 'closed'])

    await inTx((tx) => raise(tx, blocked(own)))
    expect(await incidents(api.deps, tenant, own)).toHaveLength(2)
  })

  it('is opened once by twenty concurrent raises, with one first event', async () => {
    const own = cause()
    const all = Array.from({ length: 20 }, (_, index) => inTx((tx) => raise(tx, blocked(own, `by ${index}`))))
    await Promise.all(all)
    const found = await incidents(api.deps, tenant, own)
    expect(found).toHaveLength(1)
    expect(await trail(api.deps, found[0]?.id)).toEqual(['raised'])
  })

  it('is never duplicated and has a complete trail with random raises and clears of several causes', async () => {
    const causes = [cause(), cause(), cause()]
    const work = Array.from({ length: 40 }, (_, index) => {
      const list = index % 2 === 0 ? causes : causes.toReversed()
      const changes = list.map((own, position) =>
        (index + position) % 3 === 0
          ? ({ policy, cause: own, isOpen: false, reason: plainText('over') } as const)
          : ({ ...blocked(own, `by ${index}`), isOpen: true } as const),
      )
      return inTx((tx) => applyAlarms(tx, changes, { at: AT }))
    })
    await Promise.all(work)
    for (const own of causes) {
      const found = await incidents(api.deps, tenant, own)
      expect(found.filter(({ status }) => status !== 'closed').length).toBeLessThanOrEqual(1)
      for (const { id, status } of found) {
        expect(await trail(api.deps, id)).toEqual(status === 'closed' ? ['raised', 'closed'] : ['raised'])
      }
    }
  })

  it('closes with its subject for any policy and period, and other incidents stay open', async () => {
    const own = cause()
    const longer = `${own}0`
    await inTx(async (tx) => {
      await raise(tx, blocked(own))
      await raise(tx, { ...blocked(`${own}|2026-11-01`), policy: 'netting_tariff_missing' })
      await raise(tx, blocked(longer))
      await clearSubject(tx, { subject: own, reason: plainText('gone'), at: AT })
    })
    expect(await openPolicies(api.deps, tenant, own)).toEqual([policy])
    expect((await incidents(api.deps, tenant, longer))[0]?.status).toBe('active')
  })

  it('stays open when acknowledged or snoozed, and closes like any other', async () => {
    const own = cause()
    await inTx((tx) => raise(tx, blocked(own)))
    await api.deps.database.pool.query(
      `update alarm_incident set status = 'snoozed', snoozed_until = now() where cause = $1`,
      [own],
    )
    await inTx((tx) => raise(tx, blocked(own, 'again')))
    expect(await incidents(api.deps, tenant, own)).toMatchObject([{ status: 'snoozed', message: 'again' }])
    await inTx((tx) => clear(tx, { policy, cause: own, reason: plainText('over'), at: AT }))
    expect((await incidents(api.deps, tenant, own))[0]?.status).toBe('closed')
  })

  it('is separate for each tenant, and a rollback leaves nothing behind', async () => {
    const own = cause()
    const other = await createTenant(api)
    await inTx((tx) => raise(tx, blocked(own)))
    await inTenantTx(api.deps.database.kysely, other.id, (tx) => raise(tx, blocked(own)))
    expect(await incidents(api.deps, other, own)).toHaveLength(1)
    const failed = inTx(async (tx) => {
      await raise(tx, blocked(`${own}|x`))
      throw new Error('the work failed')
    })
    await expect(failed).rejects.toThrow('the work failed')
    expect(await incidents(api.deps, tenant, own)).toHaveLength(1)
  })
})

it('has a trail that is append-only by privilege', async () => {
  await inTx((tx) => raise(tx, blocked(cause())))
  const { pool } = api.deps.database
  for (const statement of [
    `update alarm_event set details = '{}'`,
    'delete from alarm_event',
    'truncate alarm_event',
  ]) {
    await expect(pool.query(statement)).rejects.toThrow('permission denied')
  }
})
