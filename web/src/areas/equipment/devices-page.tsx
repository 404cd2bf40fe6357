import { Link, useSearch } from '@tanstack/react-router'
import { useRows } from '../../api/rows.ts'
import { useCan } from '../../api/session.tsx'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { EXPORTS } from '../../records/export-resources.ts'
import { KIND_TEXTS } from '../../records/kind-texts.ts'
import { DEVICES } from '../../records/plant-resources.ts'
import { CreateButton } from '../../records/record-buttons.tsx'
import { Select } from '../../ui/controls.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { SearchFilter, useFilter } from '../../ui/paged-list.tsx'
import { StateFilter } from '../../ui/states.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { useDeviceColumns } from './device-table.tsx'
import { DEVICE_SOURCES, ONLINE_STATES } from './states.ts'
import { EQUIPMENT_TEXTS } from './texts.ts'

const REFRESH_MS = 15_000

/** The devices, of which those in view are read. */
export function DevicesPage() {
  const t = useText()
  const { search, state, source, sort = 'name' } = useSearch({ from: '/signed-in/devices' })
  const filters = {
    sort_by: sort,
    sort_order: sort === 'last_seen' ? 'desc' : 'asc',
    search,
    device_source: source,
    is_online: state === undefined ? undefined : state === 'online',
  }
  const { query, rowAt, show } = useRows('/api/devices', filters, REFRESH_MS)
  const { language } = useLanguage()
  const columns = useDeviceColumns()
  return (
    <Page title={t(EQUIPMENT_TEXTS.EQUIPMENT_DEVICES())} actions={<DeviceFilters />}>
      <Loaded query={query}>
        {(total) => (
          <>
            <p className="muted" role="status">
              {t(
                EQUIPMENT_TEXTS.EQUIPMENT_DEVICES_FOUND({
                  count: total,
                  shown: total.toLocaleString(language),
                }),
              )}
            </p>
            {/* Another list begins at its first row. */}
            <VirtualTable
              key={JSON.stringify(filters)}
              report={{ list: 'devices', query: filters }}
              caption={t(EQUIPMENT_TEXTS.EQUIPMENT_DEVICES())}
              columns={columns}
              total={total}
              rowAt={rowAt}
              empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_DEVICES())}
              onRange={show}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function DeviceFilters() {
  const t = useText()
  const can = useCan()
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
      {can('read:measurement') && (
        <Link className="button" to="/exports">
          {t(EXPORTS.title())}
        </Link>
      )}
      <CreateButton resource={DEVICES} />
    </>
  )
}
