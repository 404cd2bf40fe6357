import { readFile } from 'node:fs/promises'
import { found } from '../../../../kernel/errors.ts'
import { inSystemTx, type SystemTx, systemDb } from '../../../../platform/db/tenant.ts'
import { packageFile } from '../../../../platform/files/package-file.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import type { OrgType } from './schema.ts'
import * as store from './system-store.ts'

/** The names that every installation starts with. The file cites their source. */
const SEED = packageFile('seed/organizations.json')

interface Seed {
  readonly source: string
  readonly organizations: readonly {
    readonly name: string
    readonly org_types: readonly OrgType[]
    /** Names in earlier versions of the file. */
    readonly former_names?: readonly string[]
  }[]
}

async function readSeed(): Promise<store.SeedOrganization[]> {
  const { organizations }: Seed = JSON.parse(await readFile(SEED, 'utf8'))
  return organizations.flatMap(({ name, org_types, former_names: formerNames = [] }) =>
    org_types.map((orgType) => ({ orgType, name, formerNames })),
  )
}

/** Maximum number of tenant-defined organizations that the log or response lists. */
const LISTED_MAX = 20

type SeedDeps = Pick<Deps, 'database' | 'log'>

/**
 * Runs at the start of a service: gives every tenant the system-wide organizations, including those of the
 * seed file, and renames those that had another name in an earlier version of the file. Idempotent; processes that
 * start at the same time run it one after the other.
 */
export async function ensureSystemOrganizations({ database, log }: SeedDeps): Promise<void> {
  const seed = await readSeed()
  await inSystemTx(database.kysely, async (tx) => {
    await store.lockSystem(tx)
    await store.renameFormer(tx, seed)
    await store.addMissing(tx, seed)
    await store.syncCopies(tx)
  })
  const instead = await store.listTenantOverrides(systemDb(database.kysely), { limit: LISTED_MAX })
  if (instead.length > 0)
    log.info({ instead }, 'tenants keep their own organizations with the type and name of system-wide ones')
}

/**
 * Makes an organization known in every tenant under one id, or active again. Returns its id and the first
 * tenants that have their own organization of its type and name. A new tenant receives its copy on creation
 * (module tenants).
 */
export async function addSystemOrganization(tx: SystemTx, named: store.NamedOrganization) {
  await store.lockSystem(tx)
  await store.addMissing(tx, [named])
  const { id, is_active } = await store.find(tx, named)
  if (!is_active) await store.setActive(tx, id, true)
  await store.syncCopies(tx)
  return { id, instead: await store.listTenantOverrides(tx, { id, limit: LISTED_MAX }) }
}

/** Deactivates an organization in every tenant; references to it are kept. Throws 404 for an unknown one. */
export async function deactivateSystemOrganization(tx: SystemTx, id: string) {
  await store.lockSystem(tx)
  const organization = found('system-wide organization', await store.setActive(tx, id, false))
  await store.syncCopies(tx)
  return organization
}

export const listSystemOrganizations = store.listSystem
