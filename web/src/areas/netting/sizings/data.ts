import { useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../../../../clients/typescript/src/operations.ts'
import { useGet, whileWaiting } from '../../../api/queries.ts'

export const LIST = '/api/mahsuplasma/sizings'
export const ONE = '/api/mahsuplasma/sizings/{id}'
export type Sizing = ResponseOf<'GET', typeof ONE>
export type SizingHead = ResponseOf<'GET', typeof LIST>[number]
export type SizingPoint = Sizing['points'][number]

export const useSizing = (id: string) => useGet(ONE, { path: { id } }, { refetchInterval: whileWaiting })

interface ListQuery {
  readonly search?: string | undefined
  readonly offset: number
  readonly limit: number
}
export const useSizingList = ({ search, ...query }: ListQuery) =>
  useGet(
    LIST,
    { query: { ...query, ...(search !== undefined && { search }) } },
    { refetchInterval: whileWaiting, staleTime: 0 },
  )

/** All reads about sizings again, after one of them was changed. */
export function useSizingRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(LIST) })
}
