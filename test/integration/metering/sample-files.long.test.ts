import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { COLUMNS } from '../../../src/areas/metering/archive/cells.ts'
import { exportSamples } from '../../../src/areas/metering/archive/index.ts'
import { sealMonth, unsealMonth } from '../../../src/areas/metering/storage/index.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { openParquetFile, type ParquetCells } from '../../../src/platform/parquet/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { compressAll, countStored } from '../../support/metering/history.ts'
import { createDevice, postSamples, sample } from '../../support/metering/measurements.ts'
import {
  copyChanged,
  type FileSite,
  fileOf,
  makeFileSite,
  writeInGroups,
} from '../../support/metering/sample-files.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
/** Midnight of Turkey, on the last day of a month that is old enough to be compressed. */
const DAY = Date.parse('2026-09-30T00:00:00+03:00')
/** The months of the samples of a site, and their numbers of samples. */
const COUNTS = [
  ['2026-09', 25],
  ['2026-10', 25],
  ['2026-11', 1],
] as const
let api: TestApi
let site: FileSite
beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
})
afterAll(() => api.close())
beforeEach(async () => {
  site = await makeFileSite(api)
  const { device, tenant } = site
  const values = (index: number) => ({
    import_active_energy: 1000 + index / 8,
    voltage: index === 3 ? -0 : 230 + index / 3,
    ...(index % 5 === 0 && { custom_value: index / 7 }),
  })
  const samples = Array.from({ length: 48 }, (_, hour) => sample(device, DAY + hour * HOUR_MS, values(hour)))
  // Near the largest register, millionths are closer than numbers of kWh.
  samples.push(sample(device, DAY + 30 * 60_000, { export_active_energy: 9_007_199_254.740992 }))
  samples.push(sample(device, DAY + DAY_MS + 90 * 60_000, { current: 1e-7 }))
  samples.push(sample(device, NOW - DAY_MS, { voltage: 1 / 3 }))
  expect((await postSamples(api, tenant, samples)).status).toBe(201)
})
afterEach(() => site.close())

/** All samples of the device as the database prints rows, after all are rows again. */
async function storedTexts({ tenant, device }: FileSite): Promise<string[]> {
  const days = [DAY, DAY + DAY_MS]
  // A repeated sample returns its compressed day to the rows.
  for (const at of days) await postSamples(api, tenant, [sample(device, at, { state_of_charge: 50 })])
  const text = 'select m::text from measurement m where tenant_id = $1 and device_key = $2 order by ts'
  const { rows } = await api.deps.database.pool.query<{ m: string }>(text, [tenant.id, device.key])
  return rows.map(({ m }) => m)
}

async function deleteSamples({ tenant, device }: FileSite): Promise<void> {
  for (const table of ['measurement', 'measurement_chunk'])
    await api.deps.database.pool.query(`delete from ${table} where tenant_id = $1 and device_key = $2`, [
      tenant.id,
      device.key,
    ])
}

/** The lines of an import in which each month has the same outcome. */
const linesOf = (outcome: (count: number) => string): string[] =>
  COUNTS.map(([month, count]) => `${month}  ${count} samples: ${outcome(count)}`)

