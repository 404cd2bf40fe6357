import type { ReactNode } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { monthOf } from '../../kernel/dates.ts'
import { useText } from '../../kernel/text.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { Money } from '../../ui/value.tsx'
import { GroupTable } from '../netting/groups-page.tsx'
import { OVERVIEW_TEXTS } from './texts.ts'

const REFRESH_MS = 30_000

/** What needs attention now, and how this month goes. */
export function OverviewPage() {
  const t = useText()
  const can = useCan()
  return (
    <Page title={t(OVERVIEW_TEXTS.OVERVIEW())}>
      <div className="cards">
        {can('read:alarm') && <OpenAlarms />}
        {can('read:gateway') && <SilentGateways />}
        {can('read:device') && <SilentDevices />}
      </div>
      {can('read:netting') && <ThisMonth />}
    </Page>
  )
}

function Figure({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="card">
      <h2 className="muted">{title}</h2>
      <div className="figure">{children}</div>
    </section>
  )
}

function OpenAlarms() {
  const t = useText()
  const query = useGet(
    '/api/alarms/incidents',
    { query: { is_open: true, limit: 1 } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Figure title={t(OVERVIEW_TEXTS.OVERVIEW_OPEN_ALARMS())}>
      <Loaded query={query}>{({ total }) => total}</Loaded>
    </Figure>
  )
}

function SilentGateways() {
  const t = useText()
  const query = useGet(
    '/api/gateways',
    { query: { is_online: false, limit: 1 } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Figure title={t(OVERVIEW_TEXTS.OVERVIEW_SILENT_GATEWAYS())}>
      <Loaded query={query}>{({ total }) => total}</Loaded>
    </Figure>
  )
}

function SilentDevices() {
  const t = useText()
  const query = useGet(
    '/api/devices',
    { query: { is_online: false, limit: 1 } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Figure title={t(OVERVIEW_TEXTS.OVERVIEW_SILENT_DEVICES())}>
      <Loaded query={query}>{({ total }) => total}</Loaded>
    </Figure>
  )
}

function ThisMonth() {
  const month = monthOf(Date.now())
  const query = useGet('/api/mahsuplasma/groups/overview', {
    query: { billing_period: `${month}-01`, limit: 200 },
  })
  return (
    <Loaded query={query}>
      {(rows) => (
        <>
          <HourlyCost groups={rows} month={month} />
          <GroupTable rows={rows} month={month} />
        </>
      )}
    </Loaded>
  )
}

/** Groups whose comparison the overview reads; the others have theirs on their pages. */
const COMPARED_MAX = 10

interface HourlyCostProps {
  readonly groups: readonly {
    readonly group_id: string
    readonly name: string
    readonly month_status: string
  }[]
  readonly month: string
}

/** What netting by the hour instead of by the month brought or cost each group so far. */
function HourlyCost({ groups, month }: HourlyCostProps) {
  const calculated = groups.filter(({ month_status }) => month_status !== 'not_calculated')
  return (
    <div className="cards">
      {calculated.slice(0, COMPARED_MAX).map(({ group_id, name }) => (
        <GroupCost key={group_id} groupId={group_id} name={name} month={month} />
      ))}
    </div>
  )
}

function GroupCost({
  groupId,
  name,
  month,
}: {
  readonly groupId: string
  readonly name: string
  readonly month: string
}) {
  const t = useText()
  const query = useGet('/api/mahsuplasma/groups/{id}/comparison', {
    path: { id: groupId },
    query: { billing_period: `${month}-01` },
  })
  return (
    <Figure title={t(OVERVIEW_TEXTS.OVERVIEW_HOURLY_COST({ name }))}>
      <Loaded query={query}>{({ difference }) => <Money value={difference.total_try} />}</Loaded>
    </Figure>
  )
}
