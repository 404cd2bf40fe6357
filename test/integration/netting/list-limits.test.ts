import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Registry, startRegistry } from '../../support/netting/registry.ts'

let registry: Registry
let year: number

beforeAll(async () => {
  registry = await startRegistry()
  year = new Date(registry.api.clock.now()).getUTCFullYear()
})
afterAll(() => registry.close())

type Listed = Readonly<Record<string, unknown>> & { readonly id: string }
const listed = async (path: string, id: string): Promise<Listed | undefined> => {
  const { status, body } = await registry.viewer.get(path)
  expect(status).toBe(200)
  return body.find((one: Listed) => one.id === id)
}

async function account(facility_id: string, of: number, initial: number): Promise<string> {
  const body = { facility_id, year: of, initial_limit_kwh: initial, limit_source: 'manual' }
  const created = await registry.admin.post('/limits/accounts', body)
  expect(created.status).toBe(201)
  return created.body.id
}
const adjust = (id: string, amount_kwh: string) =>
  registry.admin.post(`/limits/accounts/${id}/adjust`, { amount_kwh, reason: 'a reason' })

describe('include=limits', () => {
  it('adds the used and the remaining limit to accounts, and nothing without it', async () => {
    const { id: facility } = await registry.facility()
    const id = await account(facility, year, 100)
    await adjust(id, '-30.5')
    const plain = await listed(`/limits/accounts?facility_id=${facility}`, id)
    expect(plain).not.toHaveProperty('remaining_limit_kwh')
    expect(await listed(`/limits/accounts?facility_id=${facility}&include=limits`, id)).toEqual({
      ...plain,
      used_limit_kwh: '0.000',
      remaining_limit_kwh: '69.500',
    })
    expect((await registry.viewer.get('/limits/accounts?include=everything')).status).toBe(422)
  })

  it('subtracts what calculations have booked, without reversed usage', async () => {
    const { id: facility } = await registry.facility()
    const id = await account(facility, year, 100)
    for (const [type, amount] of [
      ['mahsuplasan_consumption', '-20'],
      ['bedelli_ihtiyac_fazlasi', '-10.25'],
      ['correction_reversal', '20'],
    ])
      await registry.api.deps.database.pool.query(
        `insert into limit_movement (tenant_id, account_id, movement_type, amount_kwh, created_at)
         values ($1, $2, $3, $4, now())`,
        [registry.ownTenant.id, id, type, amount],
      )
    await adjust(id, '5')
    expect(await listed(`/limits/accounts?facility_id=${facility}&include=limits`, id)).toMatchObject({
      used_limit_kwh: '10.250',
      remaining_limit_kwh: '94.750',
    })
  })

  it('adds the limit of the current year to facilities', async () => {
    const { id: facility, subregionId } = await registry.facility()
    const path = `/facilities?subregion_id=${subregionId}`
    const plain = await listed(path, facility)
    expect(plain).not.toHaveProperty('limits')
    await account(facility, year - 1, 500)
    expect(await listed(`${path}&include=limits`, facility)).toEqual({ ...plain, limits: null })
    const id = await account(facility, year, 100)
    await adjust(id, '-130')
    expect(await listed(`${path}&include=limits`, facility)).toEqual({
      ...plain,
      limits: {
        ...{ account_id: id, year, initial_limit_kwh: '100.000' },
        ...{ used_limit_kwh: '0.000', remaining_limit_kwh: '-30.000' },
      },
    })
  })

  it('adds the limits of the consumers of today to groups', async () => {
    const { body: group } = await registry.admin.post('/groups', { name: 'İçerik' })
    const path = '/groups?search=içerik&include=limits'
    expect(await listed(path, group.id)).toMatchObject({
      limits: { year, consumers: 0, used_limit_kwh: null, remaining_limit_kwh: null },
    })
    const roles = ['consumption', 'mixed', 'consumption', 'production', 'consumption']
    for (const [index, member_role] of roles.entries()) {
      const { id: facility_id } = await registry.facility({ valid_from: '2026-11-01' })
      const ended = index === 4 ? { valid_to: '2026-11-02' } : {}
      const member = { facility_id, member_role, valid_from: '2026-11-01', ...ended }
      const added = await registry.admin.post(`/groups/${group.id}/members`, member)
      expect([added.text, added.status]).toEqual([expect.anything(), 201])
      if (index === 2) continue
      const id = await account(facility_id, year, 100)
      if (index === 1) await adjust(id, '-130')
    }
    expect(await listed(path, group.id)).toMatchObject({
      limits: {
        ...{ year, consumers: 3, consumers_without_account: 1 },
        ...{ used_limit_kwh: '0.000', remaining_limit_kwh: '100.000' },
      },
    })
    expect(await listed('/groups?search=içerik', group.id)).not.toHaveProperty('limits')
    const foreign = await registry.foreignCaller.get(path)
    expect(foreign.body).toEqual([])
  })
})
