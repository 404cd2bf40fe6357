import { found } from '../../../kernel/errors.ts'
import { textOf } from '../../../kernel/messages.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { Page } from '../../../platform/http/page.ts'
import { BatchQuery, OtaBatch, Rollback, StartBatch } from './batches/schema.ts'
import { cancelBatch, rollBackBatch } from './batches/service.ts'
import { startBatch } from './batches/start-batch.ts'
import * as batches from './batches/store.ts'
import { notifyDevices } from './devices/notify-devices.ts'

const tags = ['OTA']
const read = needs('read:ota')
const manage = needs('manage:ota')

export function otaBatchRoutes(app: App): void {
  const { deps } = app
  app.post(
    '/updates/batch',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'startOtaBatch',
        summary: 'Update several devices in waves',
        description:
          'If one of the devices cannot be updated, no update is created. A wave begins when the previous ' +
          'wave has ended and met its threshold; the devices are notified in the background.',
        body: StartBatch,
        response: { 201: OtaBatch },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const baseUrl = deps.config.publicBaseUrl
      const input = { body, userId: principal.id, now: deps.clock.now(), baseUrl }
      const id = await request.tenantTx((tx) => startBatch(tx, input))
      const tenant = request.tenantDb()
      // The watchdog notifies within a minute every device that this does not reach.
      deps.background.run('updates of a batch', async () => {
        const due = await batches.listDueUpdates(tenant, id)
        await notifyDevices(deps, principal.tenantId, due)
      })
      return reply.code(201).send(found('batch', await batches.find(tenant, id)))
    },
  )

  app.get(
    '/batches',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listOtaBatches',
        summary: 'List batches of updates',
        querystring: BatchQuery,
        response: { 200: Page(OtaBatch) },
      },
    },
    (request) => batches.list(request.tenantDb(), request.query),
  )

  getResource(
    app,
    '/batches/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getOtaBatch',
        summary: 'Get the state of a batch of updates',
        params: IdParams,
        response: { 200: OtaBatch },
      },
    },
    async (request) => found('batch', await batches.find(request.tenantDb(), request.params.id)),
  )
  actionRoutes(app)
}

function actionRoutes(app: App): void {
  const { deps } = app
  const now = () => deps.clock.now()
  app.post(
    '/batches/:id/cancel',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'cancelOtaBatch',
        summary: 'Cancel a batch; installations that have begun continue',
        description: '409 STATE_CONFLICT when the batch is not running.',
        params: IdParams,
        response: { 200: OtaBatch },
      },
    },
    async (request) => {
      const { principal, params } = request
      const input = { userId: principal.id, at: new Date(now()) }
      const toNotify = await request.tenantTx((tx) => cancelBatch(tx, params.id, input))
      deps.background.run('cancelled updates', () => notifyDevices(deps, principal.tenantId, toNotify))
      return found('batch', await batches.find(request.tenantDb(), params.id))
    },
  )

  app.post(
    '/batches/:id/rollback',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'rollBackOtaBatch',
        summary: 'Roll back every device that the batch has changed to its last good version',
        description:
          'Devices that cannot be rolled back are listed with the reason. 409 STATE_CONFLICT while the batch ' +
          'is running.',
        params: IdParams,
        response: { 200: Rollback },
      },
    },
    async (request, reply) => {
      const { principal, params } = request
      const input = { userId: principal.id, now: now() }
      const rollback = await request.tenantTx((tx) => rollBackBatch(tx, params.id, input))
      deps.background.run('updates back', () => notifyDevices(deps, principal.tenantId, rollback.updates))
      const language = languageOf(reply)
      return {
        updates: rollback.updates,
        skipped: rollback.skipped.map(({ update_id, reason: { code, parameters } }) => ({
          update_id,
          reason: textOf({ code, parameters }, language),
          message_code: code,
          parameters,
        })),
      }
    },
  )
}
