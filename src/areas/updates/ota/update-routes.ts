import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { notifyDevices } from './devices/notify-devices.ts'
import { cancelUpdate, readUpdate, retryUpdate, rollBackUpdate } from './lifecycle/operator-actions.ts'
import { startUpdate } from './updates/create-update.ts'
import { OtaUpdate, OtaUpdateDetail, StartUpdate, UpdateQuery } from './updates/schema.ts'
import * as updates from './updates/store.ts'

const tags = ['OTA']
const read = needs('read:ota')
const manage = needs('manage:ota')

export function otaUpdateRoutes(app: App): void {
  const { deps } = app
  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listOtaUpdates',
        summary: 'List updates over the air',
        querystring: UpdateQuery,
        response: { 200: Page(OtaUpdate) },
      },
    },
    (request) => updates.list(request.tenantDb(), request.query),
  )

  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'startOtaUpdate',
        summary: 'Update one device or gateway',
        description:
          'The device is notified over MQTT and downloads the file by an individual link or in chunks: ' +
          'docs/understand/ota.md. 409 STATE_CONFLICT for a version that is not released, and while the ' +
          'device has an unfinished update; 409 LOTO_LOCKED_OUT; 422 BUSINESS_RULE_VIOLATION for another ' +
          'model, or a device that is not reached through a gateway on a message broker.',
        body: StartUpdate,
        response: { 201: OtaUpdateDetail },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const baseUrl = deps.config.publicBaseUrl
      const input = { body, userId: principal.id, now: deps.clock.now(), baseUrl }
      const id = await request.tenantTx((tx) => startUpdate(tx, input))
      await notifyDevices(deps, principal.tenantId, [id])
      return reply.code(201).send(await readUpdate(request.tenantDb(), id))
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getOtaUpdate',
        summary: 'Get an update with its audit trail',
        params: IdParams,
        response: { 200: OtaUpdateDetail },
      },
    },
    (request) => readUpdate(request.tenantDb(), request.params.id),
  )
  actionRoutes(app)
}

function actionRoutes(app: App): void {
  const { deps } = app
  const now = () => new Date(deps.clock.now())
  const actions = [
    {
      path: '/:id/cancel',
      operationId: 'cancelOtaUpdate',
      summary: 'Cancel an update whose installation has not begun',
      run: cancelUpdate,
    },
    {
      path: '/:id/retry',
      operationId: 'retryOtaUpdate',
      summary: 'Restart a failed or cancelled update',
      run: retryUpdate,
    },
  ] as const
  for (const { path, operationId, summary, run } of actions)
    app.post(
      path,
      {
        ...manage,
        schema: {
          tags,
          operationId,
          summary,
          description: '409 STATE_CONFLICT when its status does not allow it.',
          params: IdParams,
          response: { 200: OtaUpdateDetail },
        },
      },
      async (request) => {
        const action = { id: request.params.id, userId: request.principal.id, at: now() }
        const toNotify = await request.tenantTx((tx) => run(tx, action))
        await notifyDevices(deps, request.principal.tenantId, toNotify)
        return readUpdate(request.tenantDb(), request.params.id)
      },
    )

  app.post(
    '/:id/rollback',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'rollBackOtaUpdate',
        summary: 'Roll back the device to its last good version',
        description:
          'The last good version is the version that was previously installed successfully, otherwise the ' +
          'version reported before the update, if there is a firmware of it, including deprecated ones. The ' +
          'response is the new update. 409 STATE_CONFLICT when there is none, or the update is not finished.',
        params: IdParams,
        response: { 201: OtaUpdateDetail },
      },
    },
    async (request, reply) => {
      const action = { id: request.params.id, userId: request.principal.id, at: now() }
      const id = await request.tenantTx((tx) => rollBackUpdate(tx, action))
      await notifyDevices(deps, request.principal.tenantId, [id])
      return reply.code(201).send(await readUpdate(request.tenantDb(), id))
    },
  )
}
