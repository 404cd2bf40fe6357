import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CALCULATION_THREAD_HOURS_MIN } from '../../../src/areas/netting/calculation/limits.ts'
import { readRunInput } from '../../../src/areas/netting/calculation/run-input-store.ts'
import { computePeriod } from '../../../src/core/netting/period.ts'
import { formatKwh } from '../../../src/kernel/decimal.ts'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { tenantDb } from '../../../src/platform/db/tenant.ts'
import type { TestApi } from '../../support/api.ts'
import { at, base, MONTH, openSite, type Row, read } from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeGroup, type TestGroup } from '../../support/netting/netting.ts'
import type { TestTenant } from '../../support/tenants.ts'

/** From the start of the month to the full hour before the clock of the tests. */
const HOURS = 468
const MEMBERS = 24

let api: TestApi
let tenant: TestTenant
let group: TestGroup
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
  const members = Array.from({ length: MEMBERS }, (_, index) =>
    index % 2 === 0
      ? ({ role: 'production' } as const)
      : ({ role: 'consumption', limits: { 2026: '2000.000' } } as const),
  )
  group = await makeGroup(api.deps, tenant, { members })
  const range = { from: MONTH, to: MONTH + HOURS * HOUR_MS }
  for (const [index, { id }] of group.facilities.entries()) {
    const role = index % 2 === 0 ? 'main_production' : 'main_consumption'
    const kwh = (hour: number) => `${((hour * 7 + index * 3) % 23) + 1}.125`
    await addFacts(
      api.deps,
      tenant,
      hourlyFacts(range, { facilityId: id, role }, (hour) =>
        index % 2 === 0 ? { production: kwh(hour) } : { consumption: kwh(hour) },
      ),
    )
  }
})
afterAll(() => api.close())

const calculate = () =>
  api.call('POST', `${base(group)}/calculate`, {
    token: tenant.admin.token,
    body: { billing_period: '2026-11-01' },
  })

/** The steps that are sent to threads of calculations from now on. */
function watchSteps(): () => unknown[] {
  const sent = vi.spyOn(Worker.prototype, 'postMessage')
  onTestFinished(() => sent.mockRestore())
  return () => sent.mock.calls.map(([message]) => (message as { step?: unknown }).step)
}

/** Calculates the month so far. */
async function calculateMonth() {
  const { status, body } = await calculate()
  expect({ status, hours: body.hours_calculated }).toEqual({ status: 201, hours: HOURS })
  return readChecked(body.runs[0])
}

/** Compares what a run has stored with the pure engine on the stored input. */
async function readChecked(run: Row) {
  const input = await readRunInput(tenantDb(api.deps.database.kysely, tenant.id), run['id'] ?? '')
  if (!input) throw new Error('the run has no input')
  const expected = computePeriod(input)
  expect(run['input_hash']).toBe(expected.inputHash)
  const hours = (await read(group, `hourly?limit=${HOURS}`)).body
  expect(
    hours.map(({ hour, matched_kwh, limit_after_kwh }: Row) => [hour, matched_kwh, limit_after_kwh]),
  ).toEqual(
    expected.hours.map((row) => [
      new Date(row.hour).toISOString(),
      row.matchedKwh === null ? null : formatKwh(row.matchedKwh),
      row.limitAfterKwh === null ? null : formatKwh(row.limitAfterKwh),
    ]),
  )
  const { rows } = await api.deps.database.pool.query(
    `select (select count(*)::int from amount where calculation_run_id = $1 and is_current) as amounts,
       (select count(*)::int from virtual_meter_hour where calculation_run_id = $1 and is_current) as meters,
       (select count(*)::int from limit_usage_hour where calculation_run_id = $1) as usage`,
    [run['id']],
  )
  const { amounts, virtualMeters, usage } = expected
  expect(rows).toEqual([{ amounts: amounts.length, meters: virtualMeters.length, usage: usage.length }])
  expect(amounts.length).toBeGreaterThan(5_000)
  return { run, hours }
}

describe('a calculation that is large enough for a thread', () => {
  it('stores what the engine computes, and replaces it after a change', async () => {
    expect(MEMBERS * HOURS).toBeGreaterThan(CALCULATION_THREAD_HOURS_MIN)
    const first = await calculateMonth()
    const repeated = await calculate()
    expect(repeated.body).toMatchObject({ runs: [], noop_periods: ['2026-11-01'] })

    const plant = group.facilities[0]
    await addFacts(api.deps, tenant, [
      { facilityId: plant?.id ?? '', role: 'main_production', hour: at(9), production: '99.000' },
    ])
    const second = await calculateMonth()
    expect(second.run['id']).not.toBe(first.run['id'])
    const changed = second.hours.flatMap((row: Row, index: number) =>
      row['production_kwh'] === first.hours[index].production_kwh ? [] : index,
    )
    expect(changed).toEqual([9])
  })

  it('is corrected in a thread', async () => {
    const steps = watchSteps()
    const { status, body } = await api.call('POST', `${base(group)}/corrections`, {
      token: tenant.admin.token,
      body: { billing_period: '2026-11-01', reason: 'the readings were checked' },
    })
    expect({ status, periods: body.periods_corrected }).toEqual({ status: 201, periods: ['2026-11-01'] })
    // A correction is written in any case: its first rows are inserted before the last ones are computed.
    const sent = steps()
    expect(sent).toContain('compute')
    expect(sent.indexOf('nextRows')).toBeLessThan(sent.indexOf('compute'))
    await readChecked(body.runs[0])
  })
})
