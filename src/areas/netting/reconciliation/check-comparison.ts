import { isDeepStrictEqual } from 'node:util'
import type { CheckComparison } from './check-schema.ts'
import type { CheckRow } from './check-store.ts'
import type { StoredLine } from './invoice-response.ts'
import type { StoredCheck, StoredReport } from './stored-check.ts'

interface ComparedCheck {
  readonly row: CheckRow
  readonly content: StoredCheck
}

/** The lines in which two checks of a group and month differ, and what has changed between them. */
export function compareChecks(before: ComparedCheck, after: ComparedCheck): CheckComparison {
  const isFileChanged = before.row.file_sha256 !== after.row.file_sha256
  return {
    before_id: before.row.id,
    after_id: after.row.id,
    is_file_changed: isFileChanged,
    is_reading_changed: !isDeepStrictEqual(readingOf(before), readingOf(after)),
    are_results_changed: !isDeepStrictEqual(before.row.run_ids, after.row.run_ids),
    claim_before_try: before.row.claim_try,
    claim_after_try: after.row.claim_try,
    lines: changedLines(before.content.report, after.content.report, isFileChanged),
  }
}

const readingOf = ({ content: { settings, mapping } }: ComparedCheck) => ({
  settings,
  corrections: mapping?.corrections ?? null,
})

/** A line of the same file is identified by its row; one of another file by what it charges. */
const keyOf = (line: StoredLine, isFileChanged: boolean): string =>
  isFileChanged
    ? [line.kind ?? line.description, line.key, line.facility_id, line.step_no].join('|')
    : [line.line, line.key, line.description].join('|')

const isWhole = ({ lines, line_counts: { agreeing, differing, undecidable } }: StoredReport): boolean =>
  lines.length === agreeing + differing + undecidable

function changedLines(
  before: StoredReport,
  after: StoredReport,
  isFileChanged: boolean,
): CheckComparison['lines'] {
  const byKey = (report: StoredReport) =>
    new Map(report.lines.map((line) => [keyOf(line, isFileChanged), line]))
  const [earlier, later] = [byKey(before), byKey(after)]
  const changed: CheckComparison['lines'] = []
  for (const key of new Set([...later.keys(), ...earlier.keys()])) {
    const [old, now] = [earlier.get(key), later.get(key)]
    // A report keeps a part of many lines: an absent line may have agreed.
    if ((!old && !isWhole(before)) || (!now && !isWhole(after))) continue
    const line = now ?? old
    if (!line || isDeepStrictEqual(sideOf(old), sideOf(now))) continue
    changed.push({
      ...{ line: line.line, key: line.key, description: line.description },
      ...{ before_verdict: old?.verdict ?? null, after_verdict: now?.verdict ?? null },
      ...{ before_cause: old?.cause ?? null, after_cause: now?.cause ?? null },
      ...{ before_claim_try: old?.claim_try ?? null, after_claim_try: now?.claim_try ?? null },
    })
  }
  return changed.sort((a, b) => a.line - b.line)
}

const sideOf = (line: StoredLine | undefined) =>
  line ? { verdict: line.verdict, cause: line.cause, claim_try: line.claim_try } : null
