import { useParams, useSearch } from '@tanstack/react-router'
import { addMonths, beginningOf, monthOf } from '../../kernel/dates.ts'

const ROUTE = '/signed-in/netting/groups/$groupId'

/** The group and the month of the page, in the forms in which the API takes them. */
export function useGroupMonth() {
  const { groupId } = useParams({ from: ROUTE })
  const month = useSearch({ from: ROUTE, select: (search) => search.month ?? monthOf(Date.now()) })
  return { groupId, month, path: { id: groupId }, period: `${month}-01`, range: rangeOf(month) }
}

/** The first hour of a month, and of the next one. */
const rangeOf = (month: string) => ({
  from: beginningOf(month).toISOString(),
  to: beginningOf(addMonths(month, 1)).toISOString(),
})
