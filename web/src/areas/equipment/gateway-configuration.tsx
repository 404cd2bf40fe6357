import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { percentText } from '../../kernel/units.ts'
import { useAction } from '../../ui/action.tsx'
import { Button, Notice } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Checkbox } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { ConfigurationChanges } from './configuration-changes.tsx'
import { ConfigurationVersions, VERSIONS } from './configuration-versions.tsx'
import { EQUIPMENT_TEXTS } from './texts.ts'

const PREVIEW = '/api/gateways/{id}/rawconfig/preview'
type Preview = NonNullable<ReturnType<typeof useGet<typeof PREVIEW>>['data']>

/** What a push would change: versions, bus time, devices and the difference to the last push; and earlier pushes. */
export function GatewayConfiguration({ gatewayId }: { readonly gatewayId: string }) {
  const t = useText()
  const query = useGet(PREVIEW, { path: { id: gatewayId } })
  return (
    <Loaded query={query}>
      {(preview) => (
        <>
          <Versions preview={preview} />
          <ConfigurationChanges
            caption={t(EQUIPMENT_TEXTS.EQUIPMENT_CHANGES())}
            report={{ list: 'gateway_configuration_changes', query: { id: gatewayId } }}
            names={namesOf(preview)}
            changes={preview.changes}
            changes_total={preview.changes_total}
          />
          <PollGroups preview={preview} />
          <Devices preview={preview} />
          <ConfigurationVersions gatewayId={gatewayId} names={namesOf(preview)} />
        </>
      )}
    </Loaded>
  )
}

const namesOf = ({ devices }: Preview) => new Map(devices.map(({ device_id, name }) => [device_id, name]))

function Versions({ preview }: { readonly preview: Preview }) {
  const t = useText()
  const { language } = useLanguage()
  const { config_synced_at, synced_version, reported_version, warnings } = preview
  return (
    <section className="card">
      <DetailList
        entries={[
          [t(EQUIPMENT_TEXTS.EQUIPMENT_VERSION_PUSHED()), synced_version ?? t(UI_TEXTS.UI_NONE())],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_VERSION_REPORTED()), reported_version ?? t(UI_TEXTS.UI_NONE())],
          [
            t(EQUIPMENT_TEXTS.EQUIPMENT_PUSHED_AT()),
            config_synced_at === null ? null : formatInstant(config_synced_at, 'dateTime', language),
          ],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_REASON()), preview.reported_reason],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_SIZE()), `${preview.size_bytes.toLocaleString(language)} B`],
          [t(EQUIPMENT_TEXTS.EQUIPMENT_BUS_LOAD()), percentText(preview.bus_load_pct, language)],
        ]}
      />
      {warnings.length > 0 && (
        <Notice tone="warning">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Notice>
      )}
      <Push preview={preview} />
    </section>
  )
}

function Push({ preview: { gateway_id, is_possible } }: { readonly preview: Preview }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const [isForced, setForced] = useState(false)
  const { run, isRunning, notice } = useAction([PREVIEW, VERSIONS, '/api/gateways/{id}'])
  const push = async () => {
    const { data } = await api.post('/api/gateways/{id}/rawconfig/sync', {
      path: { id: gateway_id },
      body: isForced ? { force: true } : null,
    })
    return t(EQUIPMENT_TEXTS.EQUIPMENT_PUSHED({ version: data.version }))
  }
  if (!can('manage:gateway')) return null
  return (
    <>
      {notice}
      {!is_possible && (
        <Checkbox
          label={t(EQUIPMENT_TEXTS.EQUIPMENT_PUSH_ANYWAY())}
          isChecked={isForced}
          onChange={setForced}
        />
      )}
      <div className="row">
        <Button variant="primary" isDisabled={isRunning} onPress={() => void run(push)}>
          {t(EQUIPMENT_TEXTS.EQUIPMENT_PUSH())}
        </Button>
      </div>
    </>
  )
}

function PollGroups({ preview: { gateway_id, poll_groups } }: { readonly preview: Preview }) {
  const t = useText()
  const { language } = useLanguage()
  if (poll_groups.length === 0) return null
  const inMs = (value: number) => `${value.toLocaleString(language, { maximumFractionDigits: 0 })} ms`
  return (
    <DataTable
      report={{ list: 'gateway_poll_groups', query: { id: gateway_id } }}
      caption={t(EQUIPMENT_TEXTS.EQUIPMENT_LINES())}
      rows={poll_groups}
      keyOf={({ name }) => name}
      empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_LINES())}
      columns={[
        { id: 'name', title: t(EQUIPMENT_TEXTS.EQUIPMENT_NAME()), cell: ({ name }) => name },
        {
          id: 'period',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_PERIOD()),
          isNumber: true,
          cell: ({ period_ms }) => inMs(period_ms),
        },
        {
          id: 'expected',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_EXPECTED()),
          isNumber: true,
          cell: ({ expected_ms }) => inMs(expected_ms),
        },
        {
          id: 'possible',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_POSSIBLE()),
          cell: (row) => t(row.is_possible ? UI_TEXTS.UI_YES() : UI_TEXTS.UI_NO()),
        },
      ]}
    />
  )
}

function Devices({ preview: { gateway_id, devices } }: { readonly preview: Preview }) {
  const t = useText()
  return (
    <DataTable
      report={{ list: 'gateway_configuration_devices', query: { id: gateway_id } }}
      caption={t(EQUIPMENT_TEXTS.EQUIPMENT_DEVICES())}
      rows={devices}
      keyOf={({ device_id }) => device_id}
      empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_DEVICES())}
      columns={[
        { id: 'name', title: t(EQUIPMENT_TEXTS.EQUIPMENT_NAME()), cell: ({ name }) => name },
        {
          id: 'unit',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_UNIT_ID()),
          isNumber: true,
          cell: ({ unit_id }) => unit_id ?? '',
        },
        {
          id: 'registers',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_REGISTERS()),
          isNumber: true,
          cell: ({ registers }) => registers.length,
        },
        {
          id: 'requests',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_REQUESTS()),
          isNumber: true,
          cell: ({ blocks }) => blocks.length,
        },
        {
          id: 'problem',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_PROBLEM()),
          cell: ({ problem }) => problem ?? t(UI_TEXTS.UI_NONE()),
        },
      ]}
    />
  )
}
