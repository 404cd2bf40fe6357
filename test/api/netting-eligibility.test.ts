import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { statusInForce } from '../../src/modules/netting/eligibility/index.ts'
import { makeTokens } from '../../src/platform/auth/jwt.ts'
import { tenantDb } from '../../src/platform/db/tenant.ts'
import {
  INDUSTRIAL_PRICES,
  type MemberSpec,
  makeAccount,
  makeGroup,
  makePriceSet,
} from '../support/netting.ts'
import { expectAlike, type Registry, refusal, startRegistry } from '../support/registry.ts'

const ORDER = 'R001 R002 R003 R003M R005 R007 R008 R009 R010 R011 R013 R00T R00L'.split(' ')

let registry: Registry

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())
afterEach(async () => {
  const { kysely } = registry.api.deps.database
  await kysely.updateTable('tariff_price_set').set({ approval_status: 'archived' }).execute()
  registry.api.clock.set('2026-11-20T09:30:00Z')
})

const sanayi = () => makePriceSet(registry.api.deps, '2026-11-01', INDUSTRIAL_PRICES)
const pair: MemberSpec[] = [
  { role: 'production', name: 'Roof' },
  { role: 'consumption', name: 'Mill', limits: { 2026: '1000.000' } },
]

/** A group with a declared scope and a supplier, shared by its facilities; everything of it is in order. */
async function makeReadyGroup(members: MemberSpec[] = pair) {
  const { admin, api, ours } = registry
  const group = await makeGroup(api.deps, ours, { members })
  const { body: scope } = await admin.post('/scopes', { name: `party ${randomUUID()}` })
  await admin.post(`/scopes/${scope.id}/declare-same-official-party`, {
    declaration_source: 'customer_declaration',
  })
  const { body: org } = await admin.post('/organizations', { org_type: 'supplier', name: randomUUID() })
  for (const { id } of group.facilities) {
    await admin.patch(`/facilities/${id}`, { scope_id: scope.id, supplier_id: org.id })
  }
  await admin.patch(`/groups/${group.id}`, { scope_id: scope.id, responsible_supplier_id: org.id })
  return { ...group, scopeId: scope.id, supplierId: org.id }
}

interface Rule {
  readonly code: string
  readonly status: string
  readonly [key: string]: unknown
}

/** By the admin, with a token of this moment: the clock moves by more than a token lives. */
function postEvaluate(groupId: string) {
  const { api, ours } = registry
  const tokens = makeTokens({ secretKey: api.deps.config.secretKey, clock: api.clock })
  const token = tokens.issue('access', { id: ours.admin.id, tenantUid: ours.uid })
  return api.call('POST', `/api/mahsuplasma/groups/${groupId}/evaluate`, { token })
}

async function evaluate(groupId: string) {
  const { status, body } = await postEvaluate(groupId)
  expect(status).toBe(201)
  const rules: Rule[] = body.rules
  expect(rules.map(({ code }) => code)).toEqual(ORDER)
  return {
    status: body.eligibility_status,
    rule: (code: string) => rules.find((rule) => rule.code === code),
    statuses: Object.fromEntries(rules.map(({ code, status: each }) => [code, each])),
    body,
  }
}
const countRuns = async (groupId: string): Promise<number> => {
  const { rows } = await registry.api.deps.database.pool.query<{ count: number }>(
    'select count(*)::integer as count from eligibility_run where group_id = $1',
    [groupId],
  )
  return rows[0]?.count ?? 0
}

