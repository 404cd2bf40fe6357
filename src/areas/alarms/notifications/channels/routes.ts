import { Type } from 'typebox'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { Page } from '../../../../platform/http/page.ts'
import { ChannelQuery, ChannelTest, CreateChannel, NotificationChannel, UpdateChannel } from './schema.ts'
import * as service from './service.ts'

const tags = ['notifications']
const read = needs('read:alarm')
const manage = needs('manage:alarm')
const SEALED =
  'The token or the URL is encrypted with CREDENTIAL_ENCRYPTION_KEY; 503 encryption_not_configured without the key.'

/** Below /api/notification-channels. */
export function channelRoutes(app: App): void {
  recordRoutes(app)
  actionRoutes(app)
}

function recordRoutes(app: App): void {
  const { deps } = app

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listNotificationChannels',
        summary: 'List the channels of messaging platforms to which notifications are sent',
        querystring: ChannelQuery,
        response: { 200: Page(NotificationChannel) },
      },
    },
    async (request) => {
      const { items, ...page } = await service.listChannels(request.tenantDb(), request.query)
      return { ...page, items: items.map((channel) => service.redact(request.principal, channel)) }
    },
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createNotificationChannel',
        summary: 'Create a channel of Telegram, Microsoft Teams, Slack or ntfy',
        description: `Each platform has its own fields. ${SEALED}`,
        body: CreateChannel,
        response: { 201: NotificationChannel },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const created = await request.tenantTx((tx) =>
        service.createChannel(deps, tx, { body, userId: principal.id }),
      )
      return reply.code(201).send(created)
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      observed: ['last_success_at', 'failures', 'failing_since', 'last_error'],
      schema: {
        tags,
        operationId: 'getNotificationChannel',
        summary: 'Get a channel and its delivery state',
        params: IdParams,
        response: { 200: NotificationChannel },
      },
    },
    async (request) =>
      service.redact(request.principal, await service.getChannel(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateNotificationChannel',
        summary: 'Update a channel: omitted fields are unchanged; its type cannot change',
        params: IdParams,
        body: UpdateChannel,
        response: { 200: NotificationChannel },
      },
    },
    (request) =>
      request.tenantTx((tx) =>
        service.updateChannel(deps, tx, { id: request.params.id, body: request.body }),
      ),
  )
}

function actionRoutes(app: App): void {
  const { deps } = app

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteNotificationChannel',
        summary: 'Delete a channel; its waiting messages are not sent',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => service.removeChannel(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/test',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'testNotificationChannel',
        summary: 'Send a test message now and return the result',
        params: IdParams,
        response: { 200: ChannelTest },
      },
    },
    (request) => service.testChannel(deps, request.tenantDb(), request.params.id),
  )
}
