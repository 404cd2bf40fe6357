import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLimitAccount } from '../../../src/areas/netting/index.ts'
import { formatKwh, parseKwh, total } from '../../../src/kernel/decimal.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import { expectSameResponse, type Registry, refusal, startRegistry } from '../../support/netting/registry.ts'

let registry: Registry

beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

interface Movement {
  readonly movement_type: string
  readonly amount_kwh: string
}

async function account(initial: number | string = 100, year = 2026): Promise<string> {
  const { id: facility_id } = await registry.facility()
  const body = { facility_id, year, initial_limit_kwh: initial, limit_source: 'manual' }
  const created = await registry.admin.post('/limits/accounts', body)
  expect(created.status).toBe(201)
  return created.body.id
}

/** The movements, oldest first. */
async function movementsOf(id: string): Promise<Movement[]> {
  const { body } = await registry.viewer.get(`/limits/accounts/${id}/movements?limit=500`)
  return body.reverse()
}

const remaining = (initial: string, movements: readonly Movement[]) =>
  formatKwh(total([parseKwh(initial), ...movements.map(({ amount_kwh }) => parseKwh(amount_kwh))]))

const transfer = (source_account_id: string, target_account_id: string, body: object = {}) =>
  registry.admin.post('/limits/transfer', {
    source_account_id,
    target_account_id,
    amount_kwh: 7,
    contracted_power_confirmed: true,
    ...body,
  })

describe('limit accounts', () => {
  it('are created with an initial movement, and listed with both filters', async () => {
    const { admin, ownTenant, viewer, foreignCaller } = registry
    const { id: facility_id } = await registry.facility()
    const body = { facility_id, year: 2025, initial_limit_kwh: '1200.5', limit_source: 'official_document' }
    const a = await admin.post('/limits/accounts', body)
    expect(a.status).toBe(201)
    expect(a.body).toEqual({
      ...body,
      initial_limit_kwh: '1200.500',
      id: expect.any(String),
      origin: null,
      created_at: expect.any(String),
    })
    const b = await admin.post('/limits/accounts', { ...body, year: 2026, initial_limit_kwh: 0 })
    expect((await viewer.get(`/limits/accounts/${a.body.id}/movements`)).body).toMatchObject([
      {
        account_id: a.body.id,
        movement_type: 'initial',
        amount_kwh: '0.000',
        reason: null,
        calculation_run_id: null,
        created_by: ownTenant.admin.id,
      },
    ])
    const list = await viewer.get(`/limits/accounts?facility_id=${facility_id}`)
    expect(list.body).toEqual([b.body, a.body])
    expect(list.headers.get('x-total-count')).toBe('2')
    const one = await viewer.get(`/limits/accounts?facility_id=${facility_id}&year=2025`)
    expect(one.body).toEqual([a.body])
    expect((await foreignCaller.get('/limits/accounts')).body).toEqual([])
  })

  it('are rejected for a second account of a facility and year, and for invalid input', async () => {
    const { admin, viewer } = registry
    const { id: facility_id } = await registry.facility()
    const body = { facility_id, year: 2026, initial_limit_kwh: 1, limit_source: 'manual' }
    await admin.post('/limits/accounts', body)
    expect(refusal(await admin.post('/limits/accounts', body))).toEqual([409, 'DUPLICATE_ENTRY'])
    const bad = [
      { initial_limit_kwh: -1 },
      { initial_limit_kwh: '0.0001' },
      { limit_source: 'guess' },
      { year: 1999 },
      { year: 2026.5 },
      { facility_id: undefined },
    ]
    for (const each of bad) {
      expect((await admin.post('/limits/accounts', { ...body, year: 2027, ...each })).status).toBe(422)
    }
    const foreign = await registry.facility({}, registry.foreignCaller)
    await expectSameResponse(
      foreign.id,
      (id) => admin.post('/limits/accounts', { ...body, facility_id: id }),
      422,
    )
    expect((await viewer.post('/limits/accounts', body)).status).toBe(403)
    expect((await admin.get(`/limits/accounts?facility_id=${facility_id}`)).body).toHaveLength(1)
  })

  it('record the origin of an account that a loader creates', async () => {
    const { api, ownTenant, viewer } = registry
    const { id: facility_id } = await registry.facility()
    const body = { facility_id, year: 2025, initial_limit_kwh: '5', limit_source: 'manual' as const }
    const entry = { by: null, at: api.clock.now(), history: { origin: 'import: plant.csv' } }
    await inTenantTx(api.deps.database.kysely, ownTenant.id, (tx) => createLimitAccount(tx, body, entry))
    expect((await viewer.get(`/limits/accounts?facility_id=${facility_id}`)).body).toMatchObject([
      { origin: 'import: plant.csv' },
    ])
  })
})

