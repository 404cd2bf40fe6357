import { byteAt } from '../../kernel/checked.ts'
import { type ByteReader, type ByteWriter, ChunkError } from './bytes.ts'

/** One byte a sample, 1 where it has no value; undefined when every sample has one. */
export type Nulls = Uint8Array | undefined

/** Writes the lengths of runs: with a value, without, with …; the last run is left out. No nulls: no run. */
export function writeNulls(writer: ByteWriter, nulls: Nulls): void {
  const runs: number[] = []
  let [from, state] = [0, 0]
  for (let index = 0; nulls && index < nulls.length; index++) {
    if (byteAt(nulls, index) === state) continue
    runs.push(index - from)
    from = index
    state = 1 - state
  }
  writer.unsigned(runs.length)
  for (const run of runs) writer.unsigned(run)
}

export function readNulls(reader: ByteReader, rows: number): Nulls {
  const runs = reader.count(rows)
  if (runs === 0) return undefined
  const nulls = new Uint8Array(rows)
  let [from, state] = [0, 0]
  for (let run = 0; run <= runs; run++) {
    const to = run === runs ? rows : from + reader.count(rows)
    if (to > rows) throw new ChunkError('a run of the chunk is too long')
    nulls.fill(state, from, to)
    from = to
    state = 1 - state
  }
  return nulls
}

export function countPresent(nulls: Nulls, rows: number): number {
  if (!nulls) return rows
  let count = 0
  for (let index = 0; index < rows; index++) count += 1 - byteAt(nulls, index)
  return count
}
