import { readdir, readFile } from 'node:fs/promises'
import { readRegisterMap } from '../../../core/register-map/index.ts'
import { inSystemTx, type TenantTx } from '../../../platform/db/tenant.ts'
import { packageFile } from '../../../platform/files/package-file.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import * as store from './store.ts'

/** One file per template; the map names the source of its addresses. */
const FOLDER = packageFile('seed/device-templates/')

interface Seed {
  readonly id: string
  readonly name: string
  readonly device_type: string
  readonly register_map: unknown
}

/** Converts a seed file to a table row, which is the same in every tenant. */
async function readSeed(file: string): Promise<object> {
  const seed: Seed = JSON.parse(await readFile(new URL(file, FOLDER), 'utf8'))
  const result = readRegisterMap(seed.register_map)
  if ('faults' in result) throw new Error(`seed/device-templates/${file}: ${JSON.stringify(result.faults)}`)
  const { document } = result
  return {
    id: seed.id,
    name: seed.name,
    vendor: document.vendor,
    model: document.model,
    device_type: seed.device_type,
    protocols: [...document.transports],
    register_map: document,
  }
}

async function readSeeds(): Promise<string> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort()
  return JSON.stringify(await Promise.all(files.map(readSeed)))
}

let seeds: Promise<string> | undefined
/** The rows as JSON. They are part of the program, so they are read and checked once per process. */
const systemTemplates = () => {
  seeds ??= readSeeds()
  return seeds
}

/** Inserts the system templates into a new tenant. */
export const createSystemTemplates = async (tx: TenantTx): Promise<void> =>
  store.insertIntoTenant(tx, await systemTemplates())

/**
 * Called at start: brings the system templates of every tenant up to date. Templates that this version no
 * longer has are kept, because devices may use them.
 */
export async function ensureSystemTemplates({ database }: Pick<Deps, 'database'>): Promise<void> {
  const templates = await systemTemplates()
  await inSystemTx(database.kysely, (tx) => store.syncAllTenants(tx, templates))
}
