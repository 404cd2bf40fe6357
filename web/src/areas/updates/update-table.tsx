import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { percentText } from '../../kernel/units.ts'
import { ActionButtons } from '../../records/record-buttons.tsx'
import { UPDATE_ACTIONS } from '../../records/update-resources.ts'
import { useAction } from '../../ui/action.tsx'
import { Button } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { StateFilter, StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { UPDATE_STATES, type Update } from './states.ts'
import { UPDATE_TEXTS } from './texts.ts'

const PAGE_SIZE = 50
const REFRESH_MS = 5_000
const UPDATES = '/api/ota/updates'

/** The updates of single devices and gateways, of one rollout or of all. */
export function UpdateTable({ batchId }: { readonly batchId?: string }) {
  const t = useText()
  const [page, setPage] = useState(1)
  const [status, setStatus] = useState<Update['status']>()
  const filters = { status, batch_id: batchId }
  const query = useGet(
    UPDATES,
    { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...filters } },
    { refetchInterval: REFRESH_MS },
  )
  const columns = useColumns()
  return (
    <>
      <div className="row">
        <StateFilter
          label={t(UPDATE_TEXTS.UPDATES_STATE())}
          states={UPDATE_STATES}
          value={status}
          onChange={(next) => {
            setStatus(next)
            setPage(1)
          }}
        />
      </div>
      <PagedList query={query} page={page} pageSize={PAGE_SIZE} onPage={setPage}>
        {({ items }) => (
          <>
            <DataTable
              report={{ list: 'ota_updates', query: filters }}
              caption={t(UPDATE_TEXTS.UPDATES_SINGLE())}
              rows={items}
              keyOf={({ id }) => id}
              empty={t(UPDATE_TEXTS.UPDATES_NO_UPDATES())}
              columns={columns}
            />
          </>
        )}
      </PagedList>
    </>
  )
}

function useColumns() {
  const t = useText()
  const { language } = useLanguage()
  return [
    {
      id: 'target',
      title: t(UPDATE_TEXTS.UPDATES_TARGET()),
      cell: (update: Update) => <Target update={update} />,
    },
    {
      id: 'version',
      title: t(UPDATE_TEXTS.UPDATES_VERSION()),
      cell: ({ version, from_version }: Update) =>
        from_version === null ? version : `${from_version} → ${version}`,
    },
    {
      id: 'state',
      title: t(UPDATE_TEXTS.UPDATES_STATE()),
      cell: ({ status }: Update) => <StateTag states={UPDATE_STATES} value={status} />,
    },
    {
      id: 'progress',
      title: t(UPDATE_TEXTS.UPDATES_PROGRESS()),
      cell: ({ progress_pct }: Update) => (
        <span className="row">
          <progress max={100} value={progress_pct} aria-label={t(UPDATE_TEXTS.UPDATES_PROGRESS())} />
          {percentText(progress_pct, language)}
        </span>
      ),
    },
    {
      id: 'reason',
      title: t(UPDATE_TEXTS.UPDATES_REASON()),
      cell: ({ error }: Update) => error ?? '',
    },
    {
      id: 'changed',
      title: t(UPDATE_TEXTS.UPDATES_CHANGED()),
      cell: ({ changed_at }: Update) => formatInstant(changed_at, 'dateTime', language),
    },
    {
      id: 'actions',
      title: t(UI_TEXTS.UI_ACTIONS()),
      cell: (update: Update) => <UpdateActions update={update} />,
    },
  ]
}

function Target({ update: { device_id, gateway_id } }: { readonly update: Update }) {
  if (device_id !== null) return <DeviceLink deviceId={device_id} />
  return gateway_id === null ? null : <GatewayLink gatewayId={gateway_id} />
}

function DeviceLink({ deviceId }: { readonly deviceId: string }) {
  const t = useText()
  const can = useCan()
  const query = useGet('/api/devices/{id}', { path: { id: deviceId } }, { enabled: can('read:device') })
  return (
    <Link to="/devices/$deviceId" params={{ deviceId }}>
      {t(UPDATE_TEXTS.UPDATES_DEVICE())} {query.data?.name ?? deviceId.slice(0, 8)}
    </Link>
  )
}

function GatewayLink({ gatewayId }: { readonly gatewayId: string }) {
  const t = useText()
  const can = useCan()
  const query = useGet('/api/gateways/{id}', { path: { id: gatewayId } }, { enabled: can('read:gateway') })
  return (
    <Link to="/gateways/$gatewayId" params={{ gatewayId }}>
      {t(UPDATE_TEXTS.UPDATES_GATEWAY())} {query.data?.name ?? gatewayId.slice(0, 8)}
    </Link>
  )
}

function UpdateActions({ update }: { readonly update: Update }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([UPDATES, '/api/ota/batches', '/api/ota/batches/{id}'])
  const { id, status, device_id, gateway_id } = update
  const target = (device_id ?? gateway_id ?? '').slice(0, 8)
  const retry = async () => {
    await api.post('/api/ota/updates/{id}/retry', { path: { id } })
    return undefined
  }
  if (!can('manage:ota')) return null
  return (
    <span className="row">
      {(status === 'failed' || status === 'cancelled') && (
        <Button
          aria-label={t(UPDATE_TEXTS.UPDATES_RETRY_ONE({ target }))}
          isDisabled={isRunning}
          onPress={() => void run(retry)}
        >
          {t(UPDATE_TEXTS.UPDATES_RETRY())}
        </Button>
      )}
      <ActionButtons record={{ ...update, target }} nameField="target" actions={UPDATE_ACTIONS} />
      {notice}
    </span>
  )
}
