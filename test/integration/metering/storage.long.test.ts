import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertNotSealed, sealOldMonths } from '../../../src/areas/metering/storage/index.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { violatedConstraint } from '../../../src/platform/db/constraints.ts'
import { sqlStateOf } from '../../../src/platform/db/errors.ts'
import { inTenantTx } from '../../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { JUNE, JUNE_END, NOW, runOn } from '../../support/metering/storage.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestFacility, type TestGroup } from '../../support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const REFUSED = {
  status: 409,
  body: {
    detail:
      'the month 2025-06 is sealed, because its data is older than 500 days; an operator opens it with ' +
      '"netsaat storage unseal 2025-06", then the request can be repeated',
  },
}
/** The last day of June, and a minute of it without a sample. */
const DAY = { from: JUNE_END - DAY_MS, to: JUNE_END }
const FREE = JUNE_END - 60_000
const OLD_DEVICES = 20

let api: TestApi
let tenant: TestTenant
let device: TestDevice
let group: TestGroup
let producer: TestFacility

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.deps.database.pool.query(text, values)).rows as Row[]
const get = (path: string) => api.call('GET', path, { token: tenant.viewer.token })
const post = (path: string, body: unknown) =>
  api.call('POST', `/api/mahsuplasma${path}`, { token: tenant.admin.token, body })
const hours = (from: number, to: number) => ({ from_hour: iso(from), to_hour: iso(to) })
const calculate = (from: number, to: number) => post(`/groups/${group.id}/calculate`, hours(from, to))

const register = (at: number, kwh: number) => sample(device, at, { import_active_energy: kwh })
const send = async (...samples: ReturnType<typeof sample>[]) => (await postSamples(api, tenant, samples)).body
const setAside = async () => (await get('/api/measurements/set-aside?reason=sealed_month&limit=200')).body

/** What the reads of the old month return. */
const readMonth = () =>
  Promise.all(
    [
      `/api/measurements/devices/${device.id}/samples?from=${iso(DAY.from)}&to=${iso(DAY.to)}`,
      `/api/mahsuplasma/facilities/${producer.id}/hourly-energy?from=${iso(DAY.from)}&to=${iso(DAY.to)}`,
    ].map(async (path) => (await get(path)).text),
  )

/** Half a month of other devices, changed twice since: two of three stored rows are dead. */
async function fillMonth(): Promise<void> {
  await query(
    `insert into measurement (tenant_id, device_key, ts, import_active_energy)
     select $1, 1000000 + d, $2::timestamptz + m * interval '15 minutes', m
     from generate_series(1, $3::int) d, generate_series(0, 1000) m order by m, d`,
    [tenant.id, iso(JUNE_END - 20 * DAY_MS), OLD_DEVICES],
  )
  for (const voltage of [229, 230]) {
    await query(`update measurement set voltage = ${voltage} where device_key > 1000000`)
  }
}

const seal = (daysLater = 0) => sealOldMonths(api.deps, api.clock.now() + daysLater * DAY_MS)
const sealedRows = () =>
  query<{ table_name: string; rows: string; bytes_before: string; bytes_after: string }>(
    `select table_name, rows, bytes_before, bytes_after from sealed_month
     where period = $1 and unsealed_until is null order by 1`,
    [JUNE],
  )

beforeAll(async () => {
  api = await startApi({ now: NOW })
  tenant = await createTenant(api)
  device = await createDevice(api, tenant)
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  group = await makeGroup(api.deps, tenant, {
    members: [{ role: 'production' }, { role: 'consumption', limits: { 2025: '100.000' } }],
  })
  const [first, consumer] = group.facilities as [TestFacility, TestFacility]
  producer = first
  const range = { from: DAY.from, to: JUNE_END + DAY_MS }
  await addFacts(api.deps, tenant, [
    ...hourlyFacts(range, { facilityId: producer.id, role: 'main_production' }, () => ({
      production: '3.000',
    })),
    ...hourlyFacts(range, { facilityId: consumer.id, role: 'main_consumption' }, () => ({
      consumption: '2.000',
    })),
  ])
  await send(...Array.from({ length: 24 }, (_, hour) => register(DAY.from + hour * HOUR_MS, 100 + hour)))
  await fillMonth()
})
afterAll(() => api.close())

