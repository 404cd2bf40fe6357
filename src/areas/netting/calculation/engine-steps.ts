import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { packedPieces } from '../../../core/netting/input-pack.ts'
import { openPeriod, type PeriodTotals, runParts } from '../../../core/netting/period.ts'
import type { ValuesInput } from '../../../core/netting/slices.ts'
import { HOUR_MS } from '../../../kernel/time.ts'
import type { CopiedFields } from '../../../platform/db/copied-fields.ts'
import type { EncodedRows } from '../../../platform/db/copy-rows.ts'
import { factTextsOf } from './fact-text.ts'
import { KEPT_FACILITY_HOURS_MAX } from './limits.ts'
import { encodeInput, encodeParts, type ResultPart, type RowOwner } from './result-rows.ts'
import {
  type CollectedValues,
  collectValues,
  continueInput,
  type FactSpan,
  type MemberLists,
  type WindowInput,
} from './window-input.ts'

/** The result of a window without its rows. */
export interface WindowResult extends Omit<PeriodTotals, 'window'> {
  readonly hourCount: number
  /** See `CollectedValues`. */
  readonly otherRoles: ReadonlyMap<string, number>
}

/**
 * The steps of a calculation that take processor time and need no database: copied fields to facts, facts to a result,
 * the result to rows of the database. Everything that they take and return can be sent to another thread.
 */
export interface EngineSteps {
  /** Begins a window and forgets the one before. */
  begin(input: WindowInput): void
  /** Continues the lists of the input, before facts are added. */
  continueInput(lists: MemberLists): void
  /** Adds the facts of some facilities, and returns their buffer for later ones. */
  addFacts(span: FactSpan, fields: CopiedFields): ArrayBuffer
  /** The result of the window: computes it before its rows are requested, and is known after the last of them. */
  compute(): WindowResult
  /**
   * The next rows of the window in the order in which they are inserted; undefined after the last. Where the result was
   * not requested before, they are computed now. `spare`: the buffer of rows that were inserted, for later ones.
   */
  nextRows(owner: RowOwner, spare?: ArrayBuffer): EncodedRows | undefined
  /** The complete input of the window, packed and compressed, as the row that stores it. */
  packedInput(owner: RowOwner): Promise<EncodedRows>
  /** Releases the memory of the window. */
  forget(): void
}

/**
 * The compression level. For this kind of text the result is 2 % larger than with the default level, at less
 * than half of the time.
 */
const GZIP_LEVEL = 3

/** `keptHoursMax`: tests use fewer. */
export function makeEngineSteps(keptHoursMax = KEPT_FACILITY_HOURS_MAX): EngineSteps {
  let known: WindowInput | undefined
  let collected: CollectedValues | undefined
  let input: ValuesInput | undefined
  let result: WindowResult | undefined
  let kept: readonly ResultPart[] | undefined
  let rows: Iterator<EncodedRows> | undefined
  const spares: ArrayBuffer[] = []
  const forget = () => {
    spares.length = 0
    known = undefined
    collected = undefined
    input = undefined
    result = undefined
    kept = undefined
    rows = undefined
  }
  const collecting = () => {
    collected ??= collectValues(present(known))
    return collected
  }
  const completeInput = () => {
    input ??= collecting().complete()
    return input
  }
  /** Computes the window part by part, and its result with the last of them. */
  function* computedParts(): Generator<ResultPart> {
    const parts = runParts(openPeriod(completeInput()))
    let hourCount = 0
    let next = parts.next()
    for (; !next.done; next = parts.next()) {
      const { hours, meters, amounts, usage } = next.value
      hourCount += hours.length
      yield { hours, meters, amounts, usage }
    }
    const { window: _, ...totals } = next.value
    result = { ...totals, hourCount, otherRoles: collecting().otherRoles }
  }
  /**
   * Computes the window before its rows are requested. Those of a small one are kept until they are inserted; those of
   * a large one are computed once more then, because they would take a hundred times the memory of the input.
   */
  function keptParts(): ResultPart[] | undefined {
    const isKept = facilityHours(completeInput()) <= keptHoursMax
    const parts: ResultPart[] = []
    for (const part of computedParts()) if (isKept) parts.push(part)
    return isKept ? parts : undefined
  }
  return {
    begin(given) {
      forget()
      known = given
    },
    continueInput(lists) {
      known = continueInput(present(known), lists)
    },
    addFacts(span, fields) {
      collecting().add(span, factTextsOf(fields))
      return fields.buffer
    },
    compute() {
      if (!result) kept = keptParts()
      return present(result)
    },
    nextRows(owner, spare) {
      if (spare) spares.push(spare)
      rows ??= encodeParts(kept ?? computedParts(), owner, spares)
      const next = rows.next()
      return next.done ? undefined : next.value
    },
    async packedInput(owner) {
      const { values: _, ...packed } = completeInput()
      const pieces = joined(packedPieces(packed, collecting().series))
      const bytes = await buffer(Readable.from(pieces).pipe(createGzip({ level: GZIP_LEVEL })))
      return encodeInput(bytes, owner)
    },
    forget,
  }
}

const facilityHours = ({ members, window }: ValuesInput): number =>
  (new Set(members.map(({ facilityId }) => facilityId)).size * (window.to - window.from)) / HOUR_MS

const CHUNK_CHARACTERS = 64 * 1024

/** Joins short pieces, because each one costs a call of the compressor. */
function* joined(pieces: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the steps of a calculation were called in a wrong order')
  return value
}
