import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Permission } from '../../../../src/kernel/permissions.ts'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import {
  ACCOUNTS,
  ASSIGNMENTS,
  FACILITIES,
  GROUPS,
  INSTALLATIONS,
  MEMBERS,
  METER_CHANGES,
  METERS,
  ORGANIZATIONS,
  SCOPES,
} from '../../records/netting-resources.ts'
import { CLAIMS, COLLECTOR_MAPPINGS, REGIONS, SITES, ZIGBEE_GATEWAYS } from '../../records/plant-resources.ts'
import { RecordList } from '../../records/record-list.tsx'
import type { Resource } from '../../records/resource.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import type { RegistryTab } from './tabs.ts'
import { REGISTRY_TEXTS } from './texts.ts'

const PARTS: Readonly<Record<RegistryTab, { readonly resource: Resource; readonly permission: Permission }>> =
  {
    sites: { resource: SITES, permission: 'read:region' },
    regions: { resource: REGIONS, permission: 'read:region' },
    zigbee: { resource: ZIGBEE_GATEWAYS, permission: 'read:zigbee' },
    facilities: { resource: FACILITIES, permission: 'read:netting' },
    groups: { resource: GROUPS, permission: 'read:netting' },
    members: { resource: MEMBERS, permission: 'read:netting' },
    scopes: { resource: SCOPES, permission: 'read:netting' },
    organizations: { resource: ORGANIZATIONS, permission: 'read:netting' },
    meters: { resource: METERS, permission: 'read:netting' },
    assignments: { resource: ASSIGNMENTS, permission: 'read:netting' },
    'meter-changes': { resource: METER_CHANGES, permission: 'read:netting' },
    accounts: { resource: ACCOUNTS, permission: 'read:netting' },
    installations: { resource: INSTALLATIONS, permission: 'read:osos' },
    collectors: { resource: COLLECTOR_MAPPINGS, permission: 'read:device' },
    claims: { resource: CLAIMS, permission: 'read:zigbee' },
  }

/** The master data of the tenant: sites, and what the netting is based on. */
export function RegistryPage() {
  const t = useText()
  const can = useCan()
  const { tab = 'sites' } = useSearch({ from: '/signed-in/registry' })
  const navigate = useNavigate({ from: '/registry' })
  const names = (Object.keys(PARTS) as RegistryTab[]).filter((name) => can(PARTS[name].permission))
  const selected = names.includes(tab) ? tab : names[0]
  return (
    <Page title={t(REGISTRY_TEXTS.REGISTRY())}>
      {selected !== undefined && (
        <Tabs
          label={t(UI_TEXTS.UI_PARTS())}
          selected={selected}
          onSelect={(next) => void navigate({ search: { tab: next }, replace: true })}
          tabs={names.map((name) => ({ name, title: t(PARTS[name].resource.title()) }))}
        >
          <RecordList key={selected} resource={PARTS[selected].resource} />
        </Tabs>
      )}
    </Page>
  )
}