describe('POST /groups/<id>/evaluate', () => {
  it('finds a group in order valid, and logs all 13 results', async () => {
    const { admin, ours, viewer } = registry
    await sanayi()
    const group = await makeReadyGroup()
    for (const group_status of ['ek1_submitted', 'grid_operator_confirmed']) {
      await admin.patch(`/groups/${group.id}`, { group_status })
    }
    const { body, statuses } = await evaluate(group.id)
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
    const run = await registry.api.deps.database.kysely
      .selectFrom('eligibility_run')
      .select(['evaluated_by', 'eligibility_status'])
      .where('group_id', '=', group.id)
      .executeTakeFirstOrThrow()
    expect(run).toEqual({ evaluated_by: ours.admin.id, eligibility_status: 'valid' })
  })

  it('leaves a group whose scope is not declared at not_checked', async () => {
    await sanayi()
    const group = await makeReadyGroup()
    const { body: scope } = await registry.admin.post('/scopes', { name: `undeclared ${randomUUID()}` })
    for (const { id } of group.facilities) {
      await registry.admin.patch(`/facilities/${id}`, { scope_id: scope.id })
    }
    await registry.admin.patch(`/groups/${group.id}`, { scope_id: scope.id })
    const { status, rule } = await evaluate(group.id)
    expect(status).toBe('not_checked')
    expect(rule('R001')).toMatchObject({ status: 'not_checked', is_blocking: true, severity: 'error' })
  })

  it('names the facilities that lack a limit account of the current year, and sees the new year', async () => {
    const { api, ours } = registry
    await sanayi()
    const group = await makeReadyGroup([
      { role: 'production', name: 'Roof' },
      { role: 'mixed', name: 'Mill', limits: { 2025: '10.000' } },
      { role: 'consumption', name: 'Depot', limits: { 2026: '10.000' } },
    ])
    const { status, rule } = await evaluate(group.id)
    const mill = group.facilities[1]?.id ?? ''
    expect(status).toBe('blocked')
    expect(rule('R007')).toEqual({
      code: 'R007',
      status: 'fail',
      severity: 'error',
      is_blocking: true,
      reason_code: 'LIMIT_ACCOUNT_MISSING',
      message: 'No limit account for 2026: Mill.',
      details: { year: 2026, facility_ids: [mill] },
    })
    await makeAccount(api.deps, ours, { facilityId: mill, year: 2026, initial: '5.000' })
    expect((await evaluate(group.id)).status).toBe('valid')
    api.clock.set('2026-12-31T21:00:00Z')
    expect((await evaluate(group.id)).rule('R007')).toMatchObject({
      status: 'fail',
      message: 'No limit account for 2027: Depot and Mill.',
    })
  })

  it('asks no limit of a residential group', async () => {
    await makePriceSet(registry.api.deps, '2026-11-01', [
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'mesken', price: '1.000000' },
    ])
    const group = await makeReadyGroup([
      { role: 'production', aboneGrubu: 'mesken' },
      { role: 'consumption', aboneGrubu: 'mesken' },
    ])
    const { status, statuses } = await evaluate(group.id)
    expect(status).toBe('valid')
    expect(statuses).toMatchObject({ R003: 'pass', R003M: 'pass', R007: 'not_applicable', R00T: 'pass' })
  })

  it('blocks homes beside others', async () => {
    const group = await makeReadyGroup([
      { role: 'mixed', aboneGrubu: 'mesken', name: 'Home', limits: { 2026: '1.000' } },
      { role: 'consumption', aboneGrubu: 'sanayi', name: 'Mill', limits: { 2026: '1.000' } },
    ])
    const { status, statuses } = await evaluate(group.id)
    expect(status).toBe('blocked')
    expect(statuses).toMatchObject({ R003: 'fail', R003M: 'fail', R007: 'pass' })
  })

  it('lets a group without consumers be valid', async () => {
    const group = await makeReadyGroup([{ role: 'production' }])
    const { status, rule, statuses } = await evaluate(group.id)
    expect(status).toBe('valid')
    expect(rule('R002')).toMatchObject({ status: 'pass', reason_code: 'NO_CONSUMPTION' })
    expect(statuses).toMatchObject({ R003: 'not_applicable', R005: 'not_applicable', R007: 'not_applicable' })
  })

  it('evaluates the members of today: the day of valid_to does not count, that of valid_from does', async () => {
    const { api } = registry
    await sanayi()
    const group = await makeReadyGroup([
      { role: 'mixed', limits: { 2026: '1.000' } },
      { role: 'consumption', name: 'Old', validTo: '2026-11-20' },
      { role: 'consumption', name: 'New', validFrom: '2026-11-21' },
    ])
    expect((await evaluate(group.id)).status).toBe('valid')
    api.clock.set('2026-11-20T21:00:00Z')
    expect((await evaluate(group.id)).rule('R007')).toMatchObject({
      status: 'fail',
      message: 'No limit account for 2026: New.',
    })
  })

  it('warns of what is unknown of suppliers and subscriber groups without blocking', async () => {
    await sanayi()
    const group = await makeReadyGroup([
      { role: 'mixed', limits: { 2026: '1.000' } },
      { role: 'consumption', name: 'Mill', aboneGrubu: null, limits: { 2026: '1.000' } },
    ])
    await registry.admin.patch(`/facilities/${group.facilities[1]?.id}`, { supplier_id: null })
    const { status, rule } = await evaluate(group.id)
    expect(status).toBe('valid')
    const open = { status: 'not_checked', severity: 'warning', is_blocking: false }
    expect(rule('R003')).toMatchObject(open)
    expect(rule('R005')).toMatchObject({ ...open, message: 'The supplier is unknown of Mill.' })
  })

  it('blocks for a supplier that differs', async () => {
    await sanayi()
    const group = await makeReadyGroup()
    const { body: other } = await registry.admin.post('/organizations', {
      org_type: 'supplier',
      name: randomUUID(),
    })
    await registry.admin.patch(`/facilities/${group.facilities[1]?.id}`, { supplier_id: other.id })
    const { status, rule } = await evaluate(group.id)
    expect(status).toBe('blocked')
    expect(rule('R005')).toMatchObject({ status: 'fail', severity: 'error', is_blocking: true })
  })

  it('warns of a limit transfer without confirmed contracted power', async () => {
    await sanayi()
    const group = await makeReadyGroup([
      { role: 'mixed', name: 'Mill', limits: { 2026: '100.000' } },
      { role: 'consumption', name: 'Depot', limits: { 2026: '100.000' } },
    ])
    const [source, target] = group.facilities.map(({ accounts }) => accounts[2026])
    const transfer = (confirmed: boolean) =>
      registry.admin.post('/limits/transfer', {
        source_account_id: source,
        target_account_id: target,
        amount_kwh: '1.000',
        contracted_power_confirmed: confirmed,
      })
    await transfer(true)
    expect((await evaluate(group.id)).rule('R010')).toMatchObject({ status: 'pass' })
    const { body } = await transfer(false)
    const { status, rule } = await evaluate(group.id)
    expect(status).toBe('valid')
    expect(rule('R010')).toMatchObject({
      status: 'fail',
      severity: 'warning',
      is_blocking: false,
      message: 'Limit was transferred in 2026 without confirmed contracted power: Depot and Mill.',
      details: { movement_ids: body.movements.map(({ id }: { id: string }) => id).sort() },
    })
  })

  it('warns of a member without a main meter now', async () => {
    await sanayi()
    const group = await makeReadyGroup([
      { role: 'mixed', name: 'Mill', limits: { 2026: '1.000' }, meters: ['check_meter'] },
      { role: 'consumption', name: 'Depot', limits: { 2026: '1.000' } },
    ])
    expect((await evaluate(group.id)).rule('R013')).toMatchObject({
      status: 'fail',
      reason_code: 'EK1_NOT_CONFIRMED',
      details: { group_status: 'customer_defined', facility_ids: [group.facilities[0]?.id] },
    })
  })

  it('is for those who manage netting, and knows no foreign group', async () => {
    const { api, ours, stranger } = registry
    const group = await makeReadyGroup()
    for (const user of [ours.viewer, ours.operator]) {
      const answer = await api.call('POST', `/api/mahsuplasma/groups/${group.id}/evaluate`, {
        token: user.token,
      })
      expect([answer.status, answer.body.error_code]).toEqual([403, 'PERMISSION_DENIED'])
    }
    await expectAlike(group.id, (id) => stranger.post(`/groups/${id}/evaluate`))
    await expectAlike(group.id, (id) => stranger.get(`/groups/${id}/eligibility`))
    expect(refusal(await registry.admin.post(`/groups/${randomUUID()}/evaluate`))).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
    ])
    expect(await countRuns(group.id)).toBe(0)
  })
})

