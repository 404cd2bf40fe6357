import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/areas/admin/tenants/index.ts'
import {
  addSystemOrganization,
  deactivateSystemOrganization,
  ensureSystemOrganizations,
  ORG_TYPES,
} from '../../../src/areas/netting/index.ts'
import { organizationAdd, organizationDeactivate, organizationList } from '../../../src/cli/organizations.ts'
import { connect } from '../../../src/platform/db/pool.ts'
import { inSystemTx, type SystemTx } from '../../../src/platform/db/tenant.ts'
import { expectSameResponse, type Registry, startRegistry } from '../../support/netting/registry.ts'

let registry: Registry
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

const inTx = <T>(work: (tx: SystemTx) => Promise<T>) => inSystemTx(registry.api.deps.database.kysely, work)

const databaseUrl = (): string => registry.api.deps.database.pool.options.connectionString ?? ''

interface Row {
  id: string
  org_type: string
  name: string
  is_active: boolean
  is_system: boolean
}
const TYPES = ORG_TYPES
const listAll = async (user: Registry['admin'] = registry.admin): Promise<Row[]> =>
  (await user.get('/organizations?include_inactive=true&limit=500')).body

/** The content of the tables, to compare two moments. */
async function contents() {
  const { rows } = await sql`
    select tenant_id, id, org_type, name, is_active, is_system from organization
    union all select null, id, org_type, name, is_active, null from system_organization
    order by 1, 2`.execute(registry.api.deps.database.kysely)
  return rows
}

const ensure = () => ensureSystemOrganizations(registry.api.deps)

describe('system organizations of the seed file', () => {
  it('have the same id in every tenant after a start, and another start changes nothing', async () => {
    await ensure()
    const [own, others] = [await listAll(), await listAll(registry.foreignCaller)]
    const counted = Object.fromEntries(
      TYPES.map((type) => [type, own.filter((row) => row.org_type === type).length]),
    )
    expect(counted).toEqual({
      grid_operator: 1,
      distribution_company: 21,
      retail_company: 0,
      zone_operator: 0,
      meter_reading_org: 22,
      supplier: 21,
    })
    expect(own.every((row) => row.is_system && row.is_active)).toBe(true)
    expect(others.map(({ id }) => id)).toEqual(own.map(({ id }) => id))
    const before = await contents()
    await ensure()
    expect(await contents()).toEqual(before)
  })

  it('are renamed under the same id where an earlier version of the file had another name', async () => {
    const { kysely } = registry.api.deps.database
    const former = 'Limak Uludağ Elektrik Perakende Satış A.Ş.'
    const current = 'Uludağ Perakende Elektrik Satış A.Ş.'
    const before = await contents()
    for (const table of ['organization', 'system_organization'] as const)
      await kysely.updateTable(table).set({ name: former }).where('name', '=', current).execute()
    expect((await listAll()).map(({ name }) => name)).toContain(former)
    await ensure()
    expect(await contents()).toEqual(before)
  })

  it('are read-only: a change is answered like that of an unknown id', async () => {
    const [first] = await listAll()
    const id = first?.id ?? ''
    await expectSameResponse(id, (each) =>
      registry.admin.patch(`/organizations/${each}`, { is_active: false }),
    )
    expect((await listAll()).find((row) => row.id === id)).toEqual(first)
  })

  it('are inserted once when several processes start together while tenants are created', async () => {
    const { deps } = registry.api
    await sql`delete from organization where is_system`.execute(deps.database.kysely)
    await sql`delete from system_organization`.execute(deps.database.kysely)
    const others = [1, 2].map(() => connect({ url: databaseUrl(), maxConnections: 2 }))
    const make = (number: number) =>
      inTx((tx) =>
        createTenant(tx, {
          name: `Made meanwhile ${number}`,
          admin: {
            email: `meanwhile-${number}@example.test`,
            passwordHash: 'no login',
            isEmailVerified: true,
          },
        }),
      )
    await Promise.all([
      ensure(),
      ...others.map((database) => ensureSystemOrganizations({ ...deps, database })),
      ...[1, 2, 3, 4].map(make),
    ])
    await Promise.all(others.map((database) => database.close()))
    const { rows } = await sql<{ count: number }>`
      select coalesce(o.count, 0)::int as count from tenant t
      left join (
        select tenant_id, count(*) from organization where is_system group by tenant_id
      ) o on o.tenant_id = t.id`.execute(deps.database.kysely)
    expect(rows.length).toBeGreaterThanOrEqual(6)
    expect(rows.every(({ count }) => count === 65)).toBe(true)
  })
})

