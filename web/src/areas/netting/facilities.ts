import { localDate } from '../../../../src/kernel/time.ts'
import { useGet, useGets } from '../../api/queries.ts'

/** The memberships of a group, including those that have ended. */
export const useMembers = (groupId: string) =>
  useGet('/api/mahsuplasma/groups/{id}/members', { path: { id: groupId } })
export type Member = NonNullable<ReturnType<typeof useMembers>['data']>[number]

/** The memberships that contain an instant. */
export function membersAt(members: readonly Member[], instant: number): Member[] {
  const day = localDate(instant)
  return members.filter(
    ({ valid_from, valid_to }) => valid_from <= day && (valid_to === null || day < valid_to),
  )
}

/** A function that gives the name of a facility; its id until the name is known. */
export function useFacilityNames(ids: readonly string[]): (id: string) => string {
  const distinct = [...new Set(ids)].toSorted()
  const { parts } = useGets(
    '/api/mahsuplasma/facilities/{id}',
    distinct.map((id) => ({ path: { id } })),
  )
  const names = new Map(parts.map((facility, index) => [distinct[index], facility?.name]))
  return (id) => names.get(id) ?? id
}
