import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealMonth, unsealMonth } from '../../../src/areas/metering/storage/index.ts'
import { runCli } from '../../../src/cli/cli.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { compressAll, countStored } from '../../support/metering/history.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
/** Midnight of Turkey, on the last day of a month whose days are compressed. */
const DAY = Date.parse('2026-09-30T00:00:00+03:00')
let api: TestApi
let tenant: TestTenant
let device: TestDevice
let folder: string
beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
  device = await createDevice(api, tenant)
  folder = await mkdtemp(join(tmpdir(), 'netsaat-samples-'))
  const values = (index: number) => ({
    import_active_energy: 1000 + index / 8,
    voltage: index === 3 ? -0 : 230 + index / 3,
    ...(index % 5 === 0 && { custom_value: index / 7 }),
  })
  const samples = Array.from({ length: 48 }, (_, hour) => sample(device, DAY + hour * HOUR_MS, values(hour)))
  // Near the largest register, millionths are closer than numbers of kWh.
  samples.push(sample(device, DAY + 30 * 60_000, { export_active_energy: 9_007_199_254.740992 }))
  expect((await postSamples(api, tenant, samples)).status).toBe(201)
  await compressAll(api)
  // A day that is rows and a chunk, and one that is rows only.
  await postSamples(api, tenant, [sample(device, DAY + DAY_MS + 90 * 60_000, { current: 1e-7 })])
  await postSamples(api, tenant, [sample(device, NOW - DAY_MS, { voltage: 1 / 3 })])
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await api.close()
})

async function netsaat(command: 'export' | 'import', name: string, ...args: string[]) {
  const { pool } = api.deps.database
  const { rows } = await pool.query(
    'select current_database() as name, (select slug from tenant where id = $1) as slug',
    [tenant.id],
  )
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const io = { out: note, err: note, readInput: async () => '', now: () => NOW }
  const argv = ['storage', command, join(folder, name), '--tenant', rows[0].slug, ...args]
  return { code: await runCli(argv, { DATABASE_URL: url.href, LOG_LEVEL: 'silent' }, io), lines }
}

/** All samples of the device as the database prints rows, after all are rows again. */
async function storedTexts(): Promise<string[]> {
  const days = [DAY, DAY + DAY_MS]
  // A repeated sample returns its compressed day to the rows.
  for (const at of days) await postSamples(api, tenant, [sample(device, at, { state_of_charge: 50 })])
  const text = 'select m::text from measurement m where tenant_id = $1 and device_key = $2 order by ts'
  const { rows } = await api.deps.database.pool.query<{ m: string }>(text, [tenant.id, device.key])
  return rows.map(({ m }) => m)
}

async function deleteSamples(): Promise<void> {
  for (const table of ['measurement', 'measurement_chunk'])
    await api.deps.database.pool.query(`delete from ${table} where tenant_id = $1 and device_key = $2`, [
      tenant.id,
      device.key,
    ])
}

describe('netsaat storage export and import', () => {
  it('return rows and chunks to the bit, and store nothing twice', async () => {
    const before = await countStored(api, tenant.id, device.key)
    expect(before).toMatchObject({ chunks: 2 })
    const { code, lines } = await netsaat('export', 'all')
    expect(lines.at(-1)).toMatch(/^51 samples of 3 months/)
    expect(code).toBe(0)
    expect((await readdir(join(folder, 'all'))).sort()).toEqual([
      'manifest.json',
      'samples-2026-09.parquet',
      'samples-2026-10.parquet',
      'samples-2026-11.parquet',
    ])
    const again = await netsaat('import', 'all')
    expect(again).toEqual({
      code: 0,
      lines: ['09', '10', '11'].map((month, index) => {
        const count = [25, 25, 1][index]
        return `2026-${month}  ${count} samples: 0 new, ${count} unchanged`
      }),
    })
    expect(await countStored(api, tenant.id, device.key)).toEqual(before)

    const texts = await storedTexts()
    await netsaat('export', 'texts')
    await deleteSamples()
    const dry = await netsaat('import', 'texts', '--dry-run')
    expect(dry.lines[0]).toBe('2026-09  25 samples: 25 would be submitted, 0 unchanged')
    expect(await countStored(api, tenant.id, device.key)).toMatchObject({ rows: 0 })
    expect((await netsaat('import', 'texts')).lines[0]).toBe('2026-09  25 samples: 25 new, 0 unchanged')
    expect(await storedTexts()).toEqual(texts)
  })

  it('writes typed columns and standard encodings', async () => {
    await netsaat('export', 'typed', '--from', '2026-09', '--to', '2026-09')
    const bytes = await readFile(join(folder, 'typed', 'samples-2026-09.parquet'))
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    const { schema } = parquetMetadata(file)
    expect(schema.find(({ name }) => name === 'import_active_energy')).toMatchObject({
      type: 'INT64',
      converted_type: 'DECIMAL',
      scale: 6,
    })
    const rows = await parquetReadObjects({ file, compressors: { GZIP: (part) => gunzipSync(part) } })
    expect(rows[0]).toMatchObject({
      device_id: device.id,
      time: new Date(DAY),
      import_active_energy: 1000,
      voltage: 230,
      current: null,
    })
  })

  it('refuses a folder with files, a folder without a manifest, and a changed file', async () => {
    await mkdir(join(folder, 'full'))
    await writeFile(join(folder, 'full', 'a'), '')
    expect(await netsaat('export', 'full')).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('not empty')],
    })
    expect((await netsaat('import', 'full')).lines[0]).toContain('manifest.json cannot be read')
    expect((await netsaat('export', 'x', '--from', '2026-13')).code).toBe(2)

    await cp(join(folder, 'typed'), join(folder, 'changed'), { recursive: true })
    const path = join(folder, 'changed', 'samples-2026-09.parquet')
    const bytes = await readFile(path)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    await writeFile(path, bytes)
    const changed = await netsaat('import', 'changed')
    expect(changed.lines[0]).toContain('is not that of the manifest')
    expect(changed.code).toBe(1)
  })

  it('reports conflicts, and samples of devices that the tenant does not have', async () => {
    await api.deps.database.pool.query(
      'update measurement set voltage = 1 where tenant_id = $1 and device_key = $2 and ts = $3',
      [tenant.id, device.key, iso(DAY)],
    )
    const conflict = await netsaat('import', 'typed')
    expect(conflict.lines[0]).toContain('1 quarantined (conflicts_with_stored)')
    expect(conflict.code).toBe(1)
    await api.call('DELETE', `/api/devices/${device.id}`, { token: tenant.admin.token })
    expect((await netsaat('import', 'typed')).lines[0]).toContain('25 of unknown devices')
  })

  it('never writes into a sealed month', async () => {
    const old = await createDevice(api, tenant)
    const at = Date.parse('2025-03-10T12:00:00Z')
    await unsealMonth(api.deps, '2025-03-01')
    await postSamples(api, tenant, [sample(old, at, { voltage: 230 })])
    await netsaat('export', 'old', '--to', '2025-03')
    await sealMonth(api.deps, '2025-03-01')
    const { code, lines } = await netsaat('import', 'old')
    expect(lines[0]).toBe(
      '2025-03  not imported: the month is sealed: run "netsaat storage unseal 2025-03" first',
    )
    expect(code).toBe(1)
  })
})