describe('a system organization added by an operator', () => {
  const named = { orgType: 'zone_operator', name: 'Ege OSB' } as const
  const copies = async (id: string) =>
    (await listAll()).concat(await listAll(registry.foreignCaller)).filter((row) => row.id === id)

  it('reaches every tenant, and stays inactive in all after deactivation until it is added again', async () => {
    const { id, instead } = await inTx((tx) => addSystemOrganization(tx, named))
    expect(instead).toEqual([])
    expect(await copies(id)).toMatchObject([{ is_active: true }, { is_active: true }])
    await inTx((tx) => deactivateSystemOrganization(tx, id))
    await ensure()
    expect(await copies(id)).toMatchObject([{ is_active: false }, { is_active: false }])
    expect((await inTx((tx) => addSystemOrganization(tx, named))).id).toBe(id)
    expect(await copies(id)).toMatchObject([{ is_active: true }, { is_active: true }])
  })

  it('waits while a tenant has one of the same type and name, and is added after that is renamed', async () => {
    const own = await registry.admin.post('/organizations', { org_type: 'zone_operator', name: 'Batı OSB' })
    const { id, instead } = await inTx((tx) =>
      addSystemOrganization(tx, { orgType: 'zone_operator', name: 'Batı OSB' }),
    )
    expect(instead).toMatchObject([{ name: 'Batı OSB' }])
    expect((await listAll()).filter(({ name }) => name === 'Batı OSB')).toEqual([own.body])
    expect(await copies(id)).toHaveLength(1)
    await inTx((tx) => deactivateSystemOrganization(tx, id))
    expect((await listAll()).find((row) => row.id === own.body.id)?.is_active).toBe(true)
    const renamed = await registry.admin.patch(`/organizations/${own.body.id}`, { name: 'Bizim OSB' })
    expect(renamed.status).toBe(200)
    await ensure()
    expect(await copies(id)).toHaveLength(2)
  })
})

describe('a tenant during its creation', () => {
  it('gets the organizations added meanwhile', async () => {
    const events = new EventEmitter()
    const [started, released] = [once(events, 'begun'), once(events, 'released')]
    const making = inTx(async (tx) => {
      const admin = { email: 'in-the-making@example.test', passwordHash: 'no login', isEmailVerified: true }
      const { tenantId } = await createTenant(tx, { name: 'In the making', admin })
      events.emit('begun')
      await released
      return tenantId
    })
    await started
    const adding = inTx((tx) => addSystemOrganization(tx, { orgType: 'supplier', name: 'Meanwhile' }))
    await Promise.race([adding, sleep(200)])
    events.emit('released')
    const [tenantId, { id }] = await Promise.all([making, adding])
    const copy = await registry.api.deps.database.kysely
      .selectFrom('organization')
      .select('is_system')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst()
    expect(copy).toEqual({ is_system: true })
  })
})

describe('netsaat organization', () => {
  async function run(command: typeof organizationList, args: { options?: object; positionals?: string[] }) {
    const lines: string[] = []
    const { options = {}, positionals = [] } = args
    const io = {
      out: (line: string) => lines.push(line),
      err: () => {},
      readInput: async () => '',
      now: () => 0,
    }
    const env = { DATABASE_URL: databaseUrl() }
    const code = await command.run({
      options: { ...options },
      positionals,
      rest: [],
      command: 'organization',
      env,
      io,
    })
    return { code, lines }
  }

  it('lists, adds and deactivates', async () => {
    const added = await run(organizationAdd, { options: { type: 'supplier', name: 'Yeni Tedarik A.Ş.' } })
    const id = /[0-9a-f-]{36}/.exec(added.lines.join())?.[0] ?? ''
    expect(added.code).toBe(0)
    const lineOf = async () =>
      (await run(organizationList, {})).lines.find((line) => line.startsWith(id)) ?? ''
    expect(await lineOf()).toMatch(/supplier +active +\d+ {2}Yeni Tedarik A\.Ş\.$/)
    expect((await run(organizationDeactivate, { positionals: [id] })).lines).toEqual([
      'Yeni Tedarik A.Ş. (supplier) is inactive in every tenant.',
    ])
    expect(await lineOf()).toContain('inactive')
    const unknown = '00000000-0000-4000-8000-000000000000'
    await expect(run(organizationDeactivate, { positionals: [unknown] })).rejects.toThrow(unknown)
  })
})
