import { useState } from 'react'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Select } from '../../ui/controls.tsx'
import { Loaded } from '../../ui/page.tsx'
import { ConfigurationChanges, type DeviceNames } from './configuration-changes.tsx'
import { EQUIPMENT_TEXTS } from './texts.ts'

export const VERSIONS = '/api/gateways/{id}/rawconfig/versions'
type Version = ListItem<typeof VERSIONS>

/** The newest versions that are offered. */
const VERSIONS_MAX = 200

interface ConfigurationVersionsProps {
  readonly gatewayId: string
  readonly names: DeviceNames
}

/** The configurations that were pushed to a gateway, and the difference between any two of them. */
export function ConfigurationVersions({ gatewayId, names }: ConfigurationVersionsProps) {
  const t = useText()
  const query = useGet(VERSIONS, { path: { id: gatewayId }, query: { limit: VERSIONS_MAX } })
  return (
    <section className="card stack">
      <h2>{t(EQUIPMENT_TEXTS.EQUIPMENT_VERSIONS())}</h2>
      <Loaded query={query}>
        {({ items: [newest, ...older] }) =>
          newest ? (
            // After a push the newest version is selected.
            <Comparison
              key={newest.version}
              gatewayId={gatewayId}
              names={names}
              versions={[newest, ...older]}
            />
          ) : (
            <p>{t(EQUIPMENT_TEXTS.EQUIPMENT_NO_VERSIONS())}</p>
          )
        }
      </Loaded>
    </section>
  )
}

interface ComparisonProps extends ConfigurationVersionsProps {
  /** Newest first. */
  readonly versions: readonly Version[]
}

function Comparison({ gatewayId, names, versions }: ComparisonProps) {
  const t = useText()
  const { language } = useLanguage()
  const [newest, second = newest] = versions.map(({ version }) => String(version))
  const [later, setLater] = useState(newest ?? '')
  const [earlier, setEarlier] = useState(second ?? '')
  const path = { id: gatewayId, version: Number(later) }
  const selected = { compare_with: Number(earlier) }
  const query = useGet(`${VERSIONS}/{version}`, { path, query: selected })
  const options = versions.map(({ version, created_at }) => ({
    value: String(version),
    text: t(
      EQUIPMENT_TEXTS.EQUIPMENT_VERSION_OF({
        version,
        time: formatInstant(created_at, 'dateTime', language),
      }),
    ),
  }))
  return (
    <>
      <div className="row">
        <Select
          label={t(EQUIPMENT_TEXTS.EQUIPMENT_VERSION())}
          value={later}
          onChange={setLater}
          options={options}
        />
        <Select
          label={t(EQUIPMENT_TEXTS.EQUIPMENT_COMPARED_WITH())}
          value={earlier}
          onChange={setEarlier}
          options={options}
        />
      </div>
      <Loaded query={query}>
        {({ changes, changes_total }) => (
          <ConfigurationChanges
            caption={t(EQUIPMENT_TEXTS.EQUIPMENT_CHANGES_BETWEEN({ from: earlier, to: later }))}
            report={{ list: 'gateway_version_changes', query: { ...path, ...selected } }}
            names={names}
            changes={changes}
            changes_total={changes_total}
          />
        )}
      </Loaded>
    </>
  )
}
