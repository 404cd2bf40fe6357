import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../../../../clients/typescript/src/operations.ts'
import { type Reads, useGet, useGets, whileWaiting } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.tsx'
import type { Part, ResultRow } from './figures.ts'

export const LIST = '/api/mahsuplasma/scenarios'
export const ONE = '/api/mahsuplasma/scenarios/{id}'
export type Scenario = ResponseOf<'GET', typeof ONE>
export type ScenarioHead = ResponseOf<'GET', typeof LIST>[number]

export const useScenario = (id: string) => useGet(ONE, { path: { id } }, { refetchInterval: whileWaiting })

export const useScenarioDetails = (ids: readonly string[]) =>
  useGets(
    ONE,
    ids.map((id) => ({ path: { id } })),
    { refetchInterval: whileWaiting },
  )

interface ListQuery {
  readonly search?: string | undefined
  readonly offset: number
  readonly limit: number
}
export const useScenarioList = ({ search, ...query }: ListQuery) =>
  useGet(
    LIST,
    { query: { ...query, ...(search !== undefined && { search }) } },
    { refetchInterval: whileWaiting, staleTime: 0 },
  )

/** All reads about scenarios again, after one of them was changed. */
export function useScenarioRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(LIST) })
}

/** Rows of one request. */
const ROWS_READ = 500

interface Selection {
  readonly group_id?: string
  readonly billing_period?: string
}

/** All rows of a part of the results of scenarios. Hours are those of one group and month. */
export function useResultRows(
  scenarios: readonly { readonly id: string; readonly finished_at: string | null }[],
  part: Part,
  selection: Selection,
): Reads<readonly ResultRow[]> {
  const { api, language } = useClient()
  const isReady = part !== 'hours' || selection.group_id !== undefined
  return useQueries({
    queries: scenarios.map(({ id, finished_at }) => ({
      queryKey: [`${ONE}/${part}`, id, finished_at, selection, language],
      enabled: isReady,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const rows: ResultRow[] = []
        const query = { ...selection, limit: ROWS_READ } as {
          group_id: string
          billing_period: string
          limit: number
        }
        const options = { path: { id }, query, signal }
        const list =
          part === 'months'
            ? api.list(`${ONE}/months`, options)
            : part === 'members'
              ? api.list(`${ONE}/members`, options)
              : api.list(`${ONE}/hours`, options)
        for await (const row of list) rows.push(row as ResultRow)
        return rows
      },
    })),
    combine: (results) => {
      const parts = results.map(({ data }) => data)
      return {
        parts,
        data: parts.every((data) => data !== undefined) ? parts : undefined,
        error: results.find(({ error }) => error !== null)?.error ?? null,
        refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
      }
    },
  })
}

/** A function that gives the name of a group; its id until the name is known. */
export function useGroupNames(ids: readonly string[]): (id: string) => string {
  const distinct = [...new Set(ids)].toSorted()
  const { parts } = useGets(
    '/api/mahsuplasma/groups/{id}',
    distinct.map((id) => ({ path: { id } })),
  )
  const names = new Map(parts.map((group, index) => [distinct[index], group?.name]))
  return (id) => names.get(id) ?? id
}
