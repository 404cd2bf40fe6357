import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withMonthlyCloseAlarm } from '../../../src/areas/netting/alarms/index.ts'
import { calculateRange } from '../../../src/areas/netting/index.ts'
import { addMonths, HOUR_MS, hoursOf, periodRange, periodStart } from '../../../src/kernel/time.ts'
import { incidents, openPolicies, trail } from '../../support/alarms/alarms.ts'
import type { TestApi } from '../../support/api.ts'
import { openSite } from '../../support/netting/calculation.ts'
import {
  addHours,
  breakPeriod,
  calculateMonths,
  correct,
  makeMonthlyGroup,
} from '../../support/netting/corrections.ts'
import { addFacts, type FactSpec } from '../../support/netting/energy.ts'
import type { TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant } = await openSite())
})
afterAll(() => api.close())
const open = (id: string) => openPolicies(api.deps, tenant, id)

const SPRING = ['2026-03-01', '2026-04-01', '2026-05-01']
async function makeSpring() {
  const created = await makeMonthlyGroup(api.deps, tenant, { 2026: '9000.000' })
  const busy = { production: '30.000', consumption: '10.000' }
  await addHours(
    api.deps,
    tenant,
    created,
    SPRING.map((period) => ({ period, ...busy })),
  )
  await calculateMonths(api.deps, tenant, { groupId: created.group.id, periods: SPRING, hours: 3 })
  return created
}

describe('alarms of a correction', () => {
  it('open when the correction stops and close when the same request completes it', async () => {
    const { group } = await makeSpring()
    const repair = await breakPeriod(api.deps, '2026-04-01')
    const march = { billing_period: '2026-03-01' }
    expect((await correct(api, tenant, group, march)).body.cascade_incomplete).toBe(true)
    await repair()
    expect(await incidents(api.deps, tenant, group.id)).toMatchObject([
      {
        policy: 'netting_cascade_stopped',
        severity: 'critical',
        cause: `group:${group.id}`,
        payload: { group_id: group.id, details: { billing_period: '2026-04-01' } },
      },
    ])
    await correct(api, tenant, group, march)
    expect(await open(group.id)).toEqual([])
  })

  it('open for a failure in the first period and close after a wider correction', async () => {
    const { group } = await makeSpring()
    const repair = await breakPeriod(api.deps, '2026-04-01')
    await correct(api, tenant, group, { billing_period: '2026-04-01' })
    await repair()
    expect(await open(group.id)).toEqual(['netting_correction_failed'])
    await correct(api, tenant, group, { billing_period: '2026-03-01', reason: 'another one' })
    expect(await open(group.id)).toEqual([])
  })

  it('open when the correction after a membership change fails, and keep the change', async () => {
    const { group, consumer } = await makeSpring()
    const path = `/api/mahsuplasma/groups/${group.id}/members`
    const { token } = tenant.admin
    const { body: members } = await api.call('GET', path, { token })
    const { id } = members.find(({ facility_id }: { facility_id: string }) => facility_id === consumer.id)
    const repair = await breakPeriod(api.deps, '2026-04-01')
    const changed = await api.call('PATCH', `${path}/${id}`, { token, body: { valid_to: '2026-04-01' } })
    await repair()
    expect(changed.body.warning_codes).toContain('MEMBER_CHANGE_CORRECTION_FAILED')
    expect(await open(group.id)).toEqual(['netting_member_change_correction_failed'])
    await correct(api, tenant, group, { billing_period: '2026-04-01' })
    expect(await open(group.id)).toEqual([])
  })
})

it('open when a monthly close fails and close when it succeeds', async () => {
  const { group } = await makeSpring()
  const month = { groupId: group.id, billingPeriod: '2026-10-01' }
  const close = (work: () => Promise<string>) => withMonthlyCloseAlarm(api.deps, tenant.id, month, work)
  await expect(close(() => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full')
  expect(await open(group.id)).toEqual(['netting_monthly_close_failed'])
  expect(await close(async () => 'closed')).toBe('closed')
  expect(await open(group.id)).toEqual([])
})

const MONTHS = Array.from({ length: 12 }, (_, index) => addMonths('2025-12-01', index))
const NOON = 9 * HOUR_MS

/** Every hour of twelve months. The consumer is silent in the hours for which `isSilent` returns true. */
async function makeYear(isSilent: (hour: number) => boolean) {
  const created = await makeMonthlyGroup(api.deps, tenant, { 2025: '9000.000', 2026: '1000.000' })
  const range = { from: periodStart('2025-12-01'), to: Date.parse('2026-11-20T09:00:00Z') }
  const facts = hoursOf(range).flatMap((hour): FactSpec[] => {
    const production = hour % (24 * HOUR_MS) === NOON ? '30.000' : '0.000'
    const consumed = {
      facilityId: created.consumer.id,
      hour,
      role: 'main_consumption' as const,
      consumption: '1.000',
    }
    return [
      { facilityId: created.producer.id, hour, role: 'main_production', production },
      ...(isSilent(hour) ? [] : [consumed]),
    ]
  })
  await addFacts(api.deps, tenant, facts)
  for (const month of MONTHS) {
    const request = {
      groupId: created.group.id,
      range: periodRange(month),
      triggeredBy: 'beat',
      startedBy: null,
    } as const
    await calculateRange(api.deps, tenant.id, request)
  }
  return created
}

const dayOf = (date: string) => (hour: number) => {
  const from = Date.parse(`${date}T00:00:00+03:00`)
  return hour >= from && hour < from + 24 * HOUR_MS
}

describe('alarms after the load of a whole year', () => {
  it('reflect the state at the end of the load and ignore past gaps and past exhausted limits', async () => {
    const { group, consumer } = await makeYear(dayOf('2026-07-14'))
    expect(await incidents(api.deps, tenant, group.id)).toEqual([])
    const found = await incidents(api.deps, tenant, consumer.id)
    expect(found).toMatchObject([{ policy: 'netting_limit_exhausted', status: 'active' }])
    expect(await trail(api.deps, found[0]?.id)).toEqual(['raised'])

    // A second load of the same months changes nothing.
    const range = { from: periodStart('2025-12-01'), to: api.clock.now() }
    await calculateRange(api.deps, tenant.id, {
      groupId: group.id,
      range,
      triggeredBy: 'beat',
      startedBy: null,
    })
    expect(await incidents(api.deps, tenant, consumer.id)).toEqual(found)
  })

  it('report the gaps of the month that has just ended until they are filled', async () => {
    const { group, consumer } = await makeYear(dayOf('2026-10-14'))
    const [missing, ...others] = await incidents(api.deps, tenant, group.id)
    expect([missing?.policy, ...others.map(({ policy }) => policy)].sort()).toEqual([
      'netting_bedelsiz_risk',
      'netting_facts_missing',
    ])
    for (const { cause } of [missing, ...others].flatMap((incident) => incident ?? [])) {
      expect(cause).toBe(`group:${group.id}|2026-10-01`)
    }
    const day = { from: Date.parse('2026-10-14T00:00:00+03:00'), to: Date.parse('2026-10-15T00:00:00+03:00') }
    await addFacts(
      api.deps,
      tenant,
      hoursOf(day).map((hour) => ({
        facilityId: consumer.id,
        hour,
        role: 'main_consumption' as const,
        consumption: '1.000',
      })),
    )
    await correct(api, tenant, group, { billing_period: '2026-10-01' })
    expect(await open(group.id)).toEqual([])
  })
})
