/** Reads of the API through the query cache. The key of a read is its path, its parameters and the language. */
import {
  keepPreviousData,
  type UseQueryOptions,
  type UseQueryResult,
  useQueries,
  useQuery,
} from '@tanstack/react-query'
import type { Arguments, PathOf, ResponseOf } from '../../../clients/typescript/src/operations.ts'
import { useClient } from './session.tsx'

type GetPath = PathOf<'GET'>
/** Mapped types, which the compiler computes for one path at a time. */
type Options = { [P in GetPath]: Arguments<'GET', P>[0] }
type Data = { [P in GetPath]: ResponseOf<'GET', P> }
type Settings = Pick<UseQueryOptions, 'refetchInterval' | 'staleTime'> & { readonly enabled?: boolean }

/** The client without the types of single paths, which `useGet` has checked. */
interface AnyClient {
  get(path: string, options: object): Promise<{ readonly data: unknown }>
}

function queryOf(api: object, language: string, path: string, options: object | undefined) {
  const parameters = options ?? {}
  return {
    queryKey: [path, parameters, language],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const { data } = await (api as AnyClient).get(path, { ...parameters, signal })
      return data
    },
  }
}

/** Reads a path. While the parameters change, the previous data stay on the screen. */
export function useGet<P extends GetPath>(path: P, options?: Options[P], settings: Settings = {}) {
  const { api, language } = useClient()
  const result: unknown = useQuery<unknown>({
    ...queryOf(api, language, path, options as object | undefined),
    placeholderData: keepPreviousData,
    ...(settings as object),
  })
  return result as UseQueryResult<Data[P]>
}

export interface Reads<Item> {
  /** Undefined until all reads have finished. */
  readonly data: readonly Item[] | undefined
  /** Those that have finished, at the indexes of their options. */
  readonly parts: readonly (Item | undefined)[]
  readonly error: unknown
  readonly refetch: () => unknown
}

/** Reads a path several times, with the options of each read; the results have the order of the options. */
export function useGets<P extends GetPath>(
  path: P,
  options: readonly Options[P][],
  settings: Settings = {},
): Reads<Data[P]> {
  const { api, language } = useClient()
  return useQueries({
    queries: options.map((each) => ({
      ...queryOf(api, language, path, each as object | undefined),
      ...(settings as object),
    })),
    combine: (results) => {
      const parts = results.map(({ data }) => data as Data[P] | undefined)
      return {
        data: results.every(({ data }) => data !== undefined) ? (parts as readonly Data[P][]) : undefined,
        parts,
        error: results.find(({ error }) => error !== null)?.error ?? null,
        refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
      }
    },
  })
}

/** The time until a calculation, or a list of them, is read again while one is waiting. */
const WAITING_REFRESH_MS = 1000

/** The interval of a read of calculations: they are read again until none is waiting. */
export function whileWaiting({ state }: { readonly state: { readonly data?: unknown } }): number | false {
  const heads = [state.data ?? []].flat() as readonly { readonly state?: string }[]
  return heads.some((head) => head.state === 'waiting') ? WAITING_REFRESH_MS : false
}