describe('limit adjustments', () => {
  it('book signed amounts with a reason, newest first, also below zero', async () => {
    const { admin, api, ownTenant, viewer } = registry
    const id = await account(10)
    const adjust = (body: object) => admin.post(`/limits/accounts/${id}/adjust`, body)
    const up = await adjust({ amount_kwh: '2.5', reason: 'letter 17' })
    expect(up.status).toBe(201)
    expect(up.body).toEqual({
      id: expect.any(String),
      account_id: id,
      movement_type: 'manual_adjustment',
      amount_kwh: '2.500',
      reason: 'letter 17',
      contracted_power_confirmed: null,
      calculation_run_id: null,
      created_by: ownTenant.admin.id,
      created_at: new Date(api.clock.now()).toISOString(),
      remaining_limit_kwh: '12.500',
    })
    const down = await adjust({ amount_kwh: -20, reason: 'r' })
    expect(down.body.remaining_limit_kwh).toBe('-7.500')
    const list = await viewer.get(`/limits/accounts/${id}/movements?limit=2`)
    expect(list.body.map((movement: Movement) => movement.amount_kwh)).toEqual(['-20.000', '2.500'])
    expect(list.headers.get('x-total-count')).toBe('3')
  })

  it('reject zero, a missing or blank reason, and too many decimals', async () => {
    const { admin } = registry
    const id = await account()
    const bad = [
      { amount_kwh: 0, reason: 'r' },
      { amount_kwh: '0.000', reason: 'r' },
      { amount_kwh: 1 },
      { amount_kwh: 1, reason: '' },
      { amount_kwh: 1, reason: '  ' },
      { amount_kwh: '1.0001', reason: 'r' },
      { reason: 'r' },
    ]
    for (const body of bad) expect((await admin.post(`/limits/accounts/${id}/adjust`, body)).status).toBe(422)
    expect(await movementsOf(id)).toHaveLength(1)
  })

  it('answer a foreign account like an unknown one', async () => {
    const { foreignCaller } = registry
    const id = await account()
    const body = { amount_kwh: 1, reason: 'r' }
    await expectSameResponse(id, (each) => foreignCaller.post(`/limits/accounts/${each}/adjust`, body))
    await expectSameResponse(id, (each) => foreignCaller.get(`/limits/accounts/${each}/movements`))
  })
})

