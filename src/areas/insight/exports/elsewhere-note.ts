import type { Deps } from '../../../platform/runtime/deps.ts'
import { EXPORT_ELSEWHERE_NOTE_MS } from './limits.ts'

/** Notes requests for files of exports that other processes have in readiness. Returns what counts one. */
export function noteFilesElsewhere({ readiness, clock }: Pick<Deps, 'readiness' | 'clock'>): () => void {
  let lastAt = Number.NEGATIVE_INFINITY
  let count = 0
  readiness.note(() =>
    clock.now() - lastAt < EXPORT_ELSEWHERE_NOTE_MS
      ? [
          `requests for files of exports that are in a folder of other processes: ${count}; ` +
            'mount one folder as DATA_DIR/exports on all machines',
        ]
      : [],
  )
  return () => {
    lastAt = clock.now()
    count += 1
  }
}
