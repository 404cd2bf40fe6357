import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { type Car, Site } from '../../support/charging/power-balancing.ts'
import { callsOf } from '../../support/charging/smart-charging.ts'
import { createCharger } from '../../support/field/ocpp.ts'
import { waitFor } from '../../support/wait-for.ts'

let api: TestApi
let site: Site
beforeAll(async () => {
  api = await Site.startApi()
})
beforeEach(async () => {
  site = await Site.open(api)
})
afterEach(() => site.close())
afterAll(() => api.close())

describe('chargers of a group', () => {
  it('belong to one group, accept no other station-wide limit, and leave with their limit cleared', async () => {
    const cars = [await site.car(), await site.car()]
    const [a, b] = cars as [Car, Car]
    const { id } = await site.group(10, cars)
    await site.waitForLimits(cars, [1_400, 1_400], 10_000)
    const second = await site.smart.call('POST', '/charging-groups', {
      name: 'another',
      limit_kw: 5,
      members: [{ charger_id: a.charger.id, max_kw: 22 }],
    })
    expect([second.status, second.body.error_code]).toEqual([409, 'CHARGER_IN_GROUP'])
    const schedule = { unit: 'W', periods: [{ start_second: 0, limit: 20_000 }] }
    const profiles = `/chargers/${a.charger.id}/charging-profiles`
    const limit = await site.smart.call('POST', profiles, { purpose: 'charge_point_max', schedule })
    expect(limit.body.error_code).toBe('CHARGER_IN_GROUP')
    expect((await site.smart.call('POST', `${profiles}/clear`, {})).body.error_code).toBe('CHARGER_IN_GROUP')
    await site.smart.post(profiles, { purpose: 'tx_default', schedule })

    const left = await site.smart.call('PUT', `/charging-groups/${id}`, {
      limit_kw: 4,
      members: [{ charger_id: b.charger.id, max_kw: 22 }],
    })
    expect(left.body.members.map(({ charger_id }: { charger_id: string }) => charger_id)).toEqual([
      b.charger.id,
    ])
    await waitFor(() => callsOf(a.station, 'ClearChargingProfile').some(({ id: number }) => number === 1))
    await b.start()
    await site.waitForLimits([b], [4_000], 4_000)
    expect((await site.smart.call('DELETE', `/charging-groups/${id}`)).status).toBe(204)
    await waitFor(() => callsOf(b.station, 'ClearChargingProfile').some(({ id: number }) => number === 1))
    expect((await site.smart.call('GET', `/charging-groups/${id}`)).status).toBe(404)
  })

  it('are listed, changed and validated', async () => {
    const car = await site.car()
    const created = await site.group(10, [car])
    const list = await site.smart.get('/charging-groups')
    expect(list).toMatchObject({ total: 1, items: [{ id: created.id, member_count: 1, limit_kw: 10 }] })
    const code = async (change: object) => {
      const { status, body } = await site.smart.call('POST', '/charging-groups', {
        name: 'new',
        limit_kw: 10,
        ...change,
      })
      return [status, body.error_code ?? body.detail?.[0]?.loc]
    }
    expect(await code({ name: created.name })).toEqual([409, 'DUPLICATE_ENTRY'])
    expect(await code({ limit_kw: 0 })).toEqual([422, ['body', 'limit_kw']])
    expect(await code({ subregion_id: site.tenant.admin.id })).toEqual([422, 'INVALID_REFERENCE'])
    const otherCharger = { charger_id: site.tenant.admin.id, max_kw: 5 }
    expect(await code({ members: [otherCharger] })).toEqual([422, 'INVALID_REFERENCE'])
    const twice = { charger_id: car.charger.id, max_kw: 5 }
    expect(await code({ members: [twice, twice] })).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    const renamed = await site.smart.call('PUT', `/charging-groups/${created.id}`, {
      name: 'renamed',
      split: 'by_need',
    })
    expect(renamed.body).toMatchObject({ name: 'renamed', split: 'by_need', limit_kw: 10 })
  })
})

describe('a charger that is removed from its group', () => {
  const states = ({ members }: { members: { charger_id: string; state: string; may_draw_kw: number }[] }) =>
    new Map(members.map((member) => [member.charger_id, [member.state, member.may_draw_kw]]))

  it('counts with its allowed power until it is removed', async () => {
    const cars = [await site.car(), await site.car()]
    const [a, b] = cars as [Car, Car]
    const { id } = await site.group(10, cars)
    await site.waitForLimits(cars, [1_400, 1_400], 10_000)
    await a.start()
    await site.waitForLimits(cars, [8_600, 1_400], 10_000)
    await site.settled(id)
    // The session has ended for the service, but the charger has not received its new limit yet.
    a.obeys = () => 'Rejected'
    await a.stop()
    expect((await site.smart.call('DELETE', `/chargers/${a.charger.id}`)).status).toBe(204)
    await a.station.closed()
    await b.start()
    // The limit being sent at the disconnect counts too: the charger keeps drawing what it has.
    const standing = await site.smart.until(`/charging-groups/${id}`, (group) => group.may_draw_kw === 10)
    expect(states(standing).get(a.charger.id)).toEqual(['removed', 8.6])
    expect(states(standing).get(b.charger.id)?.[1]).toBe(1.4)
    expect([a.limit, b.limit]).toEqual([8_600, 1_400])
    // Its share expires and only the fallback limit remains.
    await site.advanceAndBalance(id, 17 * 60_000, [b])
    await site.waitForLimits(cars, [1_400, 8_600], 10_000)
    const lapsed = await site.smart.get(`/charging-groups/${id}`)
    expect(states(lapsed).get(a.charger.id)).toEqual(['removed', 1.4])

    const put = (members: readonly Car[], fields: object = {}) =>
      site.smart.call('PUT', `/charging-groups/${id}`, {
        members: members.map(({ charger }) => ({ charger_id: charger.id, max_kw: 22 })),
        ...fields,
      })
    // Written back unchanged, the member stays; left out, it is removed and the others get its share.
    const stored = await put(cars, { name: 'renamed' })
    expect([stored.status, stored.body.members.length]).toEqual([200, 2])
    const left = await put([b])
    expect(left.body.members.map(({ charger_id }: { charger_id: string }) => charger_id)).toEqual([
      b.charger.id,
    ])
    await site.advanceAndBalance(id, 31_000, [b])
    await site.waitForLimits([b], [10_000], 10_000)
  })

  it('is removed at once if it never connected, and automatically if its limit is zero', async () => {
    const otherCharger = await createCharger(api, site.tenant)
    const members = [{ charger_id: otherCharger.id, max_kw: 22 }]
    const chargingGroup = await site.group(50, [], { name: 'of a charger that never came', members })
    expect(chargingGroup.may_draw_kw).toBe(22)
    expect((await site.smart.call('DELETE', `/chargers/${otherCharger.id}`)).status).toBe(204)
    expect((await site.smart.get(`/charging-groups/${chargingGroup.id}`)).members).toEqual([])

    const cars = [await site.car(), await site.car(), await site.car()]
    const [a] = cars as [Car, Car, Car]
    // The minimum is not available for all members: those without a limit may draw nothing.
    const { id } = await site.group(3, cars)
    await site.waitForLimits(cars, [0, 0, 0], 3_000)
    await site.settled(id)
    expect((await site.smart.call('DELETE', `/chargers/${a.charger.id}`)).status).toBe(204)
    const left = await site.smart.until(`/charging-groups/${id}`, (group) => group.members.length === 2)
    expect([...states(left).keys()]).not.toContain(a.charger.id)
  })
})