describe('limit transfers', () => {
  it('book a pair that sums to zero, and warn when contracted power is not confirmed', async () => {
    const [source, target] = [await account('100'), await account('1')]
    const done = await transfer(source, target, { amount_kwh: '0.001' })
    expect(done.status).toBe(201)
    expect(done.body).toMatchObject({
      movements: [
        { account_id: source, movement_type: 'group_transfer_out', amount_kwh: '-0.001' },
        { account_id: target, movement_type: 'group_transfer_in', amount_kwh: '0.001' },
      ],
      source_remaining_limit_kwh: '99.999',
      target_remaining_limit_kwh: '1.001',
      warnings: [],
      warning_codes: [],
      warning_details: [],
    })
    const warned = await transfer(source, target, { contracted_power_confirmed: false })
    expect(warned.body.warning_codes).toEqual(['TRANSFER_CONTRACTED_POWER_NOT_CONFIRMED'])
    expect(warned.body.warnings).toHaveLength(1)
    expect(warned.body.movements[0].contracted_power_confirmed).toBe(false)
  })

  it('reject too large amounts, equal accounts, another year, invalid accounts and amounts', async () => {
    const { foreignCaller } = registry
    const [source, target, lastYear] = [await account(10), await account(), await account(100, 2025)]
    const response = await transfer(source, target, { amount_kwh: '10.001' })
    expect(response.status).toBe(422)
    expect(response.body).toMatchObject({
      detail: { error_code: 'INSUFFICIENT_LIMIT_BALANCE', message: '10.000 kWh remain, 10.001 kWh asked' },
    })
    expect(refusal(await transfer(source, source.toUpperCase()))).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    expect(refusal(await transfer(source, lastYear))).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    for (const amount_kwh of [0, -1, '1.0001', null]) {
      expect((await transfer(source, target, { amount_kwh })).status).toBe(422)
    }
    const { id: facility_id } = await registry.facility({}, foreignCaller)
    const body = { facility_id, year: 2026, initial_limit_kwh: 9, limit_source: 'manual' }
    const { body: foreign } = await foreignCaller.post('/limits/accounts', body)
    await expectSameResponse(foreign.id, (id) => transfer(source, id), 422)
    const badSource = await transfer(randomUUID(), target)
    expect(badSource.body.detail).toMatchObject({
      error_code: 'INVALID_REFERENCE',
      field: 'source_account_id',
    })
    expect([await movementsOf(source), await movementsOf(target)].map((list) => list.length)).toEqual([1, 1])
    expect((await transfer(source, target, { amount_kwh: 10 })).body.source_remaining_limit_kwh).toBe('0.000')
  })

  it('keep sixty concurrent transfers from one source exact and never below zero', async () => {
    const [source, target] = [await account(100), await account(0)]
    const responses = await Promise.all(Array.from({ length: 60 }, () => transfer(source, target)))
    const accepted = responses.filter(({ status }) => status === 201)
    expect(accepted).toHaveLength(14)
    for (const response of responses) {
      if (response.status !== 201) expect(refusal(response)).toEqual([422, 'INSUFFICIENT_LIMIT_BALANCE'])
    }
    expect(remaining('100', await movementsOf(source))).toBe('2.000')
    expect(remaining('0', await movementsOf(target))).toBe('98.000')
  })

  it('keep sixty concurrent adjustments and transfers exact, and never transfer below zero', async () => {
    const { admin } = registry
    const [source, target] = [await account(20), await account(0)]
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 === 0
          ? transfer(source, target)
          : admin.post(`/limits/accounts/${source}/adjust`, {
              amount_kwh: index % 3 === 0 ? -1 : 2,
              reason: 'r',
            }),
      ),
    )
    const moved = responses.filter(({ status }, index) => index % 2 === 0 && status === 201).length
    expect(responses.filter((_, index) => index % 2 === 1).map(({ status }) => status)).toEqual(
      Array.from({ length: 30 }, () => 201),
    )
    let balance = parseKwh('20')
    const movements = await movementsOf(source)
    for (const { movement_type, amount_kwh } of movements) {
      balance = total([balance, parseKwh(amount_kwh)])
      if (movement_type === 'group_transfer_out') expect(balance >= 0n).toBe(true)
    }
    expect(formatKwh(balance)).toBe(remaining((20 + 20 * 2 - 10 - 7 * moved).toString(), []))
    expect(remaining('0', await movementsOf(target))).toBe(`${7 * moved}.000`)
  })

  it('do not deadlock when accounts transfer to each other', async () => {
    const [a, b] = [await account(100), await account(100)]
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0 ? transfer(a, b, { amount_kwh: 1 }) : transfer(b, a, { amount_kwh: 1 }),
      ),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(remaining('100', await movementsOf(a))).toBe('100.000')
  })
})

describe('limit ledger', () => {
  it('cannot be changed by the service role', async () => {
    await account()
    const { pool } = registry.api.deps.database
    for (const statement of [
      'update limit_movement set amount_kwh = 1',
      'delete from limit_movement',
      'truncate limit_movement cascade',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow('permission denied')
    }
  })
})
