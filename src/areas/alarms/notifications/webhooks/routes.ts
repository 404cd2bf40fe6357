import { Type } from 'typebox'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { Page } from '../../../../platform/http/page.ts'
import {
  CreateWebhook,
  UpdateWebhook,
  Webhook,
  WebhookQuery,
  WebhookTest,
  WebhookWithSecret,
} from './schema.ts'
import * as service from './service.ts'

const tags = ['notifications']
const read = needs('read:alarm')
const manage = needs('manage:alarm')
const SEALED =
  'The secret is encrypted with CREDENTIAL_ENCRYPTION_KEY; 503 encryption_not_configured without the key.'

/** Below /api/notification-webhooks. */
export function webhookRoutes(app: App): void {
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
        operationId: 'listWebhooks',
        summary: 'List the webhooks to which incidents are sent',
        querystring: WebhookQuery,
        response: { 200: Page(Webhook) },
      },
    },
    async (request) => {
      const { items, ...page } = await service.listWebhooks(request.tenantDb(), request.query)
      return { ...page, items: items.map((webhook) => service.redactUrl(request.principal, webhook)) }
    },
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Create a webhook; only this response contains its secret',
        description: `Deliveries are signed according to the Standard Webhooks specification. ${SEALED}`,
        body: CreateWebhook,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const created = await request.tenantTx((tx) =>
        service.createWebhook(deps, tx, { body, userId: principal.id }),
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
        operationId: 'getWebhook',
        summary: 'Get a webhook and its delivery state',
        params: IdParams,
        response: { 200: Webhook },
      },
    },
    async (request) =>
      service.redactUrl(request.principal, await service.getWebhook(request.tenantDb(), request.params.id)),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateWebhook',
        summary: 'Update a webhook: omitted fields are unchanged',
        params: IdParams,
        body: UpdateWebhook,
        response: { 200: Webhook },
      },
    },
    (request) =>
      request.tenantTx((tx) =>
        service.updateWebhook(deps, tx, { id: request.params.id, body: request.body }),
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
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook; its waiting deliveries are not sent',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => service.removeWebhook(tx, request.params.id))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/:id/test',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'testWebhook',
        summary: 'Send a signed test delivery now and return the result',
        params: IdParams,
        response: { 200: WebhookTest },
      },
    },
    (request) => service.testWebhook(deps, request.tenantDb(), request.params.id),
  )

  app.post(
    '/:id/secret',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'renewWebhookSecret',
        summary: 'Replace the secret of a webhook; only this response contains it',
        description: `The new secret is used for all later deliveries. ${SEALED}`,
        params: IdParams,
        response: { 200: WebhookWithSecret },
      },
    },
    (request) => request.tenantTx((tx) => service.renewSecret(deps, tx, request.params.id)),
  )
}
