import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAnyClient } from './any-client.ts'
import type { AnyRecord, Reference, Resource } from './resource.ts'

interface RecordPage {
  readonly items: readonly AnyRecord[]
  /** Undefined for a list that is divided without a total. */
  readonly total: number | undefined
}

/** The two forms of lists of the API: a page with its total, and a plain array. */
export function pageOf(data: unknown): RecordPage {
  if (Array.isArray(data)) return { items: data as readonly AnyRecord[], total: undefined }
  const { items, total } = data as { readonly items: readonly AnyRecord[]; readonly total: number }
  return { items, total }
}

const withIds = ({ items, total }: RecordPage, key = 'id'): RecordPage => ({
  items: items.map((item) => ({ ...item, id: String(item[key]) })),
  total,
})

interface ListOptions {
  readonly resource: Resource
  readonly parentId: string | undefined
  readonly search: string
  /** From 1. */
  readonly page: number
}
export const LIST_SIZE = 50
const REFRESH_MS = 1000

/** One page of a resource; with one record more than is shown where the API gives no total. */
export function useRecords({ resource, parentId, search, page }: ListOptions) {
  const { api, language } = useAnyClient()
  const { list, paging, query = {}, hasSearch, key, isWaiting = () => false } = resource
  const skip = (page - 1) * LIST_SIZE
  const parameters = {
    ...query,
    ...(paging === 'skip' && { skip, limit: LIST_SIZE }),
    ...(paging === 'offset' && { offset: skip, limit: LIST_SIZE + 1 }),
    ...(hasSearch && search !== '' && { search }),
  }
  return useQuery({
    queryKey: [list, parentId, parameters, language],
    enabled: resource.parent === undefined || parentId !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }: { readonly state: { readonly data?: RecordPage | undefined } }) =>
      state.data?.items.some(isWaiting) ? REFRESH_MS : false,
    queryFn: async ({ signal }) => {
      const path = parentId === undefined ? {} : { path: { id: parentId } }
      return withIds(pageOf((await api.get(list, { ...path, query: parameters, signal })).data), key)
    },
  })
}

const NAMES_READ = 200

/** The records that a reference may name, which match a text where the list can be searched. */
export function useReferred(reference: Reference, search = '') {
  const { api, language } = useAnyClient()
  const { list, query = {}, hasSearch } = reference
  const parameters = { ...query, limit: NAMES_READ, ...(hasSearch && search !== '' && { search }) }
  return useQuery({
    queryKey: [list, parameters, language],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => pageOf((await api.get(list, { query: parameters, signal })).data).items,
  })
}
