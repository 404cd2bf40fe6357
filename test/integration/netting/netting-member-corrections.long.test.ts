import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { updateMember } from '../../../src/areas/netting/registry/groups/service.ts'
import { DAY_MS, periodStart } from '../../../src/kernel/time.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import type { TestApi } from '../../support/api.ts'
import { openSite, type Row, read, remaining } from '../../support/netting/calculation.ts'
import {
  addHours,
  breakPeriod,
  calculateMonths,
  correct,
  findFaults,
  makeMonthlyGroup,
} from '../../support/netting/corrections.ts'
import { addMember } from '../../support/netting/netting.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterEach(async () => expect(await findFaults(api.deps)).toEqual([]))
afterAll(() => api.close())

const AUTUMN = ['2026-08-01', '2026-09-01', '2026-10-01']

/**
 * Two days of three months with a busy first hour each day: 8 kWh of the limit on the first day of a month, 6
 * on the second.
 */
async function makeAutumn() {
  const created = await makeMonthlyGroup(api.deps, tenant, { 2026: '100.000' })
  await addHours(
    api.deps,
    tenant,
    created,
    AUTUMN.flatMap((period) => [
      { period, production: '8.000', consumption: '5.000' },
      { period, hour: 24, production: '6.000', consumption: '5.000' },
    ]),
  )
  await calculateMonths(api.deps, tenant, { groupId: created.group.id, periods: AUTUMN, hours: 48 })
  const [consumer] = (await read(created.group, 'members')).body.filter(
    (member: Row) => member['facility_id'] === created.consumer.id,
  )
  const path = `/api/mahsuplasma/groups/${created.group.id}/members/${consumer.id}`
  const send = (method: string, body?: object) =>
    api.call(method, path, { token: tenant.admin.token, ...(body && { body }) })
  return { ...created, account: created.consumer.accounts[2026], memberId: consumer.id as string, send }
}
type Autumn = Awaited<ReturnType<typeof makeAutumn>>
const left = ({ account }: Autumn) => remaining(account)
const correctedPeriods = async ({ group }: Autumn): Promise<unknown[]> =>
  (await read(group, 'runs?limit=500')).body
    .filter((run: Row) => run['triggered_by'] === 'correction_cascade')
    .map((run: Row) => run['billing_period'])
    .sort()

