import { useMemo } from 'react'
import { useGet } from '../../../api/queries.ts'
import type { StaleRange } from './marks.ts'

/** The runs of a group that are searched for outdated hours, the latest first. */
const RUNS_READ = 500

/** The calculated hours of a group whose input has changed since. */
export function useStaleRanges(groupId: string): readonly StaleRange[] {
  const runs = useGet('/api/mahsuplasma/groups/{id}/runs', {
    path: { id: groupId },
    query: { limit: RUNS_READ },
  })
  return useMemo(
    () =>
      (runs.data ?? [])
        .filter(({ is_current }) => is_current)
        .flatMap(({ stale_ranges }) =>
          stale_ranges.map(({ from_hour, to_hour }) => ({
            from: Date.parse(from_hour),
            to: Date.parse(to_hour),
          })),
        ),
    [runs.data],
  )
}
