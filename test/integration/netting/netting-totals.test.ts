import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatKwh, parseKwh, total } from '../../../src/kernel/decimal.ts'
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

const get = (path: string, { viewer } = tenant) =>
  api.call('GET', `/api/mahsuplasma${path}`, { token: viewer.token })
const sumOf = (rows: readonly Row[], field: string): string | null => {
  const known = rows.flatMap((row) => row[field] ?? [])
  return known.length === 0 ? null : formatKwh(total(known.map(parseKwh)))
}
/** Amounts have 6 decimals; those of this test are not negative. */
const sumTry = (amounts: readonly string[]): string | null => {
  if (amounts.length === 0) return null
  const sum = amounts.reduce((micro, amount) => micro + BigInt(amount.replace('.', '')), 0n)
  const digits = String(sum).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
const HOURS = 30
const FIGURES = [
  'production',
  'consumption',
  'matched',
  'surplus',
  'net_import',
  'bedelli',
  'skb',
  'bedelsiz',
]

async function calculatedPair() {
  const pair = await makePair('20.000', HOURS, (index) => [`${index % 7}.001`, `${index % 3}.002`])
  expect((await calculate(pair.group, 0, HOURS)).status).toBe(201)
  return pair
}

describe('the totals of the lists of a group', () => {
  it('are the exact sums of the current hours in the range', async () => {
    const { group } = await calculatedPair()
    for (const query of ['', `?from=${at(3)}&to=${at(20)}`]) {
      const { body: rows } = await read(group, `hourly${query}`)
      const { status, body } = await read(group, `hourly/totals${query}`)
      expect(status).toBe(200)
      expect([body.rows, body.rows_missing]).toEqual([rows.length, 0])
      for (const field of [...FIGURES, 'matched_over_limit', 'limit_used'].map((name) => `${name}_kwh`))
        expect([field, body[field]]).toEqual([field, sumOf(rows, field)])
    }
    await calculate(group, 0, HOURS)
    expect((await read(group, 'hourly/totals')).body.rows).toBe(HOURS)
    const none = await read(group, `hourly/totals?from=${at(HOURS)}`)
    expect(none.body).toMatchObject({ rows: 0, production_kwh: null, limit_used_kwh: null })
    expect((await read(group, 'hourly/totals?from=yesterday')).status).toBe(422)
  })

  it('are the sums of virtual meters and of amounts by type', async () => {
    const { group } = await calculatedPair()
    for (const [list, type, sums] of [
      ['virtual-meters', 'virtual_meter_type', ['energy_kwh']],
      ['amounts', 'amount_type', ['quantity_kwh']],
    ] as const) {
      const { body: rows } = await read(group, `${list}?limit=744`)
      const { body } = await read(group, `${list}/totals`)
      expect(body.rows).toBe(rows.length)
      expect(body.rows).toBeGreaterThan(0)
      for (const part of body.by_type) {
        const own = rows.filter((row: Row) => row[type] === part[type])
        expect(part.rows).toBe(own.length)
        for (const field of sums) expect(part[field]).toBe(sumOf(own, field))
      }
      const types = new Set(rows.map((row: Row) => row[type]))
      expect(body.by_type.map((part: Row) => part[type])).toEqual([...types].sort())
    }
    const { body } = await read(group, 'amounts/totals')
    const { body: rows } = await read(group, 'amounts?limit=744')
    for (const { amount_type, amount_try, rows_without_price } of body.by_type) {
      const own = rows.filter((row: Row) => row['amount_type'] === amount_type)
      const priced = own.flatMap((row: Row) => row['amount_try'] ?? [])
      expect([amount_type, rows_without_price]).toEqual([amount_type, own.length - priced.length])
      expect([amount_type, amount_try]).toEqual([amount_type, sumTry(priced)])
    }
  })

  it('of a foreign group are answered like those of an unknown one', async () => {
    const { group } = await calculatedPair()
    for (const list of ['hourly', 'virtual-meters', 'amounts']) {
      const foreign = await get(`/groups/${group.id}/${list}/totals`, foreignTenant)
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe((await get(`/groups/${randomUUID()}/${list}/totals`, foreignTenant)).text)
    }
    expect(base(group)).toContain(group.id)
  })
})

describe('the filters of the lists of amounts and movements', () => {
  it('select the amounts of a type, and the movements of a run', async () => {
    const { group, account } = await calculatedPair()
    const { body: amounts } = await read(group, 'amounts?limit=744')
    const types = new Set<string>(amounts.map((row: Row) => row['amount_type']))
    expect(types.size).toBeGreaterThan(1)
    for (const type of types) {
      const { body, headers } = await read(group, `amounts?limit=744&amount_type=${type}`)
      expect(body).toEqual(amounts.filter((row: Row) => row['amount_type'] === type))
      expect(headers.get('x-total-count')).toBe(String(body.length))
    }
    expect((await read(group, 'amounts?amount_type=tip')).status).toBe(422)

    const path = `/limits/accounts/${account}/movements`
    const { body: all } = await get(path)
    const runId = all.find((row: Row) => row['calculation_run_id'] !== null)['calculation_run_id']
    const { body: booked } = await get(`${path}?calculation_run_id=${runId}`)
    expect(booked).toEqual(all.filter((row: Row) => row['calculation_run_id'] === runId))
    expect(booked.length).toBeLessThan(all.length)
    expect((await get(`${path}?calculation_run_id=${randomUUID()}`)).body).toEqual([])
  })
})

describe('the totals of facts and of ledgers', () => {
  it('are the sums of the hourly facts by source and role', async () => {
    const { producer } = await calculatedPair()
    const range = `from=${at(2)}&to=${at(12)}`
    const { body: rows } = await get(`/facilities/${producer.id}/hourly-energy?${range}`)
    const { body } = await get(`/facilities/${producer.id}/hourly-energy/totals?${range}`)
    expect(body).toMatchObject({
      rows: 10,
      by_source: [{ measurement_role: 'main_production', rows: 10, consumption_kwh: null }],
    })
    expect(body.by_source[0].production_kwh).toBe(sumOf(rows, 'production_kwh'))
    const path = `hourly-energy/totals?${range}`
    const foreign = await get(`/facilities/${producer.id}/${path}`, foreignTenant)
    expect(foreign.status).toBe(404)
    expect((await get(`/facilities/${producer.id}/hourly-energy/totals`)).status).toBe(422)
  })

  it('are the sums of the movements by type, with the remaining limit', async () => {
    const { account } = await calculatedPair()
    const { body: rows } = await get(`/limits/accounts/${account}/movements?limit=500`)
    const { status, body } = await get(`/limits/accounts/${account}/movements/totals`)
    expect(status).toBe(200)
    expect(body.rows).toBe(rows.length)
    expect(body.initial_limit_kwh).toBe('20.000')
    expect(body.remaining_limit_kwh).toBe(
      formatKwh(total([parseKwh('20'), parseKwh(sumOf(rows, 'amount_kwh') ?? '0')])),
    )
    for (const { movement_type, amount_kwh } of body.by_type) {
      const own = rows.filter((row: Row) => row['movement_type'] === movement_type)
      expect([movement_type, amount_kwh]).toEqual([movement_type, sumOf(own, 'amount_kwh')])
    }
    const foreign = await get(`/limits/accounts/${account}/movements/totals`, foreignTenant)
    const unknown = await get(`/limits/accounts/${randomUUID()}/movements/totals`, foreignTenant)
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })
})
