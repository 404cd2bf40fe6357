import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forAnyUser } from '../../src/platform/http/access.ts'
import { IdParams } from '../../src/platform/http/fields.ts'
import { mount } from '../../src/platform/http/mount.ts'
import { type ApiResponse, startApi, type TestApi } from '../support/api.ts'
import type { ForeignFixture } from '../support/foreign-fixture.ts'
import { BODIES, QUERIES, RECORD_FACTORIES, ROUTES_WITHOUT_TENANT } from '../support/foreign-records.ts'
import { type Route, routeCollector } from '../support/routes.ts'
import { idsInPath } from '../support/tenancy/path-ids.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'

const LEAKY = '/planted/:id'
const collector = routeCollector()
let api: TestApi
let tenantA: TestTenant
let tenantB: TestTenant

beforeAll(async () => {
  api = await startApi({
    onRoute: collector.onRoute,
    // Answers an existing foreign record differently from an unknown one: the walk has to detect it.
    extend: (app) =>
      mount(app, '', (scope) => {
        scope.get(LEAKY, { ...forAnyUser, schema: { params: IdParams } }, async (request, reply) => {
          const row = await request
            .systemDb()
            .db.selectFrom('region')
            .select('tenant_id')
            .where('id', '=', request.params.id)
            .executeTakeFirst()
          return reply.code(row ? 403 : 404).send({ detail: 'no' })
        })
      }),
  })
  tenantA = await createTenant(api)
  tenantB = await createTenant(api)
})
afterAll(() => api.close())

const isExempt = ({ method, url }: Route): boolean =>
  ROUTES_WITHOUT_TENANT.some((pattern) => pattern.test(`${method} ${url}`))

const routesWithId = (): Route[] =>
  collector.routes.filter((route) => route.url.includes('/:') && route.url !== LEAKY && !isExempt(route))

const resourceOf = (url: string): string => url.slice(0, /^.*\/:[a-z_]+/.exec(url)?.[0].length)
const makerOf = (url: string) => RECORD_FACTORIES[resourceOf(url)]
const fill = (url: string, ids: Readonly<Record<string, string>>): string =>
  url.replaceAll(/:([a-z_]+)/g, (_all, name: string) => ids[name] ?? '')

async function call({ method, url, hasBody }: Route, ids: Record<string, string>): Promise<ApiResponse> {
  const key = `${method} ${url}`
  const query = QUERIES[key] ? `?${QUERIES[key]}` : ''
  const body = BODIES[key] ? await BODIES[key]({ api, tenant: tenantA }) : {}
  return api.call(method, fill(url, ids) + query, {
    token: tenantA.superuser.token,
    ...(hasBody && { body }),
  })
}

interface Difference {
  readonly route: string
  readonly why: string
}

/** For each id in the path: the ids before it are our own, it and those after it foreign or unknown. */
async function differencesOf(
  route: Route,
  make: (setup: ForeignFixture) => Promise<Readonly<Record<string, string>>>,
): Promise<Difference[]> {
  const [own, foreign] = [await make({ api, tenant: tenantA }), await make({ api, tenant: tenantB })]
  const names = idsInPath(route.url)
  const differences: Difference[] = []
  for (const [path, name] of names.entries()) {
    const before = Object.fromEntries(names.slice(0, path).map((each) => [each, own[each] ?? '']))
    const behind = names.slice(path)
    const withUnknown = Object.fromEntries(behind.map((each) => [each, randomUUID()]))
    const first = await call(route, { ...foreign, ...before })
    const second = await call(route, { ...foreign, ...before, ...withUnknown })
    const tag = `${route.method} ${route.url} (${name})`
    if (first.status !== 404) differences.push({ route: tag, why: `${first.status} ${first.text}` })
    else if (first.status !== second.status || first.text !== second.text)
      differences.push({ route: tag, why: `${first.text} against ${second.status} ${second.text}` })
  }
  return differences
}

describe('records of another tenant', () => {
  it('exist for every route with an id', () => {
    const routes = routesWithId()
    expect(routes.length).toBeGreaterThan(30)
    const uncovered = routes.filter(({ url }) => !makerOf(url)).map(({ method, url }) => `${method} ${url}`)
    expect(uncovered).toEqual([])
  })

  it('are answered like unknown records, byte for byte', { timeout: 300_000 }, async () => {
    const differences: Difference[] = []
    for (const route of routesWithId()) {
      const make = makerOf(route.url)
      if (make) differences.push(...(await differencesOf(route, make)))
    }
    expect(differences).toEqual([])
  })

  it('are detected in a route with a deliberate leak', async () => {
    const leak = { method: 'GET', url: LEAKY, access: undefined, hasBody: false, isResource: false }
    const make = RECORD_FACTORIES['/api/regions/:id']
    expect(make && (await differencesOf(leak, make))).toHaveLength(1)
  })
})

describe('If-Match', () => {
  it('is supported by an ETag of every GET of a single resource', () => {
    const files = ['/api/firmware/download/:token', '/api/reports/:list']
    const singles = collector.routes.filter(
      ({ method, url }) =>
        method === 'GET' && /\/:[a-z_]+$/.test(url) && url !== LEAKY && !files.includes(url),
    )
    expect(singles.length).toBeGreaterThan(25)
    expect(singles.filter(({ isResource }) => !isResource).map(({ url }) => url)).toEqual([])
  })

  const writesOfReadable = (): Route[] => {
    const readable = new Set(collector.routes.filter(({ method }) => method === 'GET').map(({ url }) => url))
    return routesWithId().filter(
      ({ method, url }) => /^(PUT|PATCH|DELETE)$/.test(method) && readable.has(url) && /:[a-z_]+$/.test(url),
    )
  }

  /** The response to a write with a header, to a new record or to one that does not exist. */
  async function write({ method, url, hasBody }: Route, ifMatch: string, isUnknown = false) {
    const made = await makerOf(url)?.({ api, tenant: tenantA })
    const own = idsInPath(url).at(-1) ?? ''
    const ids = isUnknown ? { ...made, [own]: randomUUID() } : made
    const body = (await BODIES[`${method} ${url}`]?.({ api, tenant: tenantA })) ?? {}
    return api.call(method, fill(url, ids ?? {}), {
      token: tenantA.superuser.token,
      headers: { 'if-match': ifMatch },
      ...(hasBody && { body }),
    })
  }

  it('is honoured by every write of a resource that can be read', async () => {
    const writes = writesOfReadable()
    expect(writes.length).toBeGreaterThan(10)
    const ignored: string[] = []
    for (const route of writes) {
      const { status, text } = await write(route, '"stale"')
      if (status !== 412) ignored.push(`${route.method} ${route.url}: ${status} ${text}`)
    }
    expect(ignored).toEqual([])
  })

  it('with * is true for every record that exists, and does not change the 404 of others', async () => {
    const wrong: string[] = []
    for (const route of writesOfReadable()) {
      const existing = await write(route, '*')
      const unknown = await write(route, '*', true)
      if (
        existing.status === 412 ||
        existing.status === 404 ||
        existing.status >= 500 ||
        unknown.status !== 404
      )
        wrong.push(`${route.method} ${route.url}: ${existing.status} ${existing.text}, ${unknown.status}`)
    }
    expect(wrong).toEqual([])
  })
})
