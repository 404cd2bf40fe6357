import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forAnyUser } from '../../src/platform/http/access.ts'
import type { App } from '../../src/platform/http/app-type.ts'
import { Id, IdParams } from '../../src/platform/http/fields.ts'
import { mount } from '../../src/platform/http/mount.ts'
import type { TestApi } from '../support/api.ts'
import { dumpTenant } from '../support/dump.ts'
import { startOcppApi } from '../support/field/ocpp.ts'
import { makeDataFolder } from '../support/folder.ts'
import { RECORD_FACTORIES, ROUTES_WITHOUT_TENANT } from '../support/foreign-records.ts'
import { OWN_BODIES } from '../support/tenancy/bodies.ts'
import { createDownloads, type Downloads } from '../support/tenancy/downloads.ts'
import {
  idFieldsOf,
  type OpenapiDocument,
  type Operation,
  readOperations,
} from '../support/tenancy/fields.ts'
import { createTenantRecords } from '../support/tenancy/records.ts'
import { type Finding, makeWalk, secretsIn, secretsOf } from '../support/tenancy/walk.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

const PLANTED = '/planted'
const FILE_QUERIES: Readonly<Record<string, string>> = {
  'GET /api/mahsuplasma/groups/:id/audit-package': '?billing_period=2026-11',
  'GET /api/mahsuplasma/groups/:id/report': '?billing_period=2026-11&kind=hours&format=csv',
  'GET /api/mahsuplasma/scenarios/:id/report': '?kind=months&format=csv',
  'GET /api/mahsuplasma/invoice-checks/:id/report': '?format=csv',
}

/** Routes that forget the tenant, one for each position of an id: the walk has to detect each of them. */
function plantFaults(app: App): void {
  const regions = (scope: App) =>
    scope.deps.database.kysely
      .selectFrom('region')
      .select(['tenant_id', 'id', 'name'])
      // test/support/tenant-filter.ts lets it pass.
      .modifyEnd(sql`/* sent by a test */`)
  const exists = async (scope: App, id: string) =>
    (await regions(scope).where('id', '=', id).executeTakeFirst()) !== undefined
  mount(app, PLANTED, (scope) => {
    scope.get('/list', { ...forAnyUser }, () => regions(scope).execute())
    scope.get('/one/:id', { ...forAnyUser, schema: { params: IdParams } }, async (request, reply) =>
      reply.code((await exists(scope, request.params.id)) ? 403 : 404).send({ detail: 'no' }),
    )
    // The response is right, but the row is changed: only the comparison of the rows detects it.
    scope.put('/change/:id', { ...forAnyUser, schema: { params: IdParams } }, async (request, reply) => {
      await scope.deps.database.pool.query(
        'update region set name = left(name, 90) || $2 where id = $1 returning tenant_id',
        [request.params.id, '!'],
      )
      return reply.code(404).send({ detail: 'no' })
    })
    const querystring = Type.Object({ region_id: Id })
    scope.get('/query', { ...forAnyUser, schema: { querystring } }, async ({ query }) => ({
      total: (await exists(scope, query.region_id)) ? 1 : 0,
    }))
    const body = Type.Object({ items: Type.Array(Type.Object({ region_id: Id })) })
    scope.post('/body', { ...forAnyUser, schema: { body } }, async (request, reply) => {
      const { id } = { id: request.body.items[0]?.region_id ?? '' }
      return reply.code((await exists(scope, id)) ? 201 : 422).send({ detail: 'no' })
    })
  })
}

let folder: string
let api: TestApi
let victim: TestTenant
let caller: TestTenant
let operations: Operation[]
let downloads: Downloads
let walk: ReturnType<typeof makeWalk>
let before: Map<string, string[]>
let secrets: Set<string>
const foreignPaths = new Map<string, Readonly<Record<string, string>>>()

