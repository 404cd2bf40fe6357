import { useSearch } from '@tanstack/react-router'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Tag } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { NOTIFICATION_TEXTS } from './notification-texts.ts'
import { SEVERITIES } from './policy-states.ts'

const LIST = '/api/notifications'
type Notification = ListItem<typeof LIST>
const PAGE_SIZE = 50

/** The notifications of the user, newest first. */
export function Inbox() {
  const t = useText()
  const { api } = useClient()
  const { page = 1 } = useSearch({ from: '/signed-in/alarms/notifications' })
  const query = useGet(LIST, { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } })
  const { run, isRunning, notice } = useAction([LIST])
  const columns = useColumns()
  const readAll = async () => {
    await api.post('/api/notifications/read-all', {})
    return undefined
  }
  return (
    <>
      <div className="row">
        <Button isDisabled={isRunning} onPress={() => void run(readAll)}>
          {t(NOTIFICATION_TEXTS.NOTIFICATIONS_READ_ALL())}
        </Button>
      </div>
      {notice}
      <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
        {({ items }) => (
          <DataTable
            report={{ list: 'notifications' }}
            caption={t(NOTIFICATION_TEXTS.NOTIFICATIONS_INBOX())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(NOTIFICATION_TEXTS.NOTIFICATIONS_NONE())}
            columns={columns}
          />
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
      id: 'time',
      title: t(NOTIFICATION_TEXTS.NOTIFICATIONS_TIME()),
      cell: ({ occurred_at }: Notification) => formatInstant(occurred_at, 'dateTime', language),
    },
    {
      id: 'severity',
      title: t(NOTIFICATION_TEXTS.NOTIFICATIONS_SEVERITY()),
      cell: ({ severity }: Notification) => <StateTag states={SEVERITIES} value={severity} />,
    },
    {
      id: 'title',
      title: t(NOTIFICATION_TEXTS.NOTIFICATIONS_TITLE()),
      cell: ({ title_text, message, is_read }: Notification) => (
        <>
          {!is_read && <Tag tone="warning">{t(NOTIFICATION_TEXTS.NOTIFICATIONS_NEW())}</Tag>} {title_text}:{' '}
          {message}
        </>
      ),
    },
    {
      id: 'actions',
      title: t(UI_TEXTS.UI_ACTIONS()),
      cell: (notification: Notification) =>
        notification.is_read ? null : <ReadButton notification={notification} />,
    },
  ]
}

function ReadButton({ notification: { id, title_text: title } }: { readonly notification: Notification }) {
  const t = useText()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([LIST])
  const read = async () => {
    await api.post('/api/notifications/{id}/read', { path: { id } })
    return undefined
  }
  return (
    <>
      <Button
        isDisabled={isRunning}
        aria-label={t(NOTIFICATION_TEXTS.NOTIFICATIONS_READ_ONE({ title }))}
        onPress={() => void run(read)}
      >
        {t(NOTIFICATION_TEXTS.NOTIFICATIONS_READ())}
      </Button>
      {notice}
    </>
  )
}
