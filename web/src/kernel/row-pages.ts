/** The pages of a list that is read by pages. */

/** The most that a request returns. */
export const PAGE_SIZE = 200

export interface RowRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The pages that contain the rows of a range; the first one when there are none. */
export function pagesOf({ from, to }: RowRange): number[] {
  const first = Math.floor(from / PAGE_SIZE)
  const last = Math.max(first, Math.ceil(to / PAGE_SIZE) - 1)
  return Array.from({ length: last - first + 1 }, (_item, index) => first + index)
}