describe('netsaat storage export and import', () => {
  it('return rows and chunks to the bit, and store nothing twice', async () => {
    await compressAll(api)
    // A day that is rows and a chunk; that of November is rows only.
    const late = sample(site.device, DAY + DAY_MS + 2 * HOUR_MS, { current: 1e-7 })
    await postSamples(api, site.tenant, [late])
    const before = await countStored(api, site.tenant.id, site.device.key)
    expect(before).toMatchObject({ chunks: 2 })
    const { code, lines } = await site.netsaat('export', 'all')
    expect(lines.at(-1)).toMatch(/^51 samples of 3 months/)
    expect(code).toBe(0)
    const files = COUNTS.map(([month]) => fileOf(month))
    expect((await readdir(site.path('all'))).sort()).toEqual(['manifest.json', ...files])
    const again = await site.netsaat('import', 'all')
    expect(again).toEqual({ code: 0, lines: linesOf((count) => `0 new, ${count} unchanged`) })
    expect(await countStored(api, site.tenant.id, site.device.key)).toEqual(before)

    const texts = await storedTexts(site)
    await site.netsaat('export', 'texts')
    await deleteSamples(site)
    const dry = await site.netsaat('import', 'texts', '--dry-run')
    expect(dry.lines.slice(0, 3)).toEqual(linesOf((count) => `${count} would be submitted, 0 unchanged`))
    expect(await countStored(api, site.tenant.id, site.device.key)).toMatchObject({ rows: 0 })
    expect((await site.netsaat('import', 'texts')).lines).toEqual(
      linesOf((count) => `${count} new, 0 unchanged`),
    )
    expect(await storedTexts(site)).toEqual(texts)
  })

  it('writes typed columns and standard encodings', async () => {
    await site.netsaat('export', 'typed', '--from', '2026-09', '--to', '2026-09')
    const bytes = await readFile(site.path('typed', fileOf('2026-09')))
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    const { schema } = parquetMetadata(file)
    expect(schema.find(({ name }) => name === 'import_active_energy')).toMatchObject({
      type: 'INT64',
      converted_type: 'DECIMAL',
      scale: 6,
    })
    const rows = await parquetReadObjects({ file, compressors: { GZIP: (part) => gunzipSync(part) } })
    expect(rows[0]).toMatchObject({
      device_id: site.device.id,
      time: new Date(DAY),
      import_active_energy: 1000,
      voltage: 230,
      current: null,
    })
  })

  it('keep tenants apart', async () => {
    await site.netsaat('export', 'all')
    const other = await makeFileSite(api)
    try {
      expect(await other.netsaat('export', 'none')).toMatchObject({ code: 0 })
      expect(await readdir(other.path('none'))).toEqual(['manifest.json'])
      await cp(site.path('all'), other.path('foreign'), { recursive: true })
      const { code, lines } = await other.netsaat('import', 'foreign')
      expect(code).toBe(1)
      expect(lines[0]).toBe('2026-09  25 samples: 0 new, 0 unchanged, 25 of unknown devices')
    } finally {
      await other.close()
    }
  })

  it('exports more samples of a device-day than are read or written at once', async () => {
    const { tenant, device } = site
    const rows = 50_100
    await api.deps.database.pool.query(
      `insert into measurement (tenant_id, device_key, ts, voltage, import_active_energy)
        select $1, $2, $3::timestamptz + n * interval '1 second', n / 7.0::float8, n * 1000003::bigint
        from generate_series(1, $4::int) n`,
      [tenant.id, device.key, '2026-11-10T00:00:00+03:00', rows],
    )
    const exported = await site.netsaat('export', 'many', '--from', '2026-11')
    expect(exported.lines[0]).toContain(`${rows + 1} samples`)
    const file = await openParquetFile(site.path('many', fileOf('2026-11')), COLUMNS)
    const groups: ReadonlyMap<string, ParquetCells>[] = []
    for await (const cells of file.groups()) groups.push(cells)
    await file.close()
    expect(groups.length).toBe(2)
    const registers = groups.flatMap((cells) => cells.get('import_active_energy') ?? [])
    const wrong = registers.findIndex(
      (cell, index) => index < rows && cell !== BigInt(index + 1) * 1_000_003n,
    )
    expect(wrong).toBe(-1)
    expect(registers.length).toBe(rows + 1)
  })
})

describe('an export that is not whole', () => {
  it('says so when it was interrupted, and its files can be imported', async () => {
    const { tenant, slug } = site
    const interrupt = () => {
      throw new Error('interrupted')
    }
    const order = {
      tenantId: tenant.id,
      slug,
      folder: site.path('part'),
      from: undefined,
      to: undefined,
      onMonth: interrupt,
    }
    await expect(exportSamples(api.deps, order)).rejects.toThrow('interrupted')
    expect((await readdir(site.path('part'))).sort()).toEqual(['manifest.json', fileOf('2026-09')])
    expect(await site.netsaat('import', 'part')).toEqual({
      code: 1,
      lines: [
        '2026-09  25 samples: 0 new, 25 unchanged',
        'The export was interrupted: its later months are missing.',
      ],
    })
  })

  it('is imported up to the damage, and an undamaged copy completes it', async () => {
    const texts = await storedTexts(site)
    await site.netsaat('export', 'all')
    const september = { month: '2026-09' }
    await copyChanged(site, { ...september, from: 'all', to: 'groups' }, (file) => writeInGroups(file, 10))
    await copyChanged(site, { ...september, from: 'groups', to: 'damaged' }, async (file) => {
      const bytes = await readFile(file)
      const chunk = parquetMetadata(new Uint8Array(bytes).buffer).row_groups[1]?.columns[1]?.meta_data
      // The checksum of the compressed page.
      const at = Number(chunk?.data_page_offset) + Number(chunk?.total_compressed_size) - 6
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await writeFile(file, bytes)
    })
    await deleteSamples(site)
    const damaged = await site.netsaat('import', 'damaged')
    expect(damaged.lines).toEqual([
      expect.stringMatching(
        /^2026-09 {2}not imported to the end \(10 new, 0 unchanged\): .* incorrect data check$/,
      ),
      '2026-10  25 samples: 25 new, 0 unchanged',
      '2026-11  1 samples: 1 new, 0 unchanged',
    ])
    expect(damaged.code).toBe(1)
    const whole = await site.netsaat('import', 'groups')
    expect(whole.lines[0]).toBe('2026-09  25 samples: 15 new, 10 unchanged')
    expect(whole.code).toBe(0)
    expect(await storedTexts(site)).toEqual(texts)
  })

  it('is refused without a manifest, and where files are not those of the manifest', async () => {
    await mkdir(site.path('full'))
    await writeFile(site.path('full', 'a'), '')
    expect(await site.netsaat('export', 'full')).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('not empty')],
    })
    expect((await site.netsaat('import', 'full')).lines[0]).toContain('manifest.json cannot be read')
    expect((await site.netsaat('export', 'x', '--from', '2026-13')).code).toBe(2)

    await site.netsaat('export', 'all')
    await cp(site.path('all'), site.path('changed'), { recursive: true })
    const path = site.path('changed', fileOf('2026-09'))
    const bytes = await readFile(path)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    await writeFile(path, bytes)
    await writeFile(site.path('changed', fileOf('2026-10')), bytes.subarray(0, 1000))
    const changed = await site.netsaat('import', 'changed')
    expect(changed.lines[0]).toContain('is not that of the manifest')
    expect(changed.lines[1]).toContain('has 1000 bytes')
    expect(changed.lines[2]).toBe('2026-11  1 samples: 0 new, 1 unchanged')
    expect(changed.code).toBe(1)
  })

  it('is refused where a manifest names another month or another number of samples', async () => {
    await site.netsaat('export', 'all')
    const manifest = JSON.parse(await readFile(site.path('all', 'manifest.json'), 'utf8'))
    manifest.months[0].month = '2026-08'
    manifest.months[1].rows = 7
    await writeFile(site.path('all', 'manifest.json'), JSON.stringify(manifest))
    const { code, lines } = await site.netsaat('import', 'all')
    expect(lines[0]).toBe('2026-08  not imported: samples-2026-09.parquet has a sample outside of 2026-08')
    expect(lines[1]).toBe('2026-10  not imported: samples-2026-10.parquet has 25 samples, and not 7')
    expect(code).toBe(1)
  })
})

