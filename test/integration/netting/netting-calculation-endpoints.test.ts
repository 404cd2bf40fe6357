import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  at,
  base,
  calculate,
  makePair,
  openSite,
  type Row,
  read,
  type Site,
} from '../../support/netting/calculation.ts'

let api: Site['api']
let tenant: Site['tenant']
let foreignTenant: Site['foreignTenant']
beforeAll(async () => {
  ;({ api, tenant, foreignTenant } = await openSite())
})
afterAll(() => api.close())

describe('calculation endpoints', () => {
  it('reject an invalid window with 422', async () => {
    const { group } = await makePair('1.000', 1, () => ['1', '1'])
    const send = (body: unknown) =>
      api.call('POST', `${base(group)}/calculate`, { token: tenant.admin.token, body })
    for (const body of [
      { from_hour: at(2), to_hour: at(2) },
      { from_hour: at(3), to_hour: at(2) },
      { from_hour: at(0), to_hour: at(7 * 24 + 1) },
      { from_hour: '2026-11-01T00:00:00', to_hour: at(2) },
      { from_hour: at(0), to_hour: '2026-11-02' },
      { from_hour: at(0) },
      { from_hour: 'yesterday', to_hour: at(1) },
    ]) {
      expect((await send(body)).status).toBe(422)
    }
    const noOffset = await send({ from_hour: '2026-11-01T00:00:00', to_hour: at(2) })
    expect(noOffset.body.detail[0].loc).toEqual(['body', 'from_hour'])
    const local = await send({ from_hour: '2026-11-01T00:00:00+03:00', to_hour: '2026-11-01T01:00:00+0300' })
    expect([local.status, local.body.hours_calculated]).toEqual([201, 1])
    expect((await send({ from_hour: at(0), to_hour: at(7 * 24) })).status).toBe(201)
  })

  it('reject an inactive group', async () => {
    const { group } = await makePair('1.000', 1, () => ['1', '1'])
    await api.deps.database.kysely
      .updateTable('netting_group')
      .set({ is_active: false, group_status: 'inactive' })
      .where('id', '=', group.id)
      .execute()
    const response = await calculate(group, 0, 1)
    expect([response.status, response.body.detail.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
  })

  it('check the permission before the body', async () => {
    const { group } = await makePair('1.000', 1, () => ['1', '1'])
    for (const user of [tenant.viewer, tenant.operator]) {
      const response = await api.call('POST', `${base(group)}/calculate`, {
        token: user.token,
        body: '{nonsense',
      })
      expect([response.status, response.body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    }
    expect((await api.call('POST', `${base(group)}/calculate`)).status).toBe(401)
    expect((await read(group, 'hourly')).status).toBe(200)
  })

  it('answer a foreign group like an unknown one', async () => {
    const { group } = await makePair('1.000', 1, () => ['1', '1'])
    const token = foreignTenant.admin.token
    const unknown = { id: randomUUID() }
    const body = { from_hour: at(0), to_hour: at(1) }
    for (const what of ['hourly', 'virtual-meters', 'amounts', 'monthly-summary', 'runs']) {
      const foreign = await api.call('GET', `${base(group)}/${what}`, { token })
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe((await api.call('GET', `${base(unknown)}/${what}`, { token })).text)
    }
    const foreign = await api.call('POST', `${base(group)}/calculate`, { token, body })
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await api.call('POST', `${base(unknown)}/calculate`, { token, body })).text)
  })

  it('truncate the rows to the range and page them', async () => {
    const { group } = await makePair('1000.000', 30, () => ['4.000', '1.000'])
    await calculate(group, 0, 30)
    const page = await read(group, `hourly?from=${at(5)}&to=${at(25)}&limit=3&offset=1`)
    expect(page.headers.get('x-total-count')).toBe('20')
    expect(page.body.map((row: Row) => row['hour'])).toEqual([at(6), at(7), at(8)])
    expect((await read(group, 'hourly?limit=2001')).status).toBe(422)
    expect((await read(group, 'monthly-summary?limit=501')).status).toBe(422)
    expect((await read(group, 'runs?limit=501')).status).toBe(422)
    expect((await read(group, 'monthly-summary?year=2025')).body).toEqual([])
    expect((await read(group, 'monthly-summary?year=2026')).body).toHaveLength(1)
    expect((await read(group, 'runs?billing_period=2026-11-17')).body).toHaveLength(1)
    expect((await read(group, 'runs?billing_period=2026-10')).body).toEqual([])
  })

  it('list the current run first when runs started in the same millisecond', async () => {
    const { group } = await makePair('1000.000', 8, () => ['4.000', '1.000'])
    for (let hours = 1; hours <= 8; hours++) {
      await calculate(group, 0, hours)
      const { body } = await read(group, 'runs')
      expect(body).toHaveLength(hours)
      expect(body.map((row: Row) => row['is_current']).indexOf(true)).toBe(0)
    }
  })

  it('replay the first response for the same Idempotency-Key', async () => {
    const { group } = await makePair('10.000', 1, () => ['1', '1'])
    const send = () =>
      api.call('POST', `${base(group)}/calculate`, {
        token: tenant.admin.token,
        body: { from_hour: at(-1), to_hour: at(1) },
        headers: { 'idempotency-key': `calculate-${group.id}` },
      })
    const first = await send()
    const again = await send()
    expect([first.status, first.body.runs.length]).toEqual([201, 2])
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replay')).toBe('true')
  })
})
