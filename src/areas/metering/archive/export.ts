import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BillingPeriod, DAY_MS, iso, localDate, periodRange, type Range } from '../../../kernel/time.ts'
import { systemDb, type TenantDb, tenantDb } from '../../../platform/db/tenant.ts'
import { createParquetFile } from '../../../platform/parquet/index.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { packageVersion } from '../../../platform/settings/version.ts'
import { readDeviceDay } from '../history/index.ts'
import { COLUMNS, Group } from './cells.ts'
import { DEVICES_AT_ONCE, GROUP_ROWS } from './limits.ts'
import { type MonthFile, writeManifest } from './manifest.ts'
import { type DeviceOfTenant, findKeysWithSamples, listDevices, listSampleMonths } from './store.ts'

export interface SampleExport {
  readonly tenantId: number
  readonly slug: string
  /** A folder that is empty or does not exist. */
  readonly folder: string
  /** Undefined: the first or the last month with samples. */
  readonly from: BillingPeriod | undefined
  readonly to: BillingPeriod | undefined
  /** Called when a month is complete. */
  readonly onMonth: (month: MonthFile) => void
}

type ExportDeps = Pick<Deps, 'database' | 'clock'>

interface Counted extends DeviceOfTenant {
  rows: number
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`)
}

/** Exports the samples of a tenant, a file a month. Months without samples have no file. */
export async function exportSamples(deps: ExportDeps, request: SampleExport): Promise<MonthFile[]> {
  const { kysely } = deps.database
  const { tenantId, slug, folder, from = '', to = '9999', onMonth } = request
  await prepareFolder(folder)
  const devices: Counted[] = []
  for await (const device of listDevices(tenantDb(kysely, tenantId))) devices.push({ ...device, rows: 0 })
  const months: MonthFile[] = []
  const exportedAt = iso(deps.clock.now())
  // After each month, so that what an interrupted export has written can be used, and is not taken for all.
  const save = (isWhole: boolean) =>
    writeManifest(folder, {
      tenant: slug,
      exportedAt,
      months,
      isWhole,
      devices: devices.filter(({ rows }) => rows > 0).map(({ id, name, rows }) => ({ id, name, rows })),
    })
  for (const period of await listSampleMonths(systemDb(kysely))) {
    if (period < from || period > to) continue
    const month = await exportMonth(deps, { tenantId, folder, period, devices })
    if (!month) continue
    months.push(month)
    await save(false)
    onMonth(month)
  }
  await save(true)
  return months
}

/** The devices that have samples in a month: of the others no day is looked up. */
async function* withSamples(tenant: TenantDb, devices: readonly Counted[], month: Range) {
  for (let from = 0; from < devices.length; from += DEVICES_AT_ONCE) {
    const page = devices.slice(from, from + DEVICES_AT_ONCE)
    const keys = page.map(({ key }) => key)
    const found = await findKeysWithSamples(tenant, keys, month)
    yield* page.filter(({ key }) => found.has(key))
  }
}

interface MonthExport {
  readonly tenantId: number
  readonly folder: string
  readonly period: BillingPeriod
  readonly devices: readonly Counted[]
}

async function exportMonth(
  { database }: ExportDeps,
  { tenantId, folder, period, devices }: MonthExport,
): Promise<MonthFile | undefined> {
  const name = `samples-${period.slice(0, 7)}.parquet`
  const file = await createParquetFile(join(folder, name), COLUMNS, `netsaat ${packageVersion()}`)
  try {
    let group = new Group()
    let rows = 0
    for await (const device of withSamples(
      tenantDb(database.kysely, tenantId),
      devices,
      periodRange(period),
    )) {
      for (let { from, to } = periodRange(period); from < to; from += DAY_MS) {
        const day = { tenantId, deviceKey: device.key, day: localDate(from) }
        for await (const samples of readDeviceDay(database.pool, day)) {
          group.add(device.id, samples)
          device.rows += samples.rows
          rows += samples.rows
          if (group.rows < GROUP_ROWS) continue
          await file.writeGroup(group.cells)
          group = new Group()
        }
      }
    }
    if (rows === 0) {
      await file.discard()
      return undefined
    }
    await file.writeGroup(group.cells)
    return { month: period, file: name, ...(await file.finish()) }
  } catch (error) {
    await file.discard()
    throw error
  }
}
