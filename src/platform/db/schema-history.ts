/**
 * The migrations of a database compared with those of this program (ADR 0129). In a rolling upgrade an older program
 * runs beside a newer one, on the newer schema. It may do so as long as the newer migrations only add. A migration that
 * removes something (a contract) names the first version of the program that does not need it, in its first line:
 *
 *   -- contract: 0.3.0
 *
 * The version is recorded with the migration, so that older programs recognize that they cannot serve.
 */
import { lt } from 'semver'

export interface Applied {
  readonly name: string
  /** The oldest version of the program that can use the schema since the migration; null when it only adds. */
  readonly minProgramVersion: string | null
}

/** Also reads a table of before the column. */
export const APPLIED_MIGRATIONS = `select name, checksum, to_jsonb(m) ->> 'min_program_version' as "minProgramVersion"
  from schema_migration m order by name`

const CONTRACT = /^-- contract: (\d+\.\d+\.\d+)\n/

/** The version that the text of a migration declares, or null when it only adds. */
export const declaredVersion = (sql: string): string | null => CONTRACT.exec(sql)?.[1] ?? null

interface Comparison {
  readonly missing: readonly string[]
  /** Applied by a newer program. */
  readonly unknown: readonly string[]
  /** Why this program cannot use what was applied; undefined when it can. */
  readonly problem: string | undefined
}

export function compareHistory(
  known: readonly string[],
  applied: readonly Applied[],
  version: string,
): Comparison {
  const names = new Set(applied.map(({ name }) => name))
  const missing = known.filter((name) => !names.has(name))
  const unknown = applied.filter(({ name }) => !known.includes(name))
  const contract = unknown.find(({ minProgramVersion: min }) => min !== null && lt(version, min))
  return { missing, unknown: unknown.map(({ name }) => name), problem: problemOf() }

  function problemOf(): string | undefined {
    if (contract)
      return (
        `the database needs version ${contract.minProgramVersion} of the program or newer, this is ${version}: ` +
        `migration ${contract.name} removed what this version uses`
      )
    const [newer] = unknown
    if (newer && missing[0])
      return (
        `the database has migration ${newer.name}, which this program does not know, and lacks ${missing[0]}: ` +
        'neither is newer than the other'
      )
    return undefined
  }
}
