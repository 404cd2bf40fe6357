import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { MACHINE_KEYS, MARKET_ACCOUNTS, TENANTS } from '../../records/admin-resources.ts'
import { RecordList } from '../../records/record-list.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { ApiKeys } from './api-keys.tsx'
import { ChangeLog } from './change-log.tsx'
import { Roles } from './roles.tsx'
import { TenantSettings } from './tenant-settings.tsx'
import { Tenants } from './tenants.tsx'
import { ADMIN_TEXTS } from './texts.ts'
import { Users } from './users.tsx'

/** Users, roles, the API keys of the user, and who changed what. */
export function AdministrationPage() {
  const t = useText()
  const can = useCan()
  const { tab } = useSearch({ from: '/signed-in/administration' })
  const navigate = useNavigate({ from: '/administration' })
  const tabs = [
    ...(can('read:user') ? [{ name: 'users', title: t(ADMIN_TEXTS.ADMIN_USERS()) } as const] : []),
    ...(can('read:role') ? [{ name: 'roles', title: t(ADMIN_TEXTS.ADMIN_ROLES()) } as const] : []),
    { name: 'api-keys', title: t(ADMIN_TEXTS.ADMIN_API_KEYS()) } as const,
    ...(can('read:user') ? [{ name: 'machine-keys', title: t(MACHINE_KEYS.title()) } as const] : []),
    { name: 'settings', title: t(ADMIN_TEXTS.ADMIN_SETTINGS()) } as const,
    ...(can('manage:user') ? [{ name: 'changes', title: t(ADMIN_TEXTS.ADMIN_CHANGES()) } as const] : []),
    ...(can('superuser')
      ? [
          { name: 'tenants', title: t(TENANTS.title()) } as const,
          { name: 'market-accounts', title: t(MARKET_ACCOUNTS.title()) } as const,
        ]
      : []),
  ]
  const selected = tabs.find(({ name }) => name === tab)?.name ?? tabs[0]?.name ?? 'api-keys'
  return (
    <Page title={t(ADMIN_TEXTS.ADMIN())}>
      <Tabs
        label={t(UI_TEXTS.UI_PARTS())}
        selected={selected}
        onSelect={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={tabs}
      >
        {selected === 'users' && <Users />}
        {selected === 'roles' && <Roles />}
        {selected === 'api-keys' && <ApiKeys />}
        {selected === 'changes' && <ChangeLog />}
        {selected === 'machine-keys' && <RecordList resource={MACHINE_KEYS} />}
        {selected === 'settings' && <TenantSettings />}
        {selected === 'tenants' && <Tenants />}
        {selected === 'market-accounts' && <RecordList resource={MARKET_ACCOUNTS} />}
      </Tabs>
    </Page>
  )
}