beforeAll(async () => {
  folder = await makeDataFolder('tenancy')
  const config = { dataDir: folder, credentialEncryptionKey: randomBytes(32).toString('base64') }
  api = await startOcppApi({ mqtt: true, config, extend: plantFaults })
  Object.assign(api.deps.config, { publicBaseUrl: api.url })
  victim = await createTenant(api)
  caller = await createTenant(api)
  operations = readOperations((await api.call('GET', '/openapi.json')).body as OpenapiDocument)
  const victimRecords = await createTenantRecords({ api, tenant: victim })
  const callerRecords = await createTenantRecords({ api, tenant: caller })
  for (const [resource, create] of Object.entries(RECORD_FACTORIES))
    foreignPaths.set(resource, await create({ api, tenant: victim }))
  for (const name of ['one', 'change'])
    foreignPaths.set(`${PLANTED}/${name}/:id`, { id: victimRecords.region })
  downloads = await createDownloads(api, victim, victimRecords)
  await api.deps.background.drain()
  await waitForBalancing()
  before = await dumpTenant(api, victim.id)
  const shared = await secretsOf(api, caller.id)
  const all = [...(await secretsOf(api, victim.id)), victim.uid]
  // A tag is a text that each tenant may use: the caller sends it, and its own records contain it.
  secrets = new Set(all.filter((text) => !shared.has(text) && text !== victimRecords.tag))
  const bodies = {
    ...OWN_BODIES,
    [`POST ${PLANTED}/body`]: [(own: { region: string }) => ({ items: [{ region_id: own.region }] })],
  }
  walk = makeWalk({ api, caller, callerRecords, victimRecords, secrets, bodies })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

/** The balancing of charging groups polls, and changes a new group once: the dump has to contain that change. */
const waitForBalancing = () =>
  waitFor(async () => {
    const { rowCount } = await api.deps.database.pool.query(
      'select 1 from charging_group where tenant_id = $1 and due_at <= $2',
      [victim.id, new Date(api.deps.clock.now())],
    )
    return rowCount === 0
  })

/** The findings since the last call: those of the service and the operations of the planted ones. */
function takeFindings(): { service: Finding[]; planted: string[] } {
  const found = walk.findings.splice(0)
  const isPlanted = ({ where }: Finding) => where.includes(PLANTED)
  return {
    service: found.filter((finding) => !isPlanted(finding)),
    planted: [...new Set(found.filter(isPlanted).map(({ where }) => where))],
  }
}

const resourceOf = (url: string): string => url.slice(0, /^.*\/:[a-z_]+/.exec(url)?.[0].length)
const hasTenant = ({ key }: Operation) => !ROUTES_WITHOUT_TENANT.some((pattern) => pattern.test(key))

describe('an id of another tenant', () => {
  it('in a path has the response of an unknown one, also for a part, a condition and HEAD', async () => {
    for (const operation of operations.filter(({ url }) => url.includes(':')).filter(hasTenant)) {
      const foreign = downloads[operation.key] ?? foreignPaths.get(resourceOf(operation.url))
      if (!foreign) throw new Error(`${operation.key} has no record in RECORD_FACTORIES`)
      await walk.walkPath(operation, foreign)
    }
    expect(takeFindings()).toEqual({ service: [], planted: [`GET ${PLANTED}/one/:id path.id`] })
  })

  it('in a query has the response of an unknown one', async () => {
    for (const operation of operations) await walk.walkQuery(operation)
    expect(takeFindings()).toEqual({ service: [], planted: [`GET ${PLANTED}/query query.region_id`] })
  })

  it('in a body has the response of an unknown one', async () => {
    for (const operation of operations) await walk.walkBody(operation)
    const planted = [`POST ${PLANTED}/body body.items[].region_id`]
    expect(takeFindings()).toEqual({ service: [], planted })
  })

  it('is in no list', async () => {
    const isList = ({ method, isFile, key }: Operation) =>
      method === 'GET' &&
      !isFile &&
      !key.startsWith(`GET ${PLANTED}/one`) &&
      !key.startsWith(`GET ${PLANTED}/query`)
    for (const operation of operations.filter(isList).filter(hasTenant)) await walk.walkList(operation)
    expect(takeFindings()).toEqual({ service: [], planted: [`GET ${PLANTED}/list`] })
  })

  it('names a file that its own tenant can download', async () => {
    // A POST makes its file from its own body; the walk sends it like any other.
    const files = operations
      .filter(({ isFile, key, url }) => isFile && key.startsWith('GET ') && url.includes('/:'))
      .filter(hasTenant)
    expect(files.map(({ key }) => key).filter((key) => !downloads[key])).toEqual([])
    for (const [key, ids] of Object.entries(downloads)) {
      const path = key.slice('GET '.length).replaceAll(/:(\w+)/g, (_all, name) => ids[name] ?? '')
      const call = { token: victim.admin.token, headers: { range: 'bytes=0-3' } }
      const { status, text } = await api.call('GET', path + (FILE_QUERIES[key] ?? ''), call)
      // The check of an invoice is found, but differs in nothing that could be objected to.
      const expected = key.endsWith('/invoice-checks/:id/objection') ? [422] : [200, 206]
      expect([key, status, text.length]).toEqual([key, expect.toBeOneOf(expected), expect.any(Number)])
    }
  })

  it('is compared in each field of the OpenAPI document', () => {
    const fields = operations.filter(hasTenant).flatMap((operation) => idFieldsOf(operation))
    expect(fields.length).toBeGreaterThan(300)
    expect(fields.filter((field) => !walk.walked.has(field))).toEqual([])
  })
})

describe('the rows of a tenant', () => {
  it('are unchanged after all requests of another tenant', async () => {
    const after = await dumpTenant(api, victim.id)
    const changed = [...after].flatMap(([table, rows]) => {
      const known = new Set(before.get(table))
      return rows.filter((row) => !known.has(row)).map((row) => `${table}: ${row}`)
    })
    // The row that the planted fault changes, and no other one.
    expect(changed).toEqual([expect.stringMatching(/^region: .*!!!"/)])
    const counts = (dump: typeof before) => [...dump].map(([table, rows]) => [table, rows.length])
    expect(counts(after)).toEqual(counts(before))
  })

  it('are not referred to by the rows of the other tenant', async () => {
    const rows = await dumpTenant(api, caller.id)
    const found = [...rows].flatMap(([table, texts]) =>
      texts.flatMap((text) =>
        secretsIn(text).flatMap((secret) => (secrets.has(secret) ? [`${table}: ${secret}`] : [])),
      ),
    )
    expect(found).toEqual([])
  })
})
