/** The limit accounts of the consumers of a group, and their movements. */
import { useQuery } from '@tanstack/react-query'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useGets } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import type { Member } from './facilities.ts'

export type Movement = ListItem<'/api/mahsuplasma/limits/accounts/{id}/movements'>
export type Account = ListItem<'/api/mahsuplasma/limits/accounts'>

/** The newest movements of an account that pages read. */
export const MOVEMENTS_READ = 2000

/** The accounts of the members that consume, for a year. */
export function useAccounts(members: readonly Member[], year: number) {
  const ids = members
    .filter(({ member_role }) => member_role !== 'production')
    .map((member) => member.facility_id)
  const reads = useGets(
    '/api/mahsuplasma/limits/accounts',
    [...new Set(ids)].map((facility_id) => ({ query: { facility_id, year, include: 'limits' as const } })),
  )
  return { ...reads, data: reads.data?.flat() }
}

/** The movements of accounts, newest first; those of all accounts together. With a run only those that it booked. */
export function useMovements(accounts: readonly Account[], runId?: string) {
  const { api, language } = useClient()
  const ids = accounts.map(({ id }) => id)
  return useQuery({
    queryKey: ['/api/mahsuplasma/limits/accounts/{id}/movements', ids, runId, language],
    queryFn: async ({ signal }): Promise<readonly Movement[]> => {
      const movements: Movement[] = []
      for (const id of ids) {
        let count = 0
        for await (const movement of api.list('/api/mahsuplasma/limits/accounts/{id}/movements', {
          path: { id },
          query: { calculation_run_id: runId },
          signal,
        })) {
          movements.push(movement)
          count += 1
          if (count >= MOVEMENTS_READ) break
        }
      }
      return movements
    },
  })
}
