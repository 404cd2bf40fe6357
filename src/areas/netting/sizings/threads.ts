import { setFlagsFromString } from 'node:v8'
import type { FaultOfChange } from '../scenarios/index.ts'
import { workInThread } from '../shared/index.ts'
import type { PointText, SizingOutcome, SizingWork } from './compute-work.ts'
import { SIZING_THREAD_HEAP_MB, SIZING_THREADS, SIZING_TIMEOUT_MS } from './limits.ts'

export type SizingAnswer = { readonly outcome: SizingOutcome } | { readonly fault: FaultOfChange }

const SCRIPT = { source: new URL('./sizing-thread.ts', import.meta.url), built: 'sizing-thread' }

interface Options {
  /** Gets the number of finished sizes. */
  readonly onProgress: (done: number) => void
  readonly signal: AbortSignal
}

/**
 * Computes the sizes of a sizing in threads, each every second one, because larger sizes may take longer. The points
 * are in the order of the sizes. An error of one thread ends the others.
 *
 * V8 shares its helper threads among all threads of the process, at the normal priority. With their help, an eighth of
 * the processor time of a sizing would compete with requests. So young objects are collected without them meanwhile;
 * V8 reads this setting, which is one for the process, at each collection (ADR 0137).
 */
export async function computeInThreads(
  work: SizingWork,
  { onProgress, signal }: Options,
): Promise<SizingAnswer> {
  const count = Math.min(SIZING_THREADS, work.sizes.length)
  const done = Array.from({ length: count }, () => 0)
  const ended = new AbortController()
  const shares = done.map((_zero, index) =>
    work.sizes.filter((_size, position) => position % count === index),
  )
  setFlagsFromString('--no-parallel-scavenge')
  try {
    const answers = await Promise.all(
      shares.map((sizes, index) =>
        workInThread<SizingAnswer>(
          { ...work, sizes },
          {
            ...{
              script: SCRIPT,
              what: 'sizing',
              heapMb: SIZING_THREAD_HEAP_MB,
              timeoutMs: SIZING_TIMEOUT_MS,
            },
            signal: AbortSignal.any([signal, ended.signal]),
            onProgress(own) {
              done[index] = own
              onProgress(done.reduce((sum, one) => sum + one, 0))
            },
          },
        ),
      ),
    )
    return join(answers)
  } finally {
    setFlagsFromString('--parallel-scavenge')
    ended.abort(new Error('another thread of the sizing has failed'))
  }
}

function join(answers: readonly SizingAnswer[]): SizingAnswer {
  const outcomes: SizingOutcome[] = []
  for (const answer of answers) {
    if ('fault' in answer) return answer
    outcomes.push(answer.outcome)
  }
  const [first] = outcomes
  if (!first) throw new Error('a sizing has a size')
  const lists = outcomes.map(({ points }) => points)
  const points: PointText[] = []
  for (let index = 0; points.length < lists.reduce((sum, list) => sum + list.length, 0); index += 1) {
    const point = lists[index % lists.length]?.[Math.floor(index / lists.length)]
    if (point) points.push(point)
  }
  return { outcome: { base: first.base, points } }
}
