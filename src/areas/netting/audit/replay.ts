import type { Static, Type } from 'typebox'
import { sumOfKnown } from '../../../core/netting/figures.ts'
import { ENGINE_VERSION } from '../../../core/netting/input-hash.ts'
import { computePeriod } from '../../../core/netting/period.ts'
import type { AmountType, PeriodInput, PeriodResult } from '../../../core/netting/types.ts'
import { formatKwh, formatTry, type Try, total } from '../../../kernel/decimal.ts'
import { readZip, ZipFault } from '../../../platform/files/zip.ts'
import { makeAjv } from '../../../platform/http/validation.ts'
import { AUDIT_ENTRIES_MAX, AUDIT_UNPACKED_BYTES_MAX } from '../limits.ts'
import { fromInputText, InputText } from './input-text.ts'
import {
  FORMAT_VERSION,
  inputFile,
  MANIFEST_FILE,
  Manifest,
  PUBLIC_KEY_FILE,
  README_FILE,
  resultFile,
  SIGNATURE_FILE,
  SUMMARY_FILE,
  SummaryText,
} from './package.ts'
import { firstDifference, LIST_NAMES, type ListName, ResultText, resultTextOf } from './result-text.ts'
import { sha256 } from './service.ts'
import { readVerifyingKey } from './signature.ts'

/** An error for a package that cannot be replayed. The message is one line for users. */
export class ReplayError extends Error {}

export interface Difference {
  readonly file: string
  readonly row?: string
  readonly field?: string
  readonly stored: string
  readonly computed: string
}

export interface Replay {
  readonly manifest: Manifest
  readonly counts: Readonly<Record<'runs' | 'facts' | ListName, number>>
  /** Undefined when the results are identical. */
  readonly difference: Difference | undefined
  /** The key that verifies the signature; undefined when the manifest was changed after it was signed. */
  readonly signedBy: string | undefined
}

export interface ReplayOptions {
  /**
   * The public key of the service in PEM. Without it the key in the package is used, which proves only that
   * the package was not changed after it was signed, not who signed it.
   */
  readonly publicKey?: Buffer
}

/**
 * Computes a package again from its inputs and returns the first difference. Throws ReplayError for a package
 * that cannot be read.
 */
export async function replayPackage(bytes: Buffer, { publicKey }: ReplayOptions = {}): Promise<Replay> {
  const files = await unpack(bytes)
  const manifest = readJson(files, MANIFEST_FILE, Manifest)
  refuseOtherVersions(manifest)
  const signature = verifySignature(manifest, files, publicKey)
  const counts = { runs: 0, facts: 0, hours: 0, virtual_meters: 0, amounts: 0, usage: 0, movements: 0 }
  let difference = brokenFile(manifest, files)
  const results: PeriodResult[] = []
  for (const run of manifest.runs) {
    if (difference) break
    const replayed = replayRun(files, manifest, run)
    const { result, input, stored } = replayed
    difference = replayed.difference
    counts.runs += 1
    counts.facts += input.facts.length
    for (const list of LIST_NAMES) counts[list] += stored[list].length
    results.push(result)
  }
  difference ??= summaryDifference(readJson(files, SUMMARY_FILE, SummaryText), results)
  difference ??= signature.difference
  return { manifest, counts, difference, signedBy: signature.signedBy }
}

/**
 * The signature binds what no calculation can confirm: names, times, and which files belong to the package. Its
 * difference is reported last, because a difference of a figure says more.
 */
function verifySignature(manifest: Manifest, files: ReadonlyMap<string, Buffer>, publicKey?: Buffer) {
  const pem = publicKey ?? requiredFile(files, PUBLIC_KEY_FILE)
  const key = readVerifyingKey(pem)
  if (!key)
    throw new ReplayError(`${publicKey ? 'the key' : PUBLIC_KEY_FILE} is no Ed25519 public key in PEM`)
  const isNamed = manifest.signed_by.key_id === key.keyId
  const isValid =
    isNamed && key.verify(requiredFile(files, MANIFEST_FILE), requiredFile(files, SIGNATURE_FILE))
  if (isValid) return { signedBy: key.keyId, difference: undefined }
  const stored = `signed by key ${manifest.signed_by.key_id}`
  const computed = isNamed
    ? `not signed by key ${key.keyId}: the manifest was changed`
    : `not signed by key ${key.keyId}: another service made the package, or it was signed again`
  return { signedBy: undefined, difference: { file: MANIFEST_FILE, field: 'signature', stored, computed } }
}

function requiredFile(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
  const bytes = files.get(name)
  if (!bytes) throw new ReplayError(`the package has no ${name}`)
  return bytes
}

async function unpack(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  try {
    return await readZip(bytes, { entriesMax: AUDIT_ENTRIES_MAX, bytesMax: AUDIT_UNPACKED_BYTES_MAX })
  } catch (error) {
    if (error instanceof ZipFault) throw new ReplayError(`the package cannot be read: ${error.message}`)
    throw error
  }
}

const ajv = makeAjv({ allErrors: false })

function readJson<T extends Type.TSchema>(
  files: ReadonlyMap<string, Buffer>,
  name: string,
  schema: T,
): Static<T> {
  const bytes = requiredFile(files, name)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new ReplayError(`${name} is not JSON`)
  }
  if (!ajv.validate(schema, value)) throw new ReplayError(`${name} is not as expected: ${ajv.errorsText()}`)
  return value as Static<T>
}