describe('corrections after a membership change', () => {
  it('start at the first affected period when the membership is ended in the past', async () => {
    const autumn = await makeAutumn()
    expect(await left(autumn)).toBe('58.000')
    const { status, body } = await autumn.send('PATCH', { valid_to: '2026-09-02' })
    expect(status).toBe(200)
    expect(body.valid_to).toBe('2026-09-02')
    expect(body.warnings).toHaveLength(body.warning_codes.length)
    expect(body.warning_codes).not.toContain('MEMBER_CHANGE_CORRECTION_FAILED')
    expect(await correctedPeriods(autumn)).toEqual(['2026-09-01', '2026-10-01'])
    expect(await left(autumn)).toBe('78.000')
    const rows = await api.deps.database.pool.query(
      'select started_by, cause, state from correction_chain where group_id = $1',
      [autumn.group.id],
    )
    expect(rows.rows).toEqual([{ started_by: tenant.admin.id, cause: 'member_change', state: 'done' }])
    const reasonsIn = async (language: string) => {
      const options = { token: tenant.admin.token, headers: { 'accept-language': language } }
      const path = `/api/mahsuplasma/limits/accounts/${autumn.account}/movements`
      const movements: Row[] = (await api.call('GET', path, options)).body
      return new Set(movements.map((movement) => movement['reason']))
    }
    expect(await reasonsIn('en')).toContain(`membership ${autumn.memberId} was changed from 2026-09-02 on`)
    expect(await reasonsIn('tr')).toContain(
      `${autumn.memberId} üyeliği 02.09.2026 gününden itibaren değiştirildi`,
    )
  })

  it('run also when such an end is removed, the role changes, or the membership is deleted', async () => {
    const autumn = await makeAutumn()
    await autumn.send('PATCH', { valid_to: '2026-09-02' })
    await autumn.send('PATCH', { valid_to: '2026-10-02' })
    expect(await left(autumn)).toBe('64.000')
    await autumn.send('PATCH', { valid_to: null })
    expect(await left(autumn)).toBe('58.000')
    await autumn.send('PATCH', { member_role: 'production' })
    expect(await left(autumn)).toBe('100.000')
    await autumn.send('PATCH', { member_role: 'consumption' })
    expect(await left(autumn)).toBe('58.000')
    expect((await autumn.send('DELETE')).status).toBe(204)
    expect(await left(autumn)).toBe('100.000')
  })

  it('remove a membership from the past when its beginning moves to the current month', async () => {
    const autumn = await makeAutumn()
    const { status } = await autumn.send('PATCH', { valid_from: '2026-11-05' })
    expect(status).toBe(200)
    expect(await correctedPeriods(autumn)).toEqual(AUTUMN)
    expect(await left(autumn)).toBe('100.000')
  })

  it('do not run when no calculated hour is affected', async () => {
    const autumn = await makeAutumn()
    for (const change of [
      { valid_to: '2026-12-31' },
      { valid_to: '2026-11-03' },
      { valid_to: '2026-11-03' },
      {},
    ]) {
      expect((await autumn.send('PATCH', change)).body).toMatchObject({ warnings: [], warning_codes: [] })
    }
    // The last hour calculated is the one before 3 October.
    await autumn.send('PATCH', { valid_to: '2026-10-03' })
    expect(await correctedPeriods(autumn)).toEqual([])
  })

  it('keep the change when the correction fails, and report the failure', async () => {
    const autumn = await makeAutumn()
    const repair = await breakPeriod(api.deps, '2026-10-01')
    const { status, body } = await autumn.send('PATCH', { valid_to: '2026-09-02' })
    expect([status, body.valid_to]).toEqual([200, '2026-09-02'])
    expect(body.warning_codes).toEqual(
      expect.arrayContaining(['CASCADE_STOPPED', 'MEMBER_CHANGE_CORRECTION_FAILED']),
    )
    await repair()
    const byHand = await correct(api, tenant, autumn.group, { billing_period: '2026-09-01' })
    expect(byHand.body).toMatchObject({
      cascade_incomplete: false,
      periods_corrected: ['2026-09-01', '2026-10-01'],
    })
    expect(await left(autumn)).toBe('78.000')

    await api.deps.database.pool.query(
      `update netting_group set is_active = false, group_status = 'inactive' where id = $1`,
      [autumn.group.id],
    )
    const inactive = await autumn.send('PATCH', { valid_to: null })
    expect([inactive.status, inactive.body.warning_codes]).toEqual([200, ['MEMBER_CHANGE_CORRECTION_FAILED']])
    expect((await autumn.send('DELETE')).status).toBe(204)
  })

  it('run later when the service stops right after the change was stored', async () => {
    const autumn = await makeAutumn()
    const actor = { by: tenant.admin.id, at: api.clock.now() }
    const key = { groupId: autumn.group.id, id: autumn.memberId }
    await inTenantTx(api.deps.database.kysely, tenant.id, (tx) =>
      updateMember(tx, key, { valid_to: '2026-09-02' }, actor),
    )
    expect(await left(autumn)).toBe('58.000')
    const next = await correct(api, tenant, autumn.group, { billing_period: '2026-10-01' })
    expect(next.body.periods_corrected).toEqual(['2026-10-01'])
    expect(await left(autumn)).toBe('78.000')
  })

  it('do not resume the stopped correction of another change', async () => {
    const autumn = await makeAutumn()
    const repair = await breakPeriod(api.deps, '2026-10-01')
    await autumn.send('PATCH', { valid_to: '2026-09-01' })
    await autumn.send('PATCH', { valid_to: '2026-10-01' })
    await repair()
    await autumn.send('PATCH', { valid_to: '2026-09-01' })
    expect(await left(autumn)).toBe('86.000')
    await autumn.send('PATCH', { valid_to: '2026-10-01' })
    expect(await left(autumn)).toBe('72.000')
  })

  it('compare If-Match only once, before the change', async () => {
    const autumn = await makeAutumn()
    const path = `/api/mahsuplasma/groups/${autumn.group.id}/members`
    const [member] = (await read(autumn.group, 'members')).body
    const { status } = await api.call('PATCH', `${path}/${member.id}`, {
      token: tenant.admin.token,
      body: { valid_to: '2026-09-02' },
      headers: { 'if-match': '*' },
    })
    expect(status).toBe(200)
  })

  it('name the group that has used the same account since', async () => {
    const autumn = await makeAutumn()
    await autumn.send('PATCH', { valid_to: '2026-09-02' })
    const other = await makeMonthlyGroup(api.deps, tenant, {})
    await addMember(api.deps, tenant, {
      groupId: other.group.id,
      facilityId: autumn.consumer.id,
      role: 'consumption',
      validFrom: '2026-09-02',
    })
    await addHours(api.deps, tenant, { producer: other.producer, consumer: autumn.consumer }, [
      { period: '2026-10-01', production: '9.000' },
    ])
    expect(periodStart('2026-09-01') + DAY_MS).toBeLessThan(api.clock.now())
    await calculateMonths(api.deps, tenant, { groupId: other.group.id, periods: ['2026-10-01'], hours: 2 })
    const { body } = await autumn.send('PATCH', { valid_to: '2026-08-02' })
    expect(body.warning_codes).toContain('LATER_PERIODS_STALE')
  })
})
