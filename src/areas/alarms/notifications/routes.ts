import { forAnyUser, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { Notification, NotificationQuery, Settings, UnreadCount, UpdateSettings } from './schema.ts'
import { changeSettings, readNotification, settingsOf } from './service.ts'
import * as notifications from './store.ts'

const tags = ['notifications']
const read = needs('read:alarm')

/** Below /api/notifications. */
export function notificationRoutes(app: App): void {
  listRoutes(app)
  settingsRoutes(app)
}

function listRoutes(app: App): void {
  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listNotifications',
        summary: 'List what the tenant was told of incidents, with what you have read of it',
        querystring: NotificationQuery,
        response: { 200: Page(Notification) },
      },
    },
    (request) => notifications.list(request.tenantDb(), request.principal.id, request.query),
  )

  app.get(
    '/unread-count',
    {
      ...read,
      schema: {
        tags,
        operationId: 'countUnreadNotifications',
        summary: 'How much you have not read',
        response: { 200: UnreadCount },
      },
    },
    async (request) => ({
      unread: await notifications.countUnread(request.tenantDb(), request.principal.id),
    }),
  )

  app.post(
    '/:id/read',
    {
      ...read,
      schema: {
        tags,
        operationId: 'readNotification',
        summary: 'Mark a notification as read by you',
        params: IdParams,
        response: { 200: Notification },
      },
    },
    (request) => request.tenantTx((tx) => readNotification(tx, request.principal.id, request.params.id)),
  )

  app.post(
    '/read-all',
    {
      ...read,
      schema: {
        tags,
        operationId: 'readAllNotifications',
        summary: 'Mark everything that was told so far as read by you',
        response: { 200: UnreadCount },
      },
    },
    (request) =>
      request.tenantTx(async (tx) => {
        await notifications.markAllRead(tx, request.principal.id)
        return { unread: await notifications.countUnread(tx, request.principal.id) }
      }),
  )
}

function settingsRoutes(app: App): void {
  const { clock } = app.deps

  app.get(
    '/settings',
    {
      ...forAnyUser,
      schema: {
        tags,
        operationId: 'getNotificationSettings',
        summary: 'What you get by e-mail',
        response: { 200: Settings },
      },
    },
    (request) => settingsOf(request.tenantDb(), request.principal),
  )

  app.put(
    '/settings',
    {
      ...forAnyUser,
      schema: {
        tags,
        operationId: 'updateNotificationSettings',
        summary: 'Change what you get by e-mail: omitted fields are unchanged',
        description: 'Quiet hours hold back what is not critical until they end.',
        body: UpdateSettings,
        response: { 200: Settings },
      },
    },
    (request) => {
      const { principal: user, body } = request
      return request.tenantTx((tx) => changeSettings(tx, { user, body, now: clock.now() }))
    },
  )
}
