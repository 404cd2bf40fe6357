/** Lists whose page and filters are in the address: shared by a link, kept over a reload. */
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../kernel/text.tsx'
import { TextField } from './controls.tsx'
import { DateField } from './date-field.tsx'
import { Loaded, type Query } from './page.tsx'
import { Pager } from './pager.tsx'
import { UI_TEXTS } from './texts.ts'

/** Changes filters in the address of the page, whose list then starts with its first page. */
export function useFilter<Filters extends object>(): (change: Partial<Filters>) => void {
  const changeSearch = useSearchChange()
  return (change) => changeSearch({ page: undefined, ...change }, { replace: true })
}

/** The types of the router belong to one route; here the route is the one that is open. */
function useSearchChange() {
  const navigate = useNavigate()
  return (change: object, { replace }: { readonly replace: boolean }) =>
    void navigate({ to: '.', search: ((previous: object) => ({ ...previous, ...change })) as never, replace })
}

interface PagedListProps<Data> {
  readonly query: Query<Data>
  /** From 1. */
  readonly page: number
  readonly pageSize: number
  /** Called instead of changing the address, for a list beside another one. */
  readonly onPage?: (page: number) => void
  readonly children: (data: Data) => ReactNode
}

/** One page of the records of a read, and the buttons that turn pages. */
export function PagedList<Data extends { readonly total: number }>(props: PagedListProps<Data>) {
  const { query, page, pageSize, onPage, children } = props
  const changeSearch = useSearchChange()
  const turn = onPage ?? ((next: number) => changeSearch({ page: next }, { replace: false }))
  return (
    <Loaded query={query}>
      {(data) => (
        <>
          {children(data)}
          <Pager page={page} pageSize={pageSize} total={data.total} onPage={turn} />
        </>
      )}
    </Loaded>
  )
}

interface FilterProps<Filters> {
  readonly onFilter: (change: Filters) => void
}

/** The filter by words. */
export function SearchFilter({
  value,
  onFilter,
}: FilterProps<{ search: string }> & { readonly value: string | undefined }) {
  const t = useText()
  return (
    <TextField
      label={t(UI_TEXTS.UI_SEARCH())}
      type="search"
      value={value ?? ''}
      onChange={(search) => onFilter({ search })}
    />
  )
}

interface DayFiltersProps extends FilterProps<{ from?: string; to?: string }> {
  readonly days: { readonly from: string; readonly to: string }
}

/** The filter by days, of which the last one is included. */
export function DayFilters({ days, onFilter }: DayFiltersProps) {
  const t = useText()
  return (
    <>
      <DateField label={t(UI_TEXTS.UI_FROM())} value={days.from} onChange={(from) => onFilter({ from })} />
      <DateField label={t(UI_TEXTS.UI_TO())} value={days.to} onChange={(to) => onFilter({ to })} />
    </>
  )
}
