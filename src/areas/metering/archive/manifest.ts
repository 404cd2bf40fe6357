import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../../kernel/checked.ts'
import { type BillingPeriod, parsePeriod } from '../../../kernel/time.ts'
import { MANIFEST_BYTES_MAX } from './limits.ts'

const MANIFEST = 'manifest.json'
const FORMAT = 'netsaat-samples'
const VERSION = 1

export interface MonthFile {
  readonly month: BillingPeriod
  readonly file: string
  readonly rows: number
  readonly bytes: number
  /** Of the whole file, hexadecimal. */
  readonly sha256: string
}

export interface ArchivedDevice {
  readonly id: string
  readonly name: string
  readonly rows: number
}

export interface Manifest {
  readonly tenant: string
  readonly exportedAt: string
  readonly months: readonly MonthFile[]
  readonly devices: readonly ArchivedDevice[]
  /** False until all months are exported. */
  readonly isWhole: boolean
}

/** Replaces the manifest of a folder at once: it names only files that are complete. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const { tenant, exportedAt, months, devices, isWhole } = manifest
  const document = {
    format: FORMAT,
    version: VERSION,
    tenant,
    exported_at: exportedAt,
    complete: isWhole,
    months: months.map((month) => ({ ...month, month: month.month.slice(0, 7) })),
    devices,
  }
  const path = join(folder, MANIFEST)
  const part = `${path}.part`
  try {
    await writeSynced(part, `${JSON.stringify(document, undefined, 2)}\n`)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await rename(part, path)
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function monthOf(entry: unknown): MonthFile {
  if (!isRecord(entry)) throw new Error('a month of the manifest is no object')
  const { month, file, rows, bytes, sha256 } = entry
  const period = typeof month === 'string' ? parsePeriod(month) : undefined
  if (period === undefined) throw new Error(`the manifest has the month ${JSON.stringify(month)}`)
  // A name without a folder: an import reads nothing outside of its own.
  if (typeof file !== 'string' || !/^[\w-]+\.parquet$/.test(file))
    throw new Error(`the manifest has the file ${JSON.stringify(file)}`)
  if (!isCount(rows) || !isCount(bytes) || typeof sha256 !== 'string')
    throw new Error(`the manifest lacks the size or the hash of ${file}`)
  return { month: period, file, rows, bytes, sha256 }
}

/** Reads the manifest of a folder. Throws an Error whose message says what is wrong. */
export async function readManifest(folder: string): Promise<Pick<Manifest, 'months' | 'isWhole'>> {
  const path = join(folder, MANIFEST)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Error(`${path} cannot be read: the folder of an export contains it`)
  if (found.size > MANIFEST_BYTES_MAX) throw new Error(`${path} is larger than ${MANIFEST_BYTES_MAX} bytes`)
  let document: unknown
  try {
    document = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new Error(`${path} is no JSON document`, { cause })
  }
  if (!isRecord(document) || document['format'] !== FORMAT || !Array.isArray(document['months']))
    throw new Error(`${path} is not the manifest of an export of samples`)
  if (document['version'] !== VERSION)
    throw new Error(`${path} has version ${JSON.stringify(document['version'])}, and not ${VERSION}`)
  // An older version did not say it.
  return { months: document['months'].map(monthOf), isWhole: document['complete'] !== false }
}