describe('the log of evaluations', () => {
  it('keeps every one of many at once, and the status of the last', async () => {
    const { api, viewer } = registry
    const group = await makeReadyGroup()
    const evaluations = Array.from({ length: 20 }, () => postEvaluate(group.id))
    await sanayi()
    const answers = await Promise.all(evaluations)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const runs = await api.deps.database.kysely
      .selectFrom('eligibility_run')
      .select(['eligibility_status', 'rules'])
      .where('group_id', '=', group.id)
      .orderBy('seq')
      .execute()
    expect(runs).toHaveLength(20)
    expect(runs.every(({ rules }) => Array.isArray(rules) && rules.length === 13)).toBe(true)
    const { body } = await viewer.get(`/groups/${group.id}`)
    expect(body.eligibility_status).toBe(runs.at(-1)?.eligibility_status)
  })

  it('cannot be rewritten by the service', async () => {
    const { pool } = registry.api.deps.database
    const group = await makeReadyGroup()
    await evaluate(group.id)
    for (const statement of [
      "update eligibility_run set eligibility_status = 'valid'",
      'delete from eligibility_run',
      'truncate eligibility_run',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow('permission denied')
    }
  })

  it('tells the status in force at an instant: the last one before it, else the current one', async () => {
    const { api, ours } = registry
    const group = await makeReadyGroup()
    const at = (instant: string) =>
      statusInForce(tenantDb(api.deps.database.kysely, ours.id), group.id, Date.parse(instant))
    expect(await at('2026-12-01T00:00:00+03:00')).toBe('not_checked')
    api.clock.set('2026-11-30T20:59:59Z')
    expect((await evaluate(group.id)).status).toBe('blocked')
    await makePriceSet(api.deps, '2026-12-01', INDUSTRIAL_PRICES)
    api.clock.set('2026-11-30T21:00:00Z')
    expect((await evaluate(group.id)).status).toBe('valid')
    expect(await at('2026-12-01T00:00:00+03:00')).toBe('blocked')
    expect(await at('2027-01-01T00:00:00+03:00')).toBe('valid')
    expect(await at('2026-11-01T00:00:00+03:00')).toBe('valid')
  })
})

describe('approving a tariff set', () => {
  const BASE = '/api/v1/admin/regulated-tariffs/price-sets'
  const call = (method: string, path: string, body?: unknown) =>
    registry.api.call(method, BASE + path, { token: registry.theirs.superuser.token, body })

  async function approve(abone_grubu: string): Promise<void> {
    const { body: set } = await call('POST', '', { billing_period: '2026-11' })
    await call('POST', `/${set.id}/prices`, {
      billing_period: '2026-11',
      valid_from: '2026-11-01',
      abone_grubu,
      price_purpose: 'mahsuplasma_related_tariff',
      price: '2.985253',
    })
    expect((await call('POST', `/${set.id}/approve`)).status).toBe(200)
    await registry.api.deps.background.drain()
  }
  const statusOf = async (groupId: string) =>
    (await registry.viewer.get(`/groups/${groupId}/eligibility`)).body.eligibility_status

  it('evaluates the groups that lacked it, of every tenant, and no others', async () => {
    const lacking = await makeReadyGroup()
    const { status, rule } = await evaluate(lacking.id)
    expect(status).toBe('blocked')
    expect(rule('R00T')).toMatchObject({
      status: 'fail',
      reason_code: 'TARIFF_NOT_APPROVED',
      message: 'No approved price of sanayi for 2026-11: Mill.',
    })
    const empty = await makeReadyGroup([])
    expect((await evaluate(empty.id)).status).toBe('blocked')

    await approve('ticarethane')
    expect([await statusOf(lacking.id), await countRuns(lacking.id)]).toEqual(['blocked', 2])
    await approve('sanayi')
    expect([await statusOf(lacking.id), await countRuns(lacking.id)]).toEqual(['valid', 3])
    await approve('sanayi')
    expect(await countRuns(lacking.id)).toBe(3)
    expect(await countRuns(empty.id)).toBe(1)
    const { body } = await registry.viewer.get(`/groups/${lacking.id}`)
    expect(body.eligibility_status).toBe('valid')
  })
})
