import { createTenantUser, findTenant } from '../areas/admin/tenants/index.ts'
import { inSystemTx, systemDb } from '../platform/db/tenant.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Service } from '../service/start.ts'
import { type Client, type DemoLogin, keepLogin, makeFurtherLogin, signIn } from './client.ts'
import { createSite } from './create-site.ts'
import { parseProfiles } from './profiles.ts'
import type { World } from './series.ts'
import { calendarOfNotes, calendarUntil, MONTHS_DEFAULT, readSeed, readSite } from './site.ts'

export interface OpenSite {
  readonly tenantId: number
  readonly world: World
  readonly login: DemoLogin
  readonly client: Client
}

/** Opens the demo's tenant, which is created at the first start, with a client that is logged in to it. */
export async function openSite({ deps, url }: Service, months: number = MONTHS_DEFAULT): Promise<OpenSite> {
  const site = readSite()
  const profiles = parseProfiles(readSeed('hours.csv'))
  const now = deps.clock.now()
  const login = await keepLogin(deps.config.dataDir, site.user.email)
  const planned: World = { site, profiles, calendar: calendarUntil(now, months) }
  const { kysely } = deps.database
  const known = await findTenant(systemDb(kysely), site.tenant.slug)
  const tenantId = known?.key ?? (await createDemo(deps, planned, login))
  const { client, login: usedLogin } = await logIn(deps, { url, site, login })
  const scopes = await client.list('mahsuplasma/scopes')
  const scope = scopes.find((row) => row['name'] === site.scope.name)
  const calendar = calendarOfNotes(String(scope?.['notes']))
  return { tenantId, world: { site, profiles, calendar }, login: usedLogin, client }
}

async function createDemo(deps: Deps, world: World, { email, password }: DemoLogin): Promise<number> {
  const passwordHash = await deps.passwords.hash(password)
  return inSystemTx(deps.database.kysely, (tx) =>
    createSite(tx, world, { email, passwordHash }, deps.clock.now()),
  )
}

interface LoginTarget {
  readonly url: string
  readonly site: World['site']
  readonly login: DemoLogin
}

/** Logs in to the demo. When the demo was loaded from another data folder, a further user is created. */
async function logIn(
  deps: Deps,
  { url, site, login }: LoginTarget,
): Promise<Pick<OpenSite, 'client' | 'login'>> {
  const client = await signIn(url, login)
  if (client) return { client, login }
  const further = await makeFurtherLogin(deps.config.dataDir, site.user.email)
  await createTenantUser(deps, { ...further, tenant: site.tenant.slug, role: 'admin', isSuperuser: true })
  const second = await signIn(url, further)
  if (!second) throw new Error('the demo cannot be signed in to')
  return { client: second, login: further }
}
