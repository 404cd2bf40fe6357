import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { CHARGING_KIND_TEXTS } from '../../records/charging-kind-texts.ts'
import { CERTIFICATES, CHARGER_FILES, PROFILES } from '../../records/charging-resources.ts'
import { CHARGERS } from '../../records/plant-resources.ts'
import { RecordButtons } from '../../records/record-buttons.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { StateTag } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { ChargerEvents } from './charger-events.tsx'
import { ChargerSessions } from './charger-sessions.tsx'
import { ChargerCertificates, ChargerFiles, ChargerLocalList, ChargerProfiles } from './charger-setup.tsx'
import { CommandForm } from './command-form.tsx'
import { CommandTable } from './command-table.tsx'
import { StartForm } from './start-form.tsx'
import { type Charger, CONNECTIONS, STATUSES } from './states.ts'
import { CHARGING_TEXTS } from './texts.ts'

const REFRESH_MS = 3_000

/** One charger: its connectors, its sessions, its commands with their results, and its events. */
export function ChargerPage() {
  const t = useText()
  const can = useCan()
  const { chargerId } = useParams({ from: '/signed-in/charging/chargers/$chargerId' })
  const { tab = 'sessions' } = useSearch({ from: '/signed-in/charging/chargers/$chargerId' })
  const navigate = useNavigate({ from: '/charging/chargers/$chargerId' })
  const toList = useNavigate()
  const query = useGet(
    '/api/ocpp/chargers/{id}',
    { path: { id: chargerId } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Page
      title={query.data?.name ?? t(CHARGING_TEXTS.CHARGING_CHARGER())}
      actions={
        query.data && (
          <RecordButtons
            resource={CHARGERS}
            record={{ ...query.data }}
            onDeleted={() => void toList({ to: '/charging' })}
          />
        )
      }
    >
      <Loaded query={query}>
        {(charger) => (
          <>
            <ChargerState charger={charger} />
            <Connectors charger={charger} />
            <Tabs
              label={t(UI_TEXTS.UI_PARTS())}
              selected={tab}
              onSelect={(next) => void navigate({ search: { tab: next }, replace: true })}
              tabs={[
                { name: 'sessions', title: t(CHARGING_TEXTS.CHARGING_SESSIONS()) },
                { name: 'commands', title: t(CHARGING_TEXTS.CHARGING_COMMANDS()) },
                { name: 'events', title: t(CHARGING_TEXTS.CHARGING_EVENTS()) },
                { name: 'profiles', title: t(PROFILES.title()) },
                { name: 'local-list', title: t(CHARGING_KIND_TEXTS.CHARGING_KIND_LOCAL_LIST()) },
                { name: 'certificates', title: t(CERTIFICATES.title()) },
                { name: 'files', title: t(CHARGER_FILES.title()) },
              ]}
            >
              {tab === 'sessions' && (
                <>
                  {can('manage:charger') && <StartForm charger={charger} />}
                  <ChargerSessions chargerId={chargerId} />
                </>
              )}
              {tab === 'commands' && (
                <>
                  {can('manage:charger') && <CommandForm chargerId={chargerId} />}
                  <CommandTable chargerId={chargerId} />
                </>
              )}
              {tab === 'events' && <ChargerEvents chargerId={chargerId} />}
              {tab === 'profiles' && <ChargerProfiles charger={charger} />}
              {tab === 'local-list' && <ChargerLocalList charger={charger} />}
              {tab === 'certificates' && <ChargerCertificates charger={charger} />}
              {tab === 'files' && <ChargerFiles charger={charger} />}
            </Tabs>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function ChargerState({ charger }: { readonly charger: Charger }) {
  const t = useText()
  const { language } = useLanguage()
  const { vendor, model, last_message_at } = charger
  return (
    <section className="card">
      <div className="row">
        <StateTag states={CONNECTIONS} value={charger.is_online ? 'online' : 'offline'} />
        <StateTag states={STATUSES} value={charger.status ?? 'unknown'} />
      </div>
      <DetailList
        entries={[
          [t(CHARGING_TEXTS.CHARGING_CPID()), charger.cpid],
          [t(CHARGING_TEXTS.CHARGING_VENDOR()), [vendor, model].filter((part) => part !== null).join(' ')],
          [t(CHARGING_TEXTS.CHARGING_SERIAL()), charger.serial_number],
          [t(CHARGING_TEXTS.CHARGING_FIRMWARE()), charger.firmware_version],
          [t(CHARGING_TEXTS.CHARGING_VERSION()), charger.ocpp_version],
          [t(CHARGING_TEXTS.CHARGING_SECURITY()), String(charger.security_profile)],
          [
            t(CHARGING_TEXTS.CHARGING_LAST_MESSAGE()),
            last_message_at === null ? null : formatInstant(last_message_at, 'dateTime', language),
          ],
        ]}
      />
    </section>
  )
}

function Connectors({ charger: { id, connectors } }: { readonly charger: Charger }) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable
      report={{ list: 'charger_connectors', query: { id } }}
      caption={t(CHARGING_TEXTS.CHARGING_CONNECTORS())}
      rows={connectors}
      keyOf={({ connector_id, evse_connector_id }) => `${connector_id} ${evse_connector_id}`}
      empty={t(CHARGING_TEXTS.CHARGING_NO_CONNECTORS())}
      columns={[
        {
          id: 'connector',
          title: t(CHARGING_TEXTS.CHARGING_CONNECTOR_COLUMN()),
          cell: ({ connector_id }) => connector_id,
        },
        {
          id: 'state',
          title: t(CHARGING_TEXTS.CHARGING_STATE()),
          cell: ({ status }) => <StateTag states={STATUSES} value={status ?? 'unknown'} />,
        },
        {
          id: 'error',
          title: t(CHARGING_TEXTS.CHARGING_ERROR()),
          cell: ({ error_code, vendor_error_code, info }) =>
            error_code === null || error_code === 'NoError'
              ? t(UI_TEXTS.UI_NONE())
              : [error_code, vendor_error_code, info].filter((part) => part !== null).join(' · '),
        },
        {
          id: 'since',
          title: t(CHARGING_TEXTS.CHARGING_SINCE()),
          cell: ({ status_at }) => (status_at === null ? '' : formatInstant(status_at, 'dateTime', language)),
        },
      ]}
    />
  )
}
