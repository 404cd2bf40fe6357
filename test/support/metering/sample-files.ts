import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COLUMNS } from '../../../src/areas/metering/archive/cells.ts'
import { runCli } from '../../../src/cli/cli.ts'
import { createParquetFile, openParquetFile } from '../../../src/platform/parquet/index.ts'
import type { TestApi } from '../api.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { createDevice, type TestDevice } from './measurements.ts'

/** A tenant of its own with a device, and a folder for its files. */
export interface FileSite {
  readonly api: TestApi
  readonly tenant: TestTenant
  readonly device: TestDevice
  readonly slug: string
  readonly folder: string
  path(...names: string[]): string
  /** Runs `netsaat storage export` or `import` on a folder within the folder. */
  netsaat(
    command: 'export' | 'import',
    name: string,
    ...args: string[]
  ): Promise<{ code: number; lines: string[] }>
  close(): Promise<void>
}

export async function makeFileSite(api: TestApi): Promise<FileSite> {
  const { pool } = api.deps.database
  const tenant = await createTenant(api)
  const device = await createDevice(api, tenant)
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-samples-'))
  const { rows } = await pool.query(
    'select current_database() as name, (select slug from tenant where id = $1) as slug',
    [tenant.id],
  )
  const url = new URL(pool.options.connectionString ?? '')
  url.pathname = `/${rows[0].name}`
  const { slug } = rows[0]
  const path = (...names: string[]) => join(folder, ...names)
  return {
    api,
    tenant,
    device,
    slug,
    folder,
    path,
    async netsaat(command, name, ...args) {
      const lines: string[] = []
      const note = (line: string) => void lines.push(line)
      const io = { out: note, err: note, readInput: async () => '', now: () => api.clock.now() }
      const argv = ['storage', command, path(name), '--tenant', slug, ...args]
      return { code: await runCli(argv, { DATABASE_URL: url.href, LOG_LEVEL: 'silent' }, io), lines }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The file of a month. */
export const fileOf = (month: string): string => `samples-${month}.parquet`

/** Copies an export, changes the file of a month, and makes the manifest agree with it. */
export async function copyChanged(
  { path }: FileSite,
  { from, to, month }: { readonly from: string; readonly to: string; readonly month: string },
  change: (file: string) => Promise<void>,
): Promise<void> {
  await cp(path(from), path(to), { recursive: true })
  const file = path(to, fileOf(month))
  await change(file)
  const bytes = await readFile(file)
  const manifest = JSON.parse(await readFile(path(to, 'manifest.json'), 'utf8'))
  for (const entry of manifest.months)
    if (entry.month === month) {
      entry.bytes = bytes.length
      entry.sha256 = createHash('sha256').update(bytes).digest('hex')
    }
  await writeFile(path(to, 'manifest.json'), JSON.stringify(manifest))
}

/** Writes the samples of a file again, in groups of a few rows. */
export async function writeInGroups(path: string, rowsOfGroup: number): Promise<void> {
  const source = await openParquetFile(path, COLUMNS)
  const target = await createParquetFile(`${path}.new`, COLUMNS, 'a test')
  for await (const cells of source.groups())
    for (let from = 0; from < (cells.get('time')?.length ?? 0); from += rowsOfGroup)
      await target.writeGroup(
        COLUMNS.map(({ name }) => (cells.get(name) ?? []).slice(from, from + rowsOfGroup)),
      )
  await source.close()
  await target.finish()
  await cp(`${path}.new`, path)
  await rm(`${path}.new`)
}