describe('a month that ended 501 days ago', () => {
  it('is sealed and compacted by the job, younger months are not, and reads stay the same', async () => {
    await calculate(DAY.from, DAY.from + HOUR_MS)
    const before = await readMonth()
    expect(await sealOldMonths(api.deps, JUNE_END + 500 * DAY_MS - 1)).toEqual([])
    expect(await seal()).toEqual([JUNE])
    expect(await readMonth()).toEqual(before)
    expect(before.every((text) => text.length > 1_000)).toBe(true)

    const [facts, samples] = await sealedRows()
    expect([facts?.rows, samples?.rows]).toEqual(['48', String(OLD_DEVICES * 1001 + 24)])
    const ratio = Number(samples?.bytes_after) / Number(samples?.bytes_before)
    expect(ratio).toBeLessThan(0.5)
    expect(await seal()).toEqual([])
  })

  it('rejects inserts and updates in the database itself, also through the parent table; a DELETE passes', async () => {
    const refusalOf = (text: string, values: unknown[] = []) =>
      query(text, values).then(
        () => 'accepted',
        (error) => [sqlStateOf(error), violatedConstraint(error)],
      )
    const refusal = ['23514', 'sealed_month']
    const insert = 'insert into measurement (tenant_id, device_key, ts) values ($1, $2, $3)'
    const key = [tenant.id, device.key, iso(FREE)]
    expect(await refusalOf(insert, key)).toEqual(refusal)
    expect(await refusalOf(insert.replace('measurement', 'measurement_2025_06'), key)).toEqual(refusal)
    expect(await refusalOf('update hourly_energy set battery_kwh = 1')).toEqual(refusal)
    await query('begin; delete from hourly_energy; rollback')
    // Statements over all months that touch no row of it still work.
    await query('update measurement set voltage = 1 where ts >= $1', [iso(JUNE_END)])
  })

  it('cannot be calculated, corrected or rebuilt: 409 with plain text, and nothing is written', async () => {
    const countAll = () =>
      query(`select (select count(*) from calculation_run)::int as runs,
        (select count(*) from limit_movement)::int as movements`)
    const before = await countAll()
    const touching = hours(JUNE_END - HOUR_MS, JUNE_END + HOUR_MS)
    expect(await calculate(DAY.from, DAY.to)).toMatchObject(REFUSED)
    expect(await post(`/groups/${group.id}/calculate`, touching)).toMatchObject(REFUSED)
    expect(
      await post(`/groups/${group.id}/corrections`, {
        billing_period: JUNE,
        reason: 'an old meter was false',
      }),
    ).toMatchObject(REFUSED)
    const facts = `/facilities/${producer.id}/hourly-energy`
    expect(await post(`${facts}/rebuild`, touching)).toMatchObject(REFUSED)
    expect(await countAll()).toEqual(before)
    expect((await calculate(JUNE_END, JUNE_END + HOUR_MS)).status).toBe(201)
  })

  it('quarantines late samples, accepts known ones, and fails no batch', async () => {
    const batch = [
      register(DAY.from, 100),
      register(FREE, 124),
      sample(device, DAY.from + HOUR_MS, { import_active_energy: 101, voltage: 230 }),
      register(DAY.from + 2 * HOUR_MS, 999),
      register(api.clock.now() - HOUR_MS, 5_000),
    ]
    const response = {
      accepted: 1,
      duplicates: 1,
      set_aside: [
        { index: 1, reason: 'sealed_month' },
        { index: 2, reason: 'sealed_month' },
        { index: 3, reason: 'conflicts_with_stored' },
      ],
    }
    expect(await send(...batch)).toEqual(response)
    expect(await send(...batch)).toEqual({ ...response, accepted: 0, duplicates: 2 })
    const { total, items } = await setAside()
    expect(total).toBe(2)
    expect(items.map((item: { values: unknown }) => item.values)).toContainEqual({
      import_active_energy: 124,
    })
    expect((await get('/api/measurements/set-aside?reason=conflicts_with_stored')).body.total).toBe(1)
  })

  it('quarantines samples that were in flight when it was sealed', async () => {
    // A process with a clock behind does not check the seal: the partition itself rejects the write.
    const now = api.clock.now()
    api.clock.set(JUNE_END + 499 * DAY_MS)
    expect(await send(register(FREE + 1_000, 125), register(JUNE_END + 1_000, 126))).toEqual({
      accepted: 1,
      duplicates: 0,
      set_aside: [{ index: 0, reason: 'sealed_month' }],
    })
    api.clock.set(now)
  })

  it('is opened by the operator for seven days and sealed again after them', async () => {
    expect(await runOn(api, 'storage', 'unseal', '2025-06')).toEqual({
      code: 0,
      out:
        '2025-06 is open; it is not sealed again before 2026-11-21.\n' +
        '3 samples that had come meanwhile were taken up.\n',
      err: '',
    })
    expect((await setAside()).total).toBe(0)
    expect(
      await send(register(FREE, 124), sample(device, DAY.from + HOUR_MS, { voltage: 230 })),
    ).toMatchObject({ duplicates: 2, set_aside: [] })
    expect((await runOn(api, 'storage', 'unseal', '2025-06')).out).toContain('It was not sealed')
    expect((await runOn(api, 'storage', 'list')).out).toMatch(
      /2025-06 {2}measurement .* held open until 2026-11-21/,
    )
    expect(await send(register(FREE + 2_000, 126))).toMatchObject({ accepted: 1, set_aside: [] })
    const response = await calculate(DAY.from, DAY.to)
    expect([response.status, response.body.hours_calculated]).toEqual([201, 24])
    expect(await seal()).toEqual([])
    expect(await calculate(DAY.from, DAY.to)).toMatchObject({ status: 201, body: { noop_periods: [JUNE] } })
    expect(await seal(7)).toEqual([JUNE])
    expect(await calculate(DAY.from, DAY.to)).toMatchObject(REFUSED)
    expect(await runOn(api, 'storage', 'seal', '2025-06')).toMatchObject({
      code: 0,
      out: '2025-06 was sealed already.\n',
    })
    await runOn(api, 'storage', 'unseal', '2025-06')
    expect((await runOn(api, 'storage', 'seal', '2025-06')).out).toBe('2025-06 is sealed now.\n')
    expect((await runOn(api, 'storage', 'list')).out).toMatch(
      /2025-06 {2}hourly_energy .* sealed on 2026-11-14, 48 rows compacted from \d+ bytes to \d+/,
    )
  })

  it('reports impossible requests to the operator', async () => {
    const young = '2025-07 is open: a month can be sealed from 500 days after its end on'
    expect(await runOn(api, 'storage', 'unseal', '2025-07')).toMatchObject({
      code: 1,
      err: `netsaat: ${young}\n`,
    })
    expect((await runOn(api, 'storage', 'seal', '2025-07')).err).toContain(young)
    expect((await runOn(api, 'storage', 'seal', '2021-01')).err).toContain('there is no data of 2021-01')
  })
})