function refuseOtherVersions({ format_version, engine_version, runs }: Manifest): void {
  if (format_version !== FORMAT_VERSION) {
    throw new ReplayError(`the package has format ${format_version}; this version reads ${FORMAT_VERSION}`)
  }
  const other = [engine_version, ...runs.map((run) => run.engine_version)].find(
    (made) => made !== ENGINE_VERSION,
  )
  if (other !== undefined) {
    throw new ReplayError(
      `the package was computed by engine ${JSON.stringify(other)}, this is engine ${ENGINE_VERSION}: replay it with a ` +
        'version of netsaat that has the same engine',
    )
  }
}

/** Returns the first file whose digest differs from the one in the manifest, or that the manifest does not list. */
function brokenFile(
  { files: digests, runs }: Manifest,
  files: ReadonlyMap<string, Buffer>,
): Difference | undefined {
  const named = [
    README_FILE,
    PUBLIC_KEY_FILE,
    SUMMARY_FILE,
    ...runs.flatMap(({ id }) => [inputFile(id), resultFile(id)]),
  ]
  const missing = named.find((name) => !Object.hasOwn(digests, name))
  if (missing !== undefined) throw new ReplayError(`the manifest has no digest of ${missing}`)
  for (const [file, stored] of Object.entries(digests)) {
    const computed = sha256(requiredFile(files, file))
    if (computed !== stored) return { file, field: 'sha-256', stored, computed }
  }
  const isListed = (file: string) =>
    file === MANIFEST_FILE || file === SIGNATURE_FILE || Object.hasOwn(digests, file)
  const additional = [...files.keys()].find((file) => !isListed(file))
  if (additional === undefined) return undefined
  return { file: additional, stored: 'a file of the package', computed: 'not listed in the manifest' }
}

type ManifestRun = Manifest['runs'][number]

interface ReplayedRun {
  readonly input: PeriodInput
  readonly stored: ResultText
  readonly result: PeriodResult
  readonly difference: Difference | undefined
}

function replayRun(files: ReadonlyMap<string, Buffer>, manifest: Manifest, run: ManifestRun): ReplayedRun {
  const input = fromInputText(readJson(files, inputFile(run.id), InputText))
  const stored = readJson(files, resultFile(run.id), ResultText)
  const result = compute(input, inputFile(run.id))
  const heads = [
    ['group', manifest.group.id, input.groupId],
    ['billing_period', manifest.billing_period, input.billingPeriod],
    ['from_hour', run.from_hour, new Date(input.window.from).toISOString()],
    ['to_hour', run.to_hour, new Date(input.window.to).toISOString()],
    ['scenario', run.scenario, result.scenario],
    ['input_hash', run.input_hash, result.inputHash],
  ] as const
  const head = heads.find(([, inManifest, computed]) => inManifest !== computed)
  if (head) {
    const [field, inManifest, computed] = head
    return {
      input,
      stored,
      result,
      difference: { file: MANIFEST_FILE, row: `run ${run.id}`, field, stored: inManifest, computed },
    }
  }
  const isCorrection = run.triggered_by === 'correction_cascade'
  const found = firstDifference(stored, resultTextOf(result, { isCorrection }))
  if (!found) return { input, stored, result, difference: undefined }
  const { list, row, ...rest } = found
  return { input, stored, result, difference: { file: resultFile(run.id), row: `${list}: ${row}`, ...rest } }
}

/**
 * Converts any failure of the engine into a ReplayError, so that no content of a package causes a stack
 * trace.
 */
function compute(input: PeriodInput, file: string): PeriodResult {
  try {
    return computePeriod(input)
  } catch (error) {
    throw new ReplayError(
      `${file} cannot be computed: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const KWH_FIELDS = [
  ['production_kwh', 'productionKwh'],
  ['consumption_kwh', 'consumptionKwh'],
  ['matched_kwh', 'matchedKwh'],
  ['net_import_kwh', 'netImportKwh'],
  ['surplus_kwh', 'surplusKwh'],
  ['bedelli_kwh', 'bedelliKwh'],
  ['skb_kwh', 'skbKwh'],
  ['bedelsiz_kwh', 'bedelsizKwh'],
] as const

type Cells = Readonly<Record<string, string | number | null>>

/** Compares the monthly summary with the sums of its runs. */
function summaryDifference(stored: SummaryText, results: readonly PeriodResult[]): Difference | undefined {
  const summaries = results.map((result) => result.summary)
  const kwh = Object.fromEntries(
    KWH_FIELDS.map(([name, field]) => {
      const sum = sumOfKnown(summaries.map((summary) => summary[field]))
      return [name, sum === null ? null : formatKwh(sum)]
    }),
  )
  const types = Object.keys(summaries[0]?.amountsTry ?? {}) as AmountType[]
  const amounts = Object.fromEntries(
    types.map((type) => {
      const priced = summaries.flatMap((summary) => summary.amountsTry[type] ?? [])
      return [type, priced.length === 0 ? null : formatTry(total<Try>(priced))]
    }),
  )
  const computed: Cells = {
    ...kwh,
    ...amounts,
    hours_calculated: summaries.reduce((sum, summary) => sum + summary.hoursCalculated, 0),
  }
  const storedCells: Cells = {
    ...stored.kwh,
    ...stored.amounts_try,
    hours_calculated: stored.hours_calculated,
  }
  const names = [...new Set([...Object.keys(computed), ...Object.keys(storedCells)])]
  const field = names.find((name) => storedCells[name] !== computed[name])
  if (field === undefined) return undefined
  return { file: SUMMARY_FILE, field, stored: String(storedCells[field]), computed: String(computed[field]) }
}
