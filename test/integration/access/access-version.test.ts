import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findByText } from '../../../src/areas/access/api-keys/store.ts'
import { findPrincipal } from '../../../src/areas/access/auth/store.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { createAccount, login } from '../../support/accounts.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const FIND_VERSION = 'select version from access_version where tenant_id = $1'
const PERMISSIONS = ['read:device', 'read:region'] as const

let api: TestApi
let tenant: TestTenant
let url: string
let client: pg.Client
/** The databases of two processes, which keep what they read apart. */
let processes: readonly Database[]

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
  url = api.deps.database.pool.options.connectionString ?? ''
  client = new pg.Client({ connectionString: url })
  await client.connect()
  processes = [connect({ url }), connect({ url })]
})
afterAll(async () => {
  await client.end()
  for (const database of processes) await database.close()
  await api.close()
})

interface Member {
  readonly id: string
  readonly roleId: string
  readonly key: string
  readonly keyId: string
  readonly owner: TestTenant
}

/** A user with one role of its own and an API key. */
async function createMember(owner = tenant): Promise<Member> {
  const { token } = owner.admin
  const role = await api.call('POST', '/api/roles', {
    token,
    body: { name: randomUUID(), permissions: PERMISSIONS },
  })
  const { id, email } = await createAccount(api, owner, { role_ids: [role.body.id] })
  const key = await api.call('POST', '/api/api-keys', {
    token: (await login(api, email)).body.access_token,
    body: { name: 'key', permissions: PERMISSIONS, expires_in_days: 30 },
  })
  expect(key.status, key.text).toBe(201)
  return { id, roleId: role.body.id, key: key.body.key, keyId: key.body.id, owner }
}

/** What each process finds: the permissions of the user and those of its key; undefined for one that is refused. */
const findRights = ({ owner, id, key }: Member) =>
  Promise.all(
    processes.map(async (database) => {
      const user = await findPrincipal({ database }, owner.uid, id)
      const found = await findByText({ database, nodeReads: undefined, replicas: undefined }, key)
      return {
        user: user && [...user.permissions].toSorted(),
        isSuperuser: user?.isSuperuser,
        mustEnrolTotp: user?.mustEnrolTotp,
        key: found?.is_tenant_active ? found.permissions.toSorted() : undefined,
      }
    }),
  )

/** The texts of the statements of the first process while `work` runs. */
async function watchStatements(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn((processes[0] as Database).pool, 'query')
  await work()
  const texts = query.mock.calls.map(([statement]) => (statement as unknown as pg.QueryConfig).text)
  query.mockRestore()
  return texts
}

const versionOf = async (tenantId: number) => (await client.query(FIND_VERSION, [tenantId])).rows[0]?.version

const send = async (method: string, path: string, body?: object, token = tenant.superuser.token) => {
  const response = await api.call(method, path, { token, ...(body && { body }) })
  expect(response.status, response.text).toBeLessThan(300)
}
const execute = (text: string, ...values: unknown[]) => client.query(text, values)

const ALL = { user: PERMISSIONS, isSuperuser: false, mustEnrolTotp: false, key: PERMISSIONS }
const NONE = { user: undefined, isSuperuser: undefined, mustEnrolTotp: undefined, key: undefined }