describe('samples that are not imported', () => {
  it('are those that no source can send', async () => {
    const { tenant, device } = site
    await deleteSamples(site)
    await api.deps.database.pool.query(
      `insert into measurement (tenant_id, device_key, ts, voltage, import_active_energy, extra) values
        ($1, $2, $3, 'NaN', null, null), ($1, $2, $3::timestamptz + interval '1 microsecond', 1, null, null),
        ($1, $2, $3::timestamptz + interval '2 s', 1e101, null, null),
        ($1, $2, $3::timestamptz + interval '3 s', null, 9007199254742000, null),
        ($1, $2, $3::timestamptz + interval '4 s', 1, null, '[]'),
        ($1, $2, $3::timestamptz + interval '5 s', 1, null, '{"voltage": 2}'),
        ($1, $2, $3::timestamptz + interval '6 s', 1, null, '{"mode": "on"}')`,
      [tenant.id, device.key, '2026-11-10T00:00:00+03:00'],
    )
    await site.netsaat('export', 'odd')
    expect(await site.netsaat('import', 'odd')).toEqual({
      code: 0,
      lines: ['2026-11  7 samples: 0 new, 7 unchanged'],
    })
    await deleteSamples(site)
    expect(await site.netsaat('import', 'odd')).toEqual({
      code: 1,
      lines: ['2026-11  7 samples: 0 new, 0 unchanged, 7 that cannot be stored'],
    })
  })

  it('are those that contradict stored ones, and those of devices that the tenant does not have', async () => {
    const { tenant, device } = site
    await storedTexts(site)
    await site.netsaat('export', 'all', '--to', '2026-09')
    await api.deps.database.pool.query(
      'update measurement set voltage = 1 where tenant_id = $1 and device_key = $2 and ts = $3',
      [tenant.id, device.key, iso(DAY)],
    )
    const conflict = await site.netsaat('import', 'all')
    expect(conflict.lines[0]).toContain('1 quarantined (conflicts_with_stored)')
    expect(conflict.code).toBe(1)
    await api.call('DELETE', `/api/devices/${device.id}`, { token: tenant.admin.token })
    expect((await site.netsaat('import', 'all')).lines[0]).toContain('25 of unknown devices')
  })

  it('are those of a sealed month', async () => {
    const old = await createDevice(api, site.tenant)
    const at = Date.parse('2025-03-10T12:00:00Z')
    await unsealMonth(api.deps, '2025-03-01')
    await postSamples(api, site.tenant, [sample(old, at, { voltage: 230 })])
    await site.netsaat('export', 'old', '--to', '2025-03')
    await sealMonth(api.deps, '2025-03-01')
    const { code, lines } = await site.netsaat('import', 'old')
    expect(lines[0]).toBe(
      '2025-03  not imported: the month is sealed: run "netsaat storage unseal 2025-03" first',
    )
    expect(code).toBe(1)
  })
})
