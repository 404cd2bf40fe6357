import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { spanText } from '../../kernel/units.ts'
import { GATEWAYS } from '../../records/plant-resources.ts'
import { RecordButtons } from '../../records/record-buttons.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { StateTag } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { DeadLetters } from './dead-letters.tsx'
import { DeviceTable } from './device-table.tsx'
import { GatewayConfiguration } from './gateway-configuration.tsx'
import { CONFIG_STATES, GATEWAY_TYPES, ONLINE_STATES } from './states.ts'
import { EQUIPMENT_TEXTS } from './texts.ts'

const REFRESH_MS = 10_000
const PAGE_SIZE = 50

/** One gateway: its state, its devices, its configuration and its messages that could not be processed. */
export function GatewayPage() {
  const t = useText()
  const { gatewayId } = useParams({ from: '/signed-in/gateways/$gatewayId' })
  const { tab = 'devices' } = useSearch({ from: '/signed-in/gateways/$gatewayId' })
  const navigate = useNavigate({ from: '/gateways/$gatewayId' })
  const toList = useNavigate()
  const query = useGet('/api/gateways/{id}', { path: { id: gatewayId } }, { refetchInterval: REFRESH_MS })
  return (
    <Page
      title={query.data?.name ?? t(EQUIPMENT_TEXTS.EQUIPMENT_GATEWAY())}
      actions={
        query.data && (
          <RecordButtons
            resource={GATEWAYS}
            record={{ ...query.data }}
            onDeleted={() => void toList({ to: '/gateways' })}
          />
        )
      }
    >
      <Loaded query={query}>
        {(gateway) => (
          <>
            <GatewayState gateway={gateway} />
            <Tabs
              label={t(UI_TEXTS.UI_PARTS())}
              selected={tab}
              onSelect={(next) => void navigate({ search: { tab: next }, replace: true })}
              tabs={[
                { name: 'devices', title: t(EQUIPMENT_TEXTS.EQUIPMENT_DEVICES()) },
                { name: 'configuration', title: t(EQUIPMENT_TEXTS.EQUIPMENT_CONFIGURATION()) },
                { name: 'dead-letters', title: t(EQUIPMENT_TEXTS.EQUIPMENT_DEAD_LETTERS()) },
              ]}
            >
              {tab === 'devices' && <GatewayDevices gateway={gateway} />}
              {tab === 'configuration' && <GatewayConfiguration gatewayId={gatewayId} />}
              {tab === 'dead-letters' && <DeadLetters gatewayId={gatewayId} />}
            </Tabs>
          </>
        )}
      </Loaded>
    </Page>
  )
}

type Gateway = NonNullable<ReturnType<typeof useGet<'/api/gateways/{id}'>>['data']>

function GatewayState({ gateway }: { readonly gateway: Gateway }) {
  const t = useText()
  const { language } = useLanguage()
  const { host, port, config_state, last_seen, clock_skew_ms, poll_interval_s } = gateway
  return (
    <section className="card">
      <div className="row">
        <StateTag states={ONLINE_STATES} value={gateway.is_online ? 'online' : 'silent'} />
        <StateTag states={GATEWAY_TYPES} value={gateway.gateway_type} />
        {config_state !== null && <StateTag states={CONFIG_STATES} value={config_state} />}
      </div>
      <DetailList
        entries={[
          [
            t(EQUIPMENT_TEXTS.EQUIPMENT_LAST_MESSAGE()),
            last_seen === null ? t(UI_TEXTS.UI_NONE()) : formatInstant(last_seen, 'dateTime', language),
          ],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_ADDRESS()), host === null ? null : `${host}:${port ?? ''}`],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_CLIENT_ID()), gateway.client_id],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_SERIAL()), gateway.serial_number],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_MODEL()), gateway.model],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_FIRMWARE()), gateway.firmware_version],
          [
            t(EQUIPMENT_TEXTS.EQUIPMENT_POLL_INTERVAL()),
            poll_interval_s === null ? null : spanText(poll_interval_s * 1000, language),
          ],
          [
            t(EQUIPMENT_TEXTS.EQUIPMENT_CLOCK()),
            clock_skew_ms === null ? null : spanText(clock_skew_ms, language),
          ],
        ]}
      />
    </section>
  )
}

/** A device names its Modbus gateway and its gateway on a message broker in fields of their own. */
function GatewayDevices({ gateway: { id, gateway_type } }: { readonly gateway: Gateway }) {
  const { page = 1 } = useSearch({ from: '/signed-in/gateways/$gatewayId' })
  const filters = {
    ...(gateway_type === 'modbus' ? { gateway_id: id } : { mqtt_gateway_id: id }),
    ...({ sort_by: 'name', sort_order: 'asc' } as const),
  }
  const query = useGet(
    '/api/devices',
    {
      query: {
        ...filters,
        skip: (page - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
      },
    },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
      {({ items }) => (
        <>
          <DeviceTable devices={items} filters={filters} />
        </>
      )}
    </PagedList>
  )
}
