import { useNavigate, useSearch } from '@tanstack/react-router'
import { useText } from '../../kernel/text.tsx'
import { CHARGING_GROUPS, RESERVATIONS, TAGS } from '../../records/charging-resources.ts'
import { RecordList } from '../../records/record-list.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { CHARGING_TEXTS } from './texts.ts'

const PARTS = { groups: CHARGING_GROUPS, reservations: RESERVATIONS, tags: TAGS } as const
const NAMES = ['groups', 'reservations', 'tags'] as const

/** Who may charge, with how much power, and when. */
export function ChargingManagementPage() {
  const t = useText()
  const { tab = 'groups' } = useSearch({ from: '/signed-in/charging/management' })
  const navigate = useNavigate({ from: '/charging/management' })
  return (
    <Page title={t(CHARGING_TEXTS.CHARGING_MANAGEMENT())}>
      <Tabs
        label={t(UI_TEXTS.UI_PARTS())}
        selected={tab}
        onSelect={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={NAMES.map((name) => ({ name, title: t(PARTS[name].title()) }))}
      >
        <RecordList key={tab} resource={PARTS[tab]} />
      </Tabs>
    </Page>
  )
}