describe('sealing a month', () => {
  it('resumes where a stop interrupted it', async () => {
    await query('update sealed_month set bytes_after = null where period = $1', [JUNE])
    await query('create table measurement_2025_06_compacting (left_behind integer)')
    expect(await seal()).toEqual([JUNE])
    expect((await sealedRows()).map(({ bytes_after }) => Number(bytes_after) > 0)).toEqual([true, true])
    expect(await query("select to_regclass('measurement_2025_06_compacting') as it")).toEqual([{ it: null }])
  })

  it('yields to concurrent use of the month and loses no sample that arrives meanwhile', async () => {
    await runOn(api, 'storage', 'unseal', '2025-06')
    const reader = await api.deps.database.pool.connect()
    await reader.query('begin; select count(*) from measurement')
    let isSealed = false
    const sealing = seal(8).then((periods) => {
      isSealed = true
      return periods
    })
    let [accepted, aside] = [0, 0]
    const before = await query<{ count: number }>('select count(*)::int as count from measurement')
    for (let round = 0; round < 300 && (aside === 0 || !isSealed); round += 1) {
      if (round === 4) await reader.query('commit')
      const from = DAY.from + 7_000 + round * 60_000
      const { body } = await postSamples(
        api,
        tenant,
        Array.from({ length: 50 }, (_, ms) => register(from + ms, 200)),
      )
      accepted += body.accepted
      aside += body.set_aside.length
      expect(body.accepted + body.set_aside.length).toBe(50)
    }
    reader.release()
    expect(await sealing).toEqual([JUNE])
    expect(accepted).toBeGreaterThan(0)
    const after = await query<{ count: number }>('select count(*)::int as count from measurement')
    expect((after[0]?.count ?? 0) - (before[0]?.count ?? 0)).toBe(accepted)
    expect((await setAside()).total).toBe(aside)
  })

  it('waits for transactions that have checked whether the month is sealed', async () => {
    await runOn(api, 'storage', 'unseal', '2025-06')
    let sealing: Promise<string[]> | undefined
    await inTenantTx(api.deps.database.kysely, tenant.id, async (tx) => {
      await assertNotSealed(tx, DAY)
      sealing = seal(8)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      expect(await sealedRows()).toEqual([])
      // The write of this transaction is neither rejected nor a deadlock.
      await tx.db.updateTable('hourly_energy').set({ battery_kwh: '1' }).execute()
    })
    expect(await sealing).toEqual([JUNE])
  })

  it('is done by one process at a time', async () => {
    await runOn(api, 'storage', 'unseal', '2025-06')
    const other = await api.deps.database.pool.connect()
    await other.query('select pg_advisory_lock(7236482003)')
    expect(await seal(8)).toEqual([])
    expect((await runOn(api, 'storage', 'unseal', '2025-06')).err).toContain('at this moment')
    await other.query('select pg_advisory_unlock(7236482003)')
    other.release()
    expect((await Promise.all([seal(8), seal(8)])).flat()).toEqual([JUNE])
  })
})