describe('the rights of users and API keys', () => {
  it('are read again only when the access version of their tenant has changed', async () => {
    const member = await createMember()
    expect(await findRights(member)).toEqual([ALL, ALL])
    expect(await watchStatements(() => findRights(member))).toEqual([FIND_VERSION, FIND_VERSION])
    await send('PUT', `/api/roles/${member.roleId}`, { permissions: ['read:device'] })
    const texts = await watchStatements(() => findRights(member))
    expect(texts).toHaveLength(4)
    expect(await watchStatements(() => findRights(member))).toEqual([FIND_VERSION, FIND_VERSION])
  })

  it.each<readonly [string, (member: Member) => Promise<unknown>, object]>([
    [
      'permissions of a role',
      ({ roleId }) => send('PUT', `/api/roles/${roleId}`, { permissions: ['read:device'] }),
      { user: ['read:device'], key: ['read:device'] },
    ],
    ['roles of a user', ({ id }) => send('PUT', `/api/users/${id}`, { role_ids: [] }), { user: [], key: [] }],
    ['deactivation of a user', ({ id }) => send('PUT', `/api/users/${id}`, { is_active: false }), NONE],
    ['deletion of a user', ({ id }) => send('DELETE', `/api/users/${id}`), NONE],
    [
      'rights of an operator',
      ({ id }) => send('PUT', `/api/users/${id}`, { is_superuser: true }),
      { isSuperuser: true },
    ],
    [
      'permissions of a key',
      ({ keyId, owner }) =>
        execute(
          `update api_key set permissions = '{read:region}' where tenant_id = $1 and id = $2`,
          owner.id,
          keyId,
        ),
      { key: ['read:region'] },
    ],
    [
      'deletion of a key',
      ({ keyId, owner }) => execute('delete from api_key where tenant_id = $1 and id = $2', owner.id, keyId),
      { key: undefined },
    ],
  ])('follow a change with the next read of every process: %s', async (_what, change, expected) => {
    const member = await createMember()
    expect(await findRights(member)).toEqual([ALL, ALL])
    await change(member)
    const after = { ...ALL, ...expected }
    expect(await findRights(member)).toEqual([after, after])
  })

  it('follow changes of the tenant and of one-time passwords', async () => {
    const member = await createMember(await createTenant(api))
    const { owner, id } = member
    expect(await findRights(member)).toEqual([ALL, ALL])
    await execute('update tenant set require_totp = true where id = $1', owner.id)
    const enrolling = { ...ALL, mustEnrolTotp: true }
    expect(await findRights(member)).toEqual([enrolling, enrolling])
    await execute(
      `insert into user_totp (tenant_id, user_id, secret_sealed, created_at) values ($1, $2, 'x', now())`,
      owner.id,
      id,
    )
    expect(await findRights(member)).toEqual([enrolling, enrolling])
    await execute(
      'update user_totp set confirmed_at = now() where tenant_id = $1 and user_id = $2',
      owner.id,
      id,
    )
    expect(await findRights(member)).toEqual([ALL, ALL])
    expect(await watchStatements(() => findRights(member))).toEqual([FIND_VERSION, FIND_VERSION])
    await execute('delete from user_totp where tenant_id = $1 and user_id = $2', owner.id, id)
    expect(await findRights(member)).toEqual([enrolling, enrolling])
    await execute('update tenant set is_active = false where id = $1', owner.id)
    expect(await findRights(member)).toEqual([NONE, NONE])
    await execute('update tenant set is_active = true, require_totp = false where id = $1', owner.id)
    expect(await findRights(member)).toEqual([ALL, ALL])
  })

  it('are those of each commit when two transactions change them at the same time', async () => {
    const member = await createMember()
    const other = await createMember()
    const second = new pg.Client({ connectionString: url })
    await second.connect()
    onTestFinished(() => second.end())
    const revoke = `update role set permissions = '{}' where tenant_id = $1 and id = $2`
    expect(await findRights(member)).toEqual([ALL, ALL])
    expect(await findRights(other)).toEqual([ALL, ALL])
    await client.query('begin')
    await client.query(revoke, [tenant.id, member.roleId])
    await second.query('begin')
    // The second transaction waits for the first one: both renew the version of the tenant.
    const waiting = second.query(revoke, [tenant.id, other.roleId])
    expect(await findRights(member)).toEqual([ALL, ALL])
    await client.query('commit')
    await waiting
    const revoked = { ...ALL, user: [], key: [] }
    expect(await findRights(member)).toEqual([revoked, revoked])
    expect(await findRights(other)).toEqual([ALL, ALL])
    await second.query('commit')
    expect(await findRights(other)).toEqual([revoked, revoked])
  })

  it('stay known through a rollback, a sign-in and the use of a key', async () => {
    const member = await createMember()
    const version = await versionOf(tenant.id)
    expect(version).toMatch(/^[0-9a-f-]{36}$/)
    await client.query('begin')
    await execute(
      `update role set permissions = '{}' where tenant_id = $1 and id = $2`,
      tenant.id,
      member.roleId,
    )
    expect(await versionOf(tenant.id)).not.toBe(version)
    await client.query('rollback')
    await execute(
      'update app_user set last_login_at = now() where tenant_id = $1 and id = $2',
      tenant.id,
      member.id,
    )
    await send('GET', '/api/devices', undefined, member.key)
    await api.deps.background.drain()
    expect(await versionOf(tenant.id)).toBe(version)
  })
})
