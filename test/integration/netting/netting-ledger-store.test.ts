import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balancesAsOf, listLaterUsers } from '../../../src/areas/netting/calculation/ledger-store.ts'
import { formatKwh } from '../../../src/kernel/decimal.ts'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { type TenantDb, tenantDb } from '../../../src/platform/db/tenant.ts'
import { calculate, MONTH, makePair, openSite, read, type Site } from '../../support/netting/calculation.ts'
import { type MemberSpec, makeGroup } from '../../support/netting/netting.ts'

let site: Site
let db: TenantDb
beforeAll(async () => {
  site = await openSite()
  db = tenantDb(site.api.deps.database.kysely, site.tenant.id)
})
afterAll(() => site.api.close())

const instant = (hour: number): number => MONTH + hour * HOUR_MS

describe('the balance of an account as of an hour', () => {
  it('is less by the usage of earlier hours, inside of a run and at its ends', async () => {
    const { group, account = '' } = await makePair('1000.000', 48, () => ['20.000', '5.000'])
    const { body } = await calculate(group, 0, 48)
    const balance = async (hour: number, excluded: readonly string[] = []) => {
      const balances = await balancesAsOf(db, [{ accountId: account, at: instant(hour) }], excluded)
      const found = balances.get(account)
      return found === undefined ? undefined : formatKwh(found)
    }
    // Each hour uses 20 kWh: 5 are matched and 15 are paid surplus.
    const hours = [0, 1, 10, 47, 48, 60]
    expect(await Promise.all(hours.map((hour) => balance(hour)))).toEqual([
      '1000.000',
      '980.000',
      '800.000',
      '60.000',
      '40.000',
      '40.000',
    ])
    const run: string = body.runs[0].id
    expect([await balance(10, [run]), await balance(48, [run])]).toEqual(['1000.000', '1000.000'])
    const foreign = tenantDb(site.api.deps.database.kysely, site.foreignTenant.id)
    expect((await balancesAsOf(foreign, [{ accountId: account, at: instant(0) }], [])).size).toBe(0)
  })
})

describe('the groups whose results depend on the balance of an account from an hour on', () => {
  const limits = { 2026: '1000.000' }
  const consumer: MemberSpec = { role: 'consumption', limits }
  const home = { aboneGrubu: 'mesken' } as const
  /** The hours of the run and the hour from which on the balance changes, from the start of the month. */
  type Hours = readonly [runFrom: number, runTo: number, from: number]
  it.each<[what: string, member: MemberSpec, hours: Hours, isIncluded: boolean]>([
    ['a run that reaches beyond the hour', consumer, [0, 48, 47], true],
    ['no run that ends at the hour', consumer, [0, 48, 48], false],
    ['a run that begins after the hour', consumer, [24, 48, 0], true],
    ['a facility that consumes and produces', { role: 'mixed', limits }, [0, 48, 0], true],
    ['no producer', { role: 'production', limits }, [0, 48, 0], false],
    ['no account of another year', { ...consumer, limits: { 2025: '1.000' } }, [0, 48, 0], false],
    ['no residential group, which uses no limit', { ...consumer, ...home }, [0, 48, 0], false],
    ['a member until after the hour', { ...consumer, validTo: '2026-11-02' }, [0, 48, 23], true],
    ['no member until the hour', { ...consumer, validTo: '2026-11-02' }, [0, 48, 24], false],
    ['no member until the begin of the run', { ...consumer, validTo: '2026-11-02' }, [24, 48, 0], false],
    ['a member from the last hour of the run', { ...consumer, validFrom: '2026-11-02' }, [0, 25, 0], true],
    ['no member from the end of the run', { ...consumer, validFrom: '2026-11-02' }, [0, 24, 0], false],
  ])('include %s', async (_what, member, [runFrom, runTo, from], isIncluded) => {
    // A producer with the same tariff group makes the group residential or not.
    const { aboneGrubu } = member
    const group = await makeGroup(site.api.deps, site.tenant, {
      members: [member, { role: 'production', ...(aboneGrubu !== undefined && { aboneGrubu }) }],
    })
    expect((await calculate(group, runFrom, runTo)).status).toBe(201)
    const accountIds = Object.values(group.facilities[0]?.accounts ?? {})
    const users = (groupId: string) => listLaterUsers(db, { accountIds, from: instant(from), groupId })
    expect((await users(randomUUID())).map(({ id }) => id)).toEqual(isIncluded ? [group.id] : [])
    expect(await users(group.id)).toEqual([])
  })
})

describe('the limits of a monthly summary', () => {
  it('are those of the consumers of the month, and an account below zero counts as zero', async () => {
    const limits = { 2026: '1000.000' }
    const group = await makeGroup(site.api.deps, site.tenant, {
      members: [
        { role: 'production', limits },
        { role: 'consumption', limits },
        { role: 'consumption', limits, validTo: '2026-11-01' },
        { role: 'consumption', limits, validFrom: '2026-12-01' },
        { role: 'consumption', limits: { 2026: '10.000' } },
      ],
    })
    await site.api.deps.database.pool.query(
      `insert into limit_movement (tenant_id, account_id, movement_type, amount_kwh, reason, created_at)
       values ($1, $2, 'manual_adjustment', -30.000, 'a test', '2026-10-01')`,
      [site.tenant.id, group.facilities[4]?.accounts[2026]],
    )
    expect((await calculate(group, 0, 24)).status).toBe(201)
    expect((await read(group, 'monthly-summary')).body).toMatchObject([
      { limit_opening_kwh: '1000.000', limit_used_kwh: '0.000', limit_closing_kwh: '1000.000' },
    ])
  })
})
