/** Rows of a long list, read by pages as they come into view. */
import { useCallback, useRef, useState } from 'react'
import type { ListItem } from '../../../clients/typescript/src/index.ts'
import { PAGE_SIZE, pagesOf, type RowRange } from '../kernel/row-pages.ts'
import { useGets } from './queries.ts'

/** Lists with `skip` and `limit` whose responses have `items` and `total`. */
type RowsPath = '/api/devices'

interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly total: number
}

/**
 * The rows of a list. `show` names those in view, whose pages are read, and read again every `refetchInterval`; pages
 * that were in view stay in the cache for five minutes.
 */
export function useRows<P extends RowsPath>(path: P, query: object, refetchInterval: number) {
  const [pages, setPages] = useState<readonly number[]>([0])
  const reads = useGets(
    path,
    pages.map((page) => ({ query: { ...query, skip: page * PAGE_SIZE, limit: PAGE_SIZE } })),
    { refetchInterval },
  )
  const parts = reads.parts as readonly (PageOf<ListItem<P>> | undefined)[]
  const key = JSON.stringify(query)
  // The number of rows is known while other pages are read; that of other filters is not the one of these.
  const known = useRef({ key, total: undefined as number | undefined })
  const total = parts.find((part) => part !== undefined)?.total
  if (total !== undefined) known.current = { key, total }
  else if (known.current.key !== key) known.current = { key, total: undefined }
  const show = useCallback((range: RowRange) => {
    const next = pagesOf(range)
    setPages((previous) => (String(previous) === String(next) ? previous : next))
  }, [])
  const rowAt = (index: number): ListItem<P> | undefined => {
    const part = pages.indexOf(Math.floor(index / PAGE_SIZE))
    return part < 0 ? undefined : parts[part]?.items[index % PAGE_SIZE]
  }
  return {
    query: { data: known.current.total, error: reads.error, refetch: reads.refetch },
    rowAt,
    show,
  }
}
