import { AppError, conflict } from '../../../kernel/errors.ts'
import { DAY_MS, dayStart, localDate } from '../../../kernel/time.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ACCESS_TEXTS } from '../messages.ts'
import { effectiveQuotas, type QuotaName, type Quotas } from './quotas.ts'
import * as store from './store.ts'

type Configured = Pick<Deps, 'config' | 'clock'>

const readQuotas = async ({ config }: Pick<Deps, 'config'>, tenant: TenantDb): Promise<Quotas> =>
  effectiveQuotas(config.quotas, await store.findOverrides(tenant))

/** Seconds until the next Turkey-local day. */
export const secondsToNextDay = (now: number): number =>
  Math.ceil((dayStart(localDate(now)) + DAY_MS - now) / 1000)

/**
 * Whether the tenant may have one more device. Without a quota nothing is counted; with one, creations of a
 * tenant are serialized.
 */
export async function mayAddDevice(deps: Pick<Deps, 'config'>, tx: TenantTx): Promise<boolean> {
  const { devices } = await readQuotas(deps, tx)
  if (devices === null) return true
  await lockResource(tx, `device quota ${tx.tenantId}`)
  return (await store.countDevices(tx)) < devices
}

/** 409 when the tenant has as many devices as its quota allows. */
export async function assertDeviceQuota(deps: Pick<Deps, 'config'>, tx: TenantTx): Promise<void> {
  if (!(await mayAddDevice(deps, tx)))
    throw conflict('DEVICE_QUOTA_EXCEEDED', ACCESS_TEXTS.DEVICE_QUOTA_EXCEEDED())
}

/** Counts an export of today; 429 when the quota is used up, 409 when the storage is. */
export async function takeExport(deps: Configured, tenant: TenantDb): Promise<void> {
  const now = deps.clock.now()
  const quotas = await readQuotas(deps, tenant)
  if (quotas.storage_bytes !== null && (await store.readStorage(tenant)).bytes >= quotas.storage_bytes)
    throw conflict('STORAGE_QUOTA_EXCEEDED', ACCESS_TEXTS.STORAGE_QUOTA_EXCEEDED())
  if (await store.takeExport(tenant, { day: localDate(now), max: quotas.exports_per_day })) return
  throw new AppError(429, 'EXPORT_QUOTA_EXCEEDED', ACCESS_TEXTS.EXPORT_QUOTA_EXCEEDED(), {
    retryAfterS: secondsToNextDay(now),
  })
}

export interface QuotaUse {
  readonly name: QuotaName
  readonly limit: number | null
  readonly used: number
}

/** The quotas of a tenant with their use. */
export async function readUse(deps: Configured, tenant: TenantDb) {
  const day = localDate(deps.clock.now())
  const [quotas, devices, today, storage] = await Promise.all([
    readQuotas(deps, tenant),
    store.countDevices(tenant),
    store.readDay(tenant, day),
    store.readStorage(tenant),
  ])
  const used: Readonly<Record<QuotaName, number>> = {
    devices,
    samples_per_day: today.samples,
    storage_bytes: storage.bytes,
    exports_per_day: today.exports,
  }
  const names = Object.keys(used) as QuotaName[]
  return {
    day,
    quotas: names.map((name): QuotaUse => ({ name, limit: quotas[name], used: used[name] })),
    samples_refused: today.samplesRefused,
    storage_measured_at: storage.measured_at,
  }
}
