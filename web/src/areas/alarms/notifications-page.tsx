import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { CHANNELS, ESCALATIONS, MAINTENANCE, WEBHOOKS } from '../../records/alarm-resources.ts'
import { RecordList } from '../../records/record-list.tsx'
import type { Resource } from '../../records/resource.ts'
import { SettingsForm } from '../../records/settings-form.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { Inbox } from './inbox.tsx'
import type { NotificationTab } from './notification-tabs.ts'
import { NOTIFICATION_TEXTS } from './notification-texts.ts'

const RESOURCES: readonly Resource[] = [CHANNELS, WEBHOOKS, ESCALATIONS, MAINTENANCE]

/** What was notified, who is notified, and when nobody is. */
export function NotificationsPage() {
  const t = useText()
  const can = useCan()
  const { tab } = useSearch({ from: '/signed-in/alarms/notifications' })
  const navigate = useNavigate({ from: '/alarms/notifications' })
  const tabs: { name: NotificationTab; title: string }[] = [
    ...(can('read:alarm')
      ? [
          { name: 'inbox' as const, title: t(NOTIFICATION_TEXTS.NOTIFICATIONS_INBOX()) },
          ...RESOURCES.map(({ name, title }) => ({ name: name as NotificationTab, title: t(title()) })),
        ]
      : []),
    { name: 'mails', title: t(NOTIFICATION_TEXTS.NOTIFICATIONS_MAILS()) },
  ]
  const selected = tabs.find(({ name }) => name === tab)?.name ?? tabs[0]?.name ?? 'mails'
  const resource = RESOURCES.find(({ name }) => name === selected)
  return (
    <Page title={t(NOTIFICATION_TEXTS.NOTIFICATIONS())}>
      <Tabs
        label={t(UI_TEXTS.UI_PARTS())}
        selected={selected}
        onSelect={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={tabs}
      >
        {selected === 'inbox' && <Inbox />}
        {resource && <RecordList key={selected} resource={resource} />}
        {selected === 'mails' && (
          <SettingsForm
            title={NOTIFICATION_TEXTS.NOTIFICATIONS_MAILS}
            note={NOTIFICATION_TEXTS.NOTIFICATIONS_MAILS_NOTE}
            path="/api/notifications/settings"
            method="PUT"
            shown={[]}
          />
        )}
      </Tabs>
    </Page>
  )
}
