import { Link, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { CHARGERS } from '../../records/plant-resources.ts'
import { CreateButton } from '../../records/record-buttons.tsx'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList, SearchFilter, useFilter } from '../../ui/paged-list.tsx'
import { StateFilter, StateTag } from '../../ui/states.tsx'
import { type Charger, CONNECTIONS, STATUSES } from './states.ts'
import { CHARGING_TEXTS } from './texts.ts'

const PAGE_SIZE = 60
const REFRESH_MS = 5_000

/** The chargers as tiles with their present states. */
export function ChargersPage() {
  const t = useText()
  const { search, page = 1, connection } = useSearch({ from: '/signed-in/charging' })
  const filter = useFilter<{ search?: string; connection?: typeof connection | undefined }>()
  const filters = {
    ...({ sort_by: 'name', sort_order: 'asc' } as const),
    search,
    is_online: connection === undefined ? undefined : connection === 'online',
  }
  const query = useGet(
    '/api/ocpp/chargers',
    {
      query: {
        skip: (page - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
        ...filters,
      },
    },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Page
      title={t(CHARGING_TEXTS.CHARGING_CHARGERS())}
      actions={
        <>
          <SearchFilter value={search} onFilter={filter} />
          <StateFilter
            label={t(CHARGING_TEXTS.CHARGING_CONNECTION())}
            states={CONNECTIONS}
            value={connection}
            onChange={(value) => filter({ connection: value })}
          />
          <CreateButton resource={CHARGERS} />
          <Link className="button" to="/charging/sessions">
            {t(CHARGING_TEXTS.CHARGING_SESSIONS())}
          </Link>
          <Link className="button" to="/charging/management">
            {t(CHARGING_TEXTS.CHARGING_MANAGEMENT())}
          </Link>
        </>
      }
    >
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="muted">{t(CHARGING_TEXTS.CHARGING_NO_CHARGERS())}</p>}
            <ExportMenu
              caption={t(CHARGING_TEXTS.CHARGING_CHARGERS())}
              report={{ list: 'chargers', query: filters }}
            />
            <ul className="cards plain">
              {items.map((charger) => (
                <ChargerTile key={charger.id} charger={charger} />
              ))}
            </ul>
          </>
        )}
      </PagedList>
    </Page>
  )
}

function ChargerTile({ charger }: { readonly charger: Charger }) {
  const t = useText()
  const { language } = useLanguage()
  const { id, name, is_online, connectors, last_message_at } = charger
  return (
    <li className="card">
      <h2>
        <Link to="/charging/chargers/$chargerId" params={{ chargerId: id }}>
          {name}
        </Link>
      </h2>
      <div className="row">
        <StateTag states={CONNECTIONS} value={is_online ? 'online' : 'offline'} />
        <StateTag states={STATUSES} value={charger.status ?? 'unknown'} />
      </div>
      <ul className="plain">
        {connectors.map(({ connector_id, evse_connector_id, status }) => (
          <li key={`${connector_id} ${evse_connector_id}`} className="row">
            {t(CHARGING_TEXTS.CHARGING_CONNECTOR({ id: connector_id }))}
            <StateTag states={STATUSES} value={status ?? 'unknown'} />
          </li>
        ))}
      </ul>
      {last_message_at !== null && (
        <p className="muted">
          {t(CHARGING_TEXTS.CHARGING_LAST_MESSAGE())}: {formatInstant(last_message_at, 'dateTime', language)}
        </p>
      )}
    </li>
  )
}
