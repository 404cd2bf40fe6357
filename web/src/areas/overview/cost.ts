import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { scaled, sumOf, unscaled } from '../../kernel/decimal.ts'

type Comparison = ResponseOf<'GET', '/api/mahsuplasma/groups/{id}/comparison'>
interface Compared extends Pick<Comparison, 'netted_by'> {
  readonly difference: Pick<Comparison['difference'], 'total_try'>
}

const TRY_PLACES = 6

/** What netting by the hour cost the groups that are netted by the hour; negative: it was a gain. */
export function costOf(comparisons: readonly Compared[]): string | null {
  const differences = comparisons.flatMap(({ netted_by, difference }) =>
    netted_by === 'hour' && difference.total_try !== null ? [difference.total_try] : [],
  )
  // The difference is hourly less monthly netting from the view of the owner.
  return differences.length === 0 ? null : unscaled(-scaled(sumOf(differences), TRY_PLACES), TRY_PLACES)
}
