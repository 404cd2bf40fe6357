import { readdir, readFile } from 'node:fs/promises'
import { readRegisterMap } from '../../../core/register-map/index.ts'
import { inSystemTx, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import * as store from './system-templates-store.ts'

/** One file a template; where its addresses come from stands in the map. */
const FOLDER = new URL('../../../../seed/device-templates/', import.meta.url)

interface Seed {
  readonly id: string
  readonly name: string
  readonly device_type: string
  readonly register_map: unknown
}

/** A row of the table; the same in every tenant. */
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
/** As JSON; read and checked once a process, since they come with the program. */
const systemTemplates = () => {
  seeds ??= readSeeds()
  return seeds
}

/** Gives a new tenant the templates that come with the service. */
export const createSystemTemplates = async (tx: TenantTx): Promise<void> =>
  store.insertIntoTenant(tx, await systemTemplates())

/**
 * For the start of a service: every tenant has the system templates as this program knows them. Those that it knows no
 * more are left, since devices may use them.
 */
export async function ensureSystemTemplates({ database }: Pick<Deps, 'database'>): Promise<void> {
  const templates = await systemTemplates()
  await inSystemTx(database.kysely, (tx) => store.syncAllTenants(tx, templates))
}
