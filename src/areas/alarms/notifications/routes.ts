import { forAnyUser, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { Page } from '../../../platform/http/page.ts'
import { Notification, NotificationQuery, Settings, UnreadCount, UpdateSettings } from './schema.ts'
import { changeSettings, readNotification, settingsOf, toResponse } from './service.ts'
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
        summary: 'List the notifications of the tenant, with the read state of the caller',
        querystring: NotificationQuery,
        response: { 200: Page(Notification) },
      },
    },
    async (request, reply) => {
      const page = await notifications.list(request.tenantDb(), request.principal.id, request.query)
      const language = languageOf(reply)
      return { ...page, items: page.items.map((item) => toResponse(language, item)) }
    },
  )

  app.get(
    '/unread-count',
    {
      ...read,
      schema: {
        tags,
        operationId: 'countUnreadNotifications',
        summary: 'Count the unread notifications of the caller',
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
        summary: 'Mark a notification as read by the caller',
        params: IdParams,
        response: { 200: Notification },
      },
    },
    async (request, reply) => {
      const item = await request.tenantTx((tx) =>
        readNotification(tx, request.principal.id, request.params.id),
      )
      return toResponse(languageOf(reply), item)
    },
  )

  app.post(
    '/read-all',
    {
      ...read,
      schema: {
        tags,
        operationId: 'readAllNotifications',
        summary: 'Mark all notifications so far as read by the caller',
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
        summary: 'Get the e-mail settings of the caller',
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
        summary: 'Update the e-mail settings of the caller: omitted fields are unchanged',
        description:
          'During quiet hours e-mails that are not critical are delayed until the quiet hours end.',
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
