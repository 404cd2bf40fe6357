import { Link, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { GATEWAYS } from '../../records/plant-resources.ts'
import { CreateButton } from '../../records/record-buttons.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList, SearchFilter, useFilter } from '../../ui/paged-list.tsx'
import { StateFilter, StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { DeadLetters } from './dead-letters.tsx'
import { CONFIG_STATES, GATEWAY_TYPES, ONLINE_STATES } from './states.ts'
import { EQUIPMENT_TEXTS } from './texts.ts'

const PAGE_SIZE = 50
const REFRESH_MS = 15_000

/** The gateways, and the messages of all of them that could not be processed. */
export function GatewaysPage() {
  const t = useText()
  const { search, type, state } = useSearch({ from: '/signed-in/gateways' })
  const filter = useFilter<{
    search?: string
    type?: typeof type | undefined
    state?: typeof state | undefined
  }>()
  return (
    <Page
      title={t(EQUIPMENT_TEXTS.EQUIPMENT_GATEWAYS())}
      actions={
        <>
          <SearchFilter value={search} onFilter={filter} />
          <StateFilter
            label={t(EQUIPMENT_TEXTS.EQUIPMENT_TYPE())}
            states={GATEWAY_TYPES}
            value={type}
            onChange={(value) => filter({ type: value })}
          />
          <StateFilter
            label={t(EQUIPMENT_TEXTS.EQUIPMENT_STATE())}
            states={ONLINE_STATES}
            value={state}
            onChange={(value) => filter({ state: value })}
          />
          <CreateButton resource={GATEWAYS} />
        </>
      }
    >
      <GatewayTable />
      <section className="stack">
        <h2>{t(EQUIPMENT_TEXTS.EQUIPMENT_DEAD_LETTERS())}</h2>
        <DeadLetters />
      </section>
    </Page>
  )
}

function GatewayTable() {
  const t = useText()
  const { search, type, state, page = 1 } = useSearch({ from: '/signed-in/gateways' })
  const filters = {
    ...({ sort_by: 'name', sort_order: 'asc' } as const),
    search,
    gateway_type: type,
    is_online: state === undefined ? undefined : state === 'online',
  }
  const query = useGet(
    '/api/gateways',
    {
      query: {
        skip: (page - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
        ...filters,
      },
    },
    { refetchInterval: REFRESH_MS },
  )
  const columns = useGatewayColumns()
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
      {({ items }) => (
        <>
          <DataTable
            report={{ list: 'gateways', query: filters }}
            caption={t(EQUIPMENT_TEXTS.EQUIPMENT_GATEWAYS())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_GATEWAYS())}
            columns={columns}
          />
        </>
      )}
    </PagedList>
  )
}

function useGatewayColumns() {
  const t = useText()
  const { language } = useLanguage()
  return [
    {
      id: 'name',
      title: t(EQUIPMENT_TEXTS.EQUIPMENT_NAME()),
      cell: ({ id, name }: Gateway) => (
        <Link to="/gateways/$gatewayId" params={{ gatewayId: id }}>
          {name}
        </Link>
      ),
    },
    {
      id: 'type',
      title: t(EQUIPMENT_TEXTS.EQUIPMENT_TYPE()),
      cell: (row: Gateway) => <StateTag states={GATEWAY_TYPES} value={row.gateway_type} />,
    },
    {
      id: 'state',
      title: t(EQUIPMENT_TEXTS.EQUIPMENT_STATE()),
      cell: (row: Gateway) => <StateTag states={ONLINE_STATES} value={row.is_online ? 'online' : 'silent'} />,
    },
    {
      id: 'configuration',
      title: t(EQUIPMENT_TEXTS.EQUIPMENT_CONFIGURATION()),
      cell: (row: Gateway) =>
        row.config_state === null ? (
          <span className="muted">{t(EQUIPMENT_TEXTS.EQUIPMENT_NOT_PUSHED())}</span>
        ) : (
          <StateTag states={CONFIG_STATES} value={row.config_state} />
        ),
    },
    {
      id: 'seen',
      title: t(EQUIPMENT_TEXTS.EQUIPMENT_LAST_MESSAGE()),
      cell: ({ last_seen }: Gateway) =>
        last_seen === null ? t(UI_TEXTS.UI_NONE()) : formatInstant(last_seen, 'dateTime', language),
    },
  ]
}

interface Gateway {
  readonly id: string
  readonly name: string
  readonly gateway_type: keyof typeof GATEWAY_TYPES
  readonly is_online: boolean
  readonly config_state: keyof typeof CONFIG_STATES | null
  readonly last_seen: string | null
}
