import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packInput } from '../../../core/netting/input-pack.ts'
import { computePeriod } from '../../../core/netting/period.ts'
import type { PeriodInput, PeriodResult } from '../../../core/netting/types.ts'
import type { FactText } from './fact-text.ts'
import { type EncodedRows, encodeResult } from './result-rows.ts'
import { type CollectedInput, collectInput, type FactSpan, type WindowInput } from './window-input.ts'

/** The result of a window without its rows. */
export interface WindowResult
  extends Pick<PeriodResult, 'scenario' | 'inputHash' | 'usageByAccount' | 'summary' | 'warnings'> {
  readonly hourCount: number
  /** See `CollectedInput`. */
  readonly otherRoles: ReadonlyMap<string, number>
}

/**
 * The steps of a calculation that take processor time and need no database: texts to facts, facts to a result, the
 * result to parameters of statements. Everything that they take and return can be sent to another thread.
 */
export interface EngineSteps {
  /** Begins a window and forgets the one before. */
  begin(input: WindowInput): void
  addFacts(span: FactSpan, texts: readonly FactText[]): void
  compute(): WindowResult
  /** The complete input of the computed window, packed and compressed. */
  packedInput(): Promise<Uint8Array>
  /** The next rows of the computed window in the order in which they are inserted; undefined after the last. */
  nextRows(): EncodedRows | undefined
}

/**
 * The compression level. For this kind of text the result is 2 % larger than with the default level, at less
 * than half of the time.
 */
const GZIP_LEVEL = 3

export function makeEngineSteps(): EngineSteps {
  let collected: CollectedInput | undefined
  let computed: { readonly input: PeriodInput; readonly rows: Iterator<EncodedRows> } | undefined
  return {
    begin(input) {
      collected = collectInput(input)
      computed = undefined
    },
    addFacts: (span, texts) => present(collected).add(span, texts),
    compute() {
      const { otherRoles, complete } = present(collected)
      const input = complete()
      const { hours, ...result } = computePeriod(input)
      computed = { input, rows: encodeResult({ hours, ...result }) }
      const { scenario, inputHash, usageByAccount, summary, warnings } = result
      return { scenario, inputHash, usageByAccount, summary, warnings, hourCount: hours.length, otherRoles }
    },
    packedInput: () => promisify(gzip)(packInput(present(computed).input), { level: GZIP_LEVEL }),
    nextRows() {
      const next = present(computed).rows.next()
      return next.done ? undefined : next.value
    },
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the steps of a calculation were called in a wrong order')
  return value
}
