import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type EligibilityFixture, startEligibility } from '../../support/netting/eligibility.ts'
import { addFacts } from '../../support/netting/energy.ts'
import { makeAccount } from '../../support/netting/netting.ts'
import { makePriceSet } from '../../support/netting/prices.ts'
import { expectSameResponse, refusal } from '../../support/netting/registry.ts'

let fixture: EligibilityFixture

beforeAll(async () => {
  fixture = await startEligibility()
})
afterAll(() => fixture.close())
afterEach(() => fixture.reset())

describe('POST /groups/<id>/evaluate', () => {
  it('marks a group that meets all rules as valid and logs all 13 results', async () => {
    const { admin, ownTenant, viewer } = fixture
    await fixture.approvePrices()
    const group = await fixture.readyGroup()
    for (const group_status of ['ek1_submitted', 'grid_operator_confirmed']) {
      await admin.patch(`/groups/${group.id}`, { group_status })
    }
    const { body, statuses } = await fixture.evaluate(group.id)
    expect(statuses).toEqual({
      R001: 'pass',
      R002: 'pass',
      R003: 'pass',
      R003M: 'not_applicable',
      R005: 'pass',
      R007: 'pass',
      R008: 'not_checked',
      R009: 'not_checked',
      R010: 'pass',
      R011: 'not_checked',
      R013: 'pass',
      R00T: 'pass',
      R00L: 'not_checked',
    })
    expect(body).toMatchObject({
      group_id: group.id,
      eligibility_status: 'valid',
      evaluated_at: '2026-11-20T09:30:00.000Z',
    })
    expect((await viewer.get(`/groups/${group.id}/eligibility`)).body).toEqual(body)
    expect((await viewer.get(`/groups/${group.id}`)).body.eligibility_status).toBe('valid')
    const run = await fixture.api.deps.database.kysely
      .selectFrom('eligibility_run')
      .select(['evaluated_by', 'eligibility_status'])
      .where('group_id', '=', group.id)
      .executeTakeFirstOrThrow()
    expect(run).toEqual({ evaluated_by: ownTenant.admin.id, eligibility_status: 'valid' })
  })

  it('answers R008 and R009 from the fields of the facilities and the facts of the month', async () => {
    const { admin, api, ownTenant } = fixture
    const group = await fixture.readyGroup([
      { role: 'production', name: 'Roof' },
      { role: 'consumption', name: 'Mill', limits: { 2026: '1.000' } },
      { role: 'consumption', name: 'Depot', limits: { 2026: '1.000' } },
    ])
    const [roof, mill, depot] = group.facilities.map(({ id }) => id)
    const statuses = async () => {
      const { statuses: all } = await fixture.evaluate(group.id)
      return [all['R008'], all['R009']]
    }
    const hour = '2026-11-10T09:00:00Z'
    const fact = { facilityId: roof ?? '', hour, role: 'main_production' } as const
    await addFacts(api.deps, ownTenant, [{ ...fact, source: 'customer_declared', production: '99.000' }])
    expect(await statuses()).toEqual(['not_checked', 'not_checked'])
    await admin.patch(`/facilities/${mill}`, { tariff_supply_type: 'sktt' })
    await admin.patch(`/facilities/${depot}`, { tariff_supply_type: 'regulated' })
    await admin.patch(`/facilities/${roof}`, { installed_power_kw: '50', contracted_power_kw: '50' })
    expect(await statuses()).toEqual(['fail', 'fail'])
    await admin.patch(`/facilities/${depot}`, { tariff_supply_type: 'sktt' })
    await addFacts(api.deps, ownTenant, [{ ...fact, production: '50.000' }])
    expect(await statuses()).toEqual(['pass', 'pass'])
    await admin.patch(`/facilities/${roof}`, { contracted_power_kw: '49.9' })
    expect(await statuses()).toEqual(['pass', 'fail'])
  })

  it('leaves a group without a declared scope at not_checked', async () => {
    await fixture.approvePrices()
    const group = await fixture.readyGroup()
    const { body: scope } = await fixture.admin.post('/scopes', { name: `undeclared ${randomUUID()}` })
    for (const { id } of group.facilities) {
      await fixture.admin.patch(`/facilities/${id}`, { scope_id: scope.id })
    }
    await fixture.admin.patch(`/groups/${group.id}`, { scope_id: scope.id })
    const { status, rule } = await fixture.evaluate(group.id)
    expect(status).toBe('not_checked')
    expect(rule('R001')).toMatchObject({ status: 'not_checked', is_blocking: true, severity: 'error' })
  })

  it('names the facilities without a limit account of the current year, also after the turn of the year', async () => {
    const { api, ownTenant } = fixture
    await fixture.approvePrices()
    const group = await fixture.readyGroup([
      { role: 'production', name: 'Roof' },
      { role: 'mixed', name: 'Mill', limits: { 2025: '10.000' } },
      { role: 'consumption', name: 'Depot', limits: { 2026: '10.000' } },
    ])
    const { status, rule } = await fixture.evaluate(group.id)
    const mill = group.facilities[1]?.id ?? ''
    expect(status).toBe('blocked')
    expect(rule('R007')).toEqual({
      code: 'R007',
      status: 'fail',
      severity: 'error',
      is_blocking: true,
      reason_code: 'LIMIT_ACCOUNT_MISSING',
      message: 'No limit account for 2026: Mill.',
      message_code: 'R007_LIMIT_ACCOUNT_MISSING',
      parameters: { year: 2026, facilities: ['Mill'] },
      details: { year: 2026, facility_ids: [mill] },
    })
    await makeAccount(api.deps, ownTenant, { facilityId: mill, year: 2026, initial: '5.000' })
    expect((await fixture.evaluate(group.id)).status).toBe('valid')
    api.clock.set('2026-12-31T21:00:00Z')
    expect((await fixture.evaluate(group.id)).rule('R007')).toMatchObject({
      status: 'fail',
      message: 'No limit account for 2027: Depot and Mill.',
    })
  })

  it('requires no limit account for a residential group', async () => {
    await makePriceSet(fixture.api.deps, '2026-11-01', [
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'mesken', price: '1.000000' },
    ])
    const group = await fixture.readyGroup([
      { role: 'production', aboneGrubu: 'mesken' },
      { role: 'consumption', aboneGrubu: 'mesken' },
    ])
    const { status, statuses } = await fixture.evaluate(group.id)
    expect(status).toBe('valid')
    expect(statuses).toMatchObject({ R003: 'pass', R003M: 'pass', R007: 'not_applicable', R00T: 'pass' })
  })

  it('blocks a group that mixes homes with other facilities', async () => {
    const group = await fixture.readyGroup([
      { role: 'mixed', aboneGrubu: 'mesken', name: 'Home', limits: { 2026: '1.000' } },
      { role: 'consumption', aboneGrubu: 'sanayi', name: 'Mill', limits: { 2026: '1.000' } },
    ])
    const { status, statuses } = await fixture.evaluate(group.id)
    expect(status).toBe('blocked')
    expect(statuses).toMatchObject({ R003: 'fail', R003M: 'fail', R007: 'pass' })
  })

  it('accepts a group without consumers as valid', async () => {
    const group = await fixture.readyGroup([{ role: 'production' }])
    const { status, rule, statuses } = await fixture.evaluate(group.id)
    expect(status).toBe('valid')
    expect(rule('R002')).toMatchObject({ status: 'pass', reason_code: 'NO_CONSUMPTION' })
    expect(statuses).toMatchObject({ R003: 'not_applicable', R005: 'not_applicable', R007: 'not_applicable' })
  })

  it('evaluates the members of today: valid_from is inclusive, valid_to is exclusive', async () => {
    const { api } = fixture
    await fixture.approvePrices()
    const group = await fixture.readyGroup([
      { role: 'mixed', limits: { 2026: '1.000' } },
      { role: 'consumption', name: 'Old', validTo: '2026-11-20' },
      { role: 'consumption', name: 'New', validFrom: '2026-11-21' },
    ])
    expect((await fixture.evaluate(group.id)).status).toBe('valid')
    api.clock.set('2026-11-20T21:00:00Z')
    expect((await fixture.evaluate(group.id)).rule('R007')).toMatchObject({
      status: 'fail',
      message: 'No limit account for 2026: New.',
    })
  })

  it('warns of unknown suppliers and subscriber groups without blocking', async () => {
    await fixture.approvePrices()
    const group = await fixture.readyGroup([
      { role: 'mixed', limits: { 2026: '1.000' } },
      { role: 'consumption', name: 'Mill', aboneGrubu: null, limits: { 2026: '1.000' } },
    ])
    await fixture.admin.patch(`/facilities/${group.facilities[1]?.id}`, { supplier_id: null })
    const { status, rule } = await fixture.evaluate(group.id)
    expect(status).toBe('valid')
    const open = { status: 'not_checked', severity: 'warning', is_blocking: false }
    expect(rule('R003')).toMatchObject(open)
    expect(rule('R005')).toMatchObject({ ...open, message: 'The supplier is unknown of Mill.' })
  })

  it('blocks a group whose suppliers differ', async () => {
    await fixture.approvePrices()
    const group = await fixture.readyGroup()
    const { body: other } = await fixture.admin.post('/organizations', {
      org_type: 'supplier',
      name: randomUUID(),
    })
    await fixture.admin.patch(`/facilities/${group.facilities[1]?.id}`, { supplier_id: other.id })
    const { status, rule } = await fixture.evaluate(group.id)
    expect(status).toBe('blocked')
    expect(rule('R005')).toMatchObject({ status: 'fail', severity: 'error', is_blocking: true })
  })

  it('warns of a limit transfer without confirmed contracted power', async () => {
    await fixture.approvePrices()
    const group = await fixture.readyGroup([
      { role: 'mixed', name: 'Mill', limits: { 2026: '100.000' } },
      { role: 'consumption', name: 'Depot', limits: { 2026: '100.000' } },
    ])
    const [source, target] = group.facilities.map(({ accounts }) => accounts[2026])
    const transfer = (confirmed: boolean) =>
      fixture.admin.post('/limits/transfer', {
        source_account_id: source,
        target_account_id: target,
        amount_kwh: '1.000',
        contracted_power_confirmed: confirmed,
      })
    await transfer(true)
    expect((await fixture.evaluate(group.id)).rule('R010')).toMatchObject({ status: 'pass' })
    const { body } = await transfer(false)
    const { status, rule } = await fixture.evaluate(group.id)
    expect(status).toBe('valid')
    expect(rule('R010')).toMatchObject({
      status: 'fail',
      severity: 'warning',
      is_blocking: false,
      message: 'Limit was transferred in 2026 without confirmed contracted power: Depot and Mill.',
      details: { movement_ids: body.movements.map(({ id }: { id: string }) => id).sort() },
    })
  })

  it('warns of a member without a current main meter', async () => {
    await fixture.approvePrices()
    const group = await fixture.readyGroup([
      { role: 'mixed', name: 'Mill', limits: { 2026: '1.000' }, meters: ['check_meter'] },
      { role: 'consumption', name: 'Depot', limits: { 2026: '1.000' } },
    ])
    expect((await fixture.evaluate(group.id)).rule('R013')).toMatchObject({
      status: 'fail',
      reason_code: 'EK1_NOT_CONFIRMED',
      details: { group_status: 'customer_defined', facility_ids: [group.facilities[0]?.id] },
    })
  })

  it('requires the permission to manage netting and answers 404 for a foreign group', async () => {
    const { api, ownTenant, foreignCaller } = fixture
    const group = await fixture.readyGroup()
    for (const user of [ownTenant.viewer, ownTenant.operator]) {
      const response = await api.call('POST', `/api/mahsuplasma/groups/${group.id}/evaluate`, {
        token: user.token,
      })
      expect([response.status, response.body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    }
    await expectSameResponse(group.id, (id) => foreignCaller.post(`/groups/${id}/evaluate`))
    await expectSameResponse(group.id, (id) => foreignCaller.get(`/groups/${id}/eligibility`))
    expect(refusal(await fixture.admin.post(`/groups/${randomUUID()}/evaluate`))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ])
    expect(await fixture.countRuns(group.id)).toBe(0)
  })
})
