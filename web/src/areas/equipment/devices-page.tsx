import { Link, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useText } from '../../kernel/text.tsx'
import { KIND_TEXTS } from '../../records/kind-texts.ts'
import { DEVICES } from '../../records/plant-resources.ts'
import { CreateButton } from '../../records/record-buttons.tsx'
import { Select } from '../../ui/controls.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList, SearchFilter, useFilter } from '../../ui/paged-list.tsx'
import { StateFilter } from '../../ui/states.tsx'
import { DeviceTable } from './device-table.tsx'
import { DEVICE_SOURCES, ONLINE_STATES } from './states.ts'
import { EQUIPMENT_TEXTS } from './texts.ts'

const PAGE_SIZE = 50
const REFRESH_MS = 15_000

export function DevicesPage() {
  const t = useText()
  const { search, page = 1, state, source, sort = 'name' } = useSearch({ from: '/signed-in/devices' })
  const query = useGet(
    '/api/devices',
    {
      query: {
        skip: (page - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
        sort_by: sort,
        sort_order: sort === 'last_seen' ? 'desc' : 'asc',
        search,
        device_source: source,
        is_online: state === undefined ? undefined : state === 'online',
      },
    },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Page title={t(EQUIPMENT_TEXTS.EQUIPMENT_DEVICES())} actions={<DeviceFilters />}>
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <>
            <DeviceTable devices={items} />
          </>
        )}
      </PagedList>
    </Page>
  )
}

function DeviceFilters() {
  const t = useText()
  const search = useSearch({ from: '/signed-in/devices' })
  const filter = useFilter<typeof search>()
  return (
    <>
      <SearchFilter value={search.search} onFilter={filter} />
      <StateFilter
        label={t(EQUIPMENT_TEXTS.EQUIPMENT_SOURCE())}
        states={DEVICE_SOURCES}
        value={search.source}
        onChange={(source) => filter({ source })}
      />
      <StateFilter
        label={t(EQUIPMENT_TEXTS.EQUIPMENT_STATE())}
        states={ONLINE_STATES}
        value={search.state}
        onChange={(state) => filter({ state })}
      />
      <Select
        label={t(EQUIPMENT_TEXTS.EQUIPMENT_SORT())}
        value={search.sort ?? 'name'}
        onChange={(sort) => filter({ sort })}
        options={[
          { value: 'name', text: t(EQUIPMENT_TEXTS.EQUIPMENT_NAME()) },
          { value: 'device_type', text: t(EQUIPMENT_TEXTS.EQUIPMENT_TYPE()) },
          { value: 'last_seen', text: t(EQUIPMENT_TEXTS.EQUIPMENT_LAST_SEEN()) },
        ]}
      />
      <Link className="button" to="/templates">
        {t(KIND_TEXTS.KIND_TEMPLATES())}
      </Link>
      <CreateButton resource={DEVICES} />
    </>
  )
}
