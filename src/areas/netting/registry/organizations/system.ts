import { readFile } from 'node:fs/promises'
import { found } from '../../../../kernel/errors.ts'
import { inSystemTx, type SystemTx, systemDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/deps.ts'
import type { OrgType } from './schema.ts'
import * as store from './system-store.ts'

/** Names that every installation begins with; where they come from stands in the file. */
const SEED = new URL('../../../../../seed/organizations.json', import.meta.url)

interface Seed {
  readonly source: string
  readonly organizations: readonly { readonly name: string; readonly org_types: readonly OrgType[] }[]
}

async function readSeed(): Promise<store.NamedOrganization[]> {
  const { organizations }: Seed = JSON.parse(await readFile(SEED, 'utf8'))
  return organizations.flatMap(({ name, org_types }) => org_types.map((orgType) => ({ orgType, name })))
}

/** So many are told; the rest is left unsaid. */
const LISTED_MAX = 20

type SeedDeps = Pick<Deps, 'database' | 'log'>

/**
 * For the start of a service: every tenant has the system-wide organizations, those of the seed file included. Repeating
 * it changes nothing; several processes that start together do it one after the other.
 */
export async function ensureSystemOrganizations({ database, log }: SeedDeps): Promise<void> {
  const seed = await readSeed()
  await inSystemTx(database.kysely, async (tx) => {
    await store.lockSystem(tx)
    await store.addMissing(tx, seed)
    await store.syncCopies(tx)
  })
  const instead = await store.listTenantOverrides(systemDb(database.kysely), { limit: LISTED_MAX })
  if (instead.length > 0)
    log.info({ instead }, 'tenants keep organizations of their own that are also known system-wide')
}

/**
 * Makes an organization known in every tenant, under one id; one that was deactivated is active again. Answers its id and
 * the first tenants that keep their own of its type and name. A tenant made later is born with it (module tenants).
 */
export async function addSystemOrganization(tx: SystemTx, named: store.NamedOrganization) {
  await store.lockSystem(tx)
  await store.addMissing(tx, [named])
  const { id, is_active } = await store.find(tx, named)
  if (!is_active) await store.setActive(tx, id, true)
  await store.syncCopies(tx)
  return { id, instead: await store.listTenantOverrides(tx, { id, limit: LISTED_MAX }) }
}

/** Takes it out of the lists of every tenant; what refers to it stays. 404 when there is none. */
export async function deactivateSystemOrganization(tx: SystemTx, id: string) {
  await store.lockSystem(tx)
  const organization = found('system-wide organization', await store.setActive(tx, id, false))
  await store.syncCopies(tx)
  return organization
}

export const listSystemOrganizations = store.listSystem
