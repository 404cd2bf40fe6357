import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Select, Tag } from '../../ui/controls.tsx'
import { Page } from '../../ui/page.tsx'
import { useGroupMonth } from './group-month.ts'
import { useMonthOptions } from './months.ts'
import { NETTING_TEXTS } from './texts.ts'

/** One month of a group: its heading, and the pages below it. */
export function GroupPage() {
  const t = useText()
  const can = useCan()
  const { path, month } = useGroupMonth()
  const navigate = useNavigate()
  const group = useGet('/api/mahsuplasma/groups/{id}', { path })
  const months = useMonthOptions(month)
  return (
    <Page
      title={group.data?.name ?? t(NETTING_TEXTS.NETTING_GROUP())}
      actions={
        <>
          <Select
            label={t(NETTING_TEXTS.NETTING_MONTH())}
            value={month}
            onChange={(value) => void navigate({ to: '.', search: { month: value } })}
            options={months}
          />
          {can('manage:netting') && (
            <Link className="button" to="/netting/scenarios/new" search={{ group: path.id, month }}>
              {t(NETTING_TEXTS.NETTING_WHAT_IF())}
            </Link>
          )}
        </>
      }
    >
      {group.data && (group.data.eligibility_status === 'blocked' || group.data.stale) && (
        <div className="row">
          {group.data.eligibility_status === 'blocked' && (
            <Tag tone="danger">{t(NETTING_TEXTS.NETTING_BLOCKED())}</Tag>
          )}
          {group.data.stale && (
            <Tag tone="warning">
              {t(NETTING_TEXTS.NETTING_STALE_MONTHS({ count: group.data.stale_periods.length }))}
            </Tag>
          )}
        </div>
      )}
      <GroupNavigation />
      <Outlet />
    </Page>
  )
}

const TABS = [
  { to: '/netting/groups/$groupId', text: NETTING_TEXTS.NETTING_HOURS },
  { to: '/netting/groups/$groupId/amounts', text: NETTING_TEXTS.NETTING_AMOUNTS },
  { to: '/netting/groups/$groupId/ledger', text: NETTING_TEXTS.NETTING_LEDGER },
  { to: '/netting/groups/$groupId/rules', text: NETTING_TEXTS.NETTING_RULES },
  { to: '/netting/groups/$groupId/members', text: NETTING_TEXTS.NETTING_MEMBERS },
  { to: '/netting/groups/$groupId/runs', text: NETTING_TEXTS.NETTING_RUNS },
  { to: '/netting/groups/$groupId/reconcile', text: NETTING_TEXTS.NETTING_RECONCILE },
] as const

function GroupNavigation() {
  const t = useText()
  const { groupId, month } = useGroupMonth()
  return (
    <nav className="tabs" aria-label={t(NETTING_TEXTS.NETTING_PAGES_OF_GROUP())}>
      <ul>
        {TABS.map(({ to, text }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ groupId }}
              search={{ month }}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
            >
              {t(text())}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
