import { type Static, Type } from 'typebox'

/** The files of a package. The manifest names every other file with its digest. */
export const FORMAT = 'netsaat-audit-package'
export const FORMAT_VERSION = 1
export const MANIFEST_FILE = 'manifest.json'
export const README_FILE = 'README.txt'
export const SUMMARY_FILE = 'summary.json'
export const inputFile = (runId: string): string => `run-${runId}/input.json`
export const resultFile = (runId: string): string => `run-${runId}/result.json`

const Instant = Type.String({ format: 'date-time' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

const ManifestRun = Type.Object({
  id: Type.String({ format: 'uuid' }),
  from_hour: Instant,
  to_hour: Instant,
  scenario: Type.String(),
  triggered_by: Type.String(),
  started_at: Instant,
  finished_at: Instant,
  engine_version: Type.String(),
  input_hash: Sha256,
})

export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  format_version: Type.Integer(),
  group: Type.Object({ id: Type.String(), name: Type.String() }),
  billing_period: Type.String({ format: 'billing-period' }),
  engine_version: Type.String(),
  created_at: Instant,
  runs: Type.Array(ManifestRun, { minItems: 1 }),
  /** sha-256 of every file but this one. */
  files: Type.Record(Type.String(), Sha256),
})

/** The monthly summary, as far as the runs of the period decide it. */
export const SummaryText = Type.Object({
  billing_period: Type.String(),
  scenario: Type.String(),
  kwh: Type.Record(Type.String(), Type.String()),
  amounts_try: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
  hours_calculated: Type.Integer(),
})

export type Manifest = Static<typeof Manifest>
export type SummaryText = Static<typeof SummaryText>
