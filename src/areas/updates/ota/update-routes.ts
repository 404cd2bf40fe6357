import { Type } from 'typebox'
import { found, notFound } from '../../../kernel/errors.ts'
import { inTenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import { forEveryone, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { sendFile } from '../../../platform/http/send-file.ts'
import { FileAnswers, fileOf } from '../firmware/index.ts'
import { tellDevices } from './devices/notify-devices.ts'
import { noteDownload } from './downloads/chunks.ts'
import { readLink } from './downloads/link.ts'
import { cancelUpdate, readUpdate, retryUpdate, rollBackUpdate } from './lifecycle/operator-actions.ts'
import { refuseWhileLockedOut } from './targets/interlock.ts'
import { findCommand } from './updates/command-store.ts'
import { startUpdate } from './updates/create-update.ts'
import { OtaUpdate, OtaUpdateDetail, StartUpdate, UpdateQuery } from './updates/schema.ts'
import { isUnderWay } from './updates/states.ts'
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
          'The device is told over MQTT, and fetches the file by a link of its own or in pieces: docs/ota.md. 409 STATE_CONFLICT ' +
          'for a version that is not released, and while the device has an update that is not finished; 409 LOTO_LOCKED_OUT; 422 ' +
          'BUSINESS_RULE_VIOLATION for another model, or a device that no gateway on a message broker speaks for.',
        body: StartUpdate,
        response: { 201: OtaUpdateDetail },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const baseUrl = deps.config.publicBaseUrl
      const order = { body, userId: principal.id, now: deps.clock.now(), baseUrl }
      const id = await request.tenantTx((tx) => startUpdate(tx, order))
      await tellDevices(deps, principal.tenantId, [id])
      return reply.code(201).send(await readUpdate(request.tenantDb(), id))
    },
  )

  app.get(
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getOtaUpdate',
        summary: 'An update with its trail',
        params: IdParams,
        response: { 200: OtaUpdateDetail },
      },
    },
    (request) => readUpdate(request.tenantDb(), request.params.id),
  )
  actingRoutes(app)
}

function actingRoutes(app: App): void {
  const { deps } = app
  const now = () => new Date(deps.clock.now())
  const acts = [
    {
      path: '/:id/cancel',
      operationId: 'cancelOtaUpdate',
      summary: 'Cancel an update that is not being installed yet',
      act: cancelUpdate,
    },
    {
      path: '/:id/retry',
      operationId: 'retryOtaUpdate',
      summary: 'Begin a failed or cancelled update anew',
      act: retryUpdate,
    },
  ] as const
  for (const { path, operationId, summary, act } of acts)
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
        const acting = { id: request.params.id, userId: request.principal.id, at: now() }
        const touched = await request.tenantTx((tx) => act(tx, acting))
        await tellDevices(deps, request.principal.tenantId, touched)
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
        summary: 'Send the device back to its last good version',
        description:
          'That is what succeeded on it before, else what it said to run, where there is a firmware of that version, deprecated ' +
          'ones included. The answer is the new update. 409 STATE_CONFLICT when there is none, or the update is not finished.',
        params: IdParams,
        response: { 201: OtaUpdateDetail },
      },
    },
    async (request, reply) => {
      const acting = { id: request.params.id, userId: request.principal.id, at: now() }
      const id = await request.tenantTx((tx) => rollBackUpdate(tx, acting))
      await tellDevices(deps, request.principal.tenantId, [id])
      return reply.code(201).send(await readUpdate(request.tenantDb(), id))
    },
  )
}

/** For devices: the link itself is the permission, and says for which update. */
export function firmwareLinkRoutes(app: App): void {
  const { deps } = app
  const { config, clock, database } = deps
  app.get(
    '/download/:token',
    {
      ...forEveryone,
      schema: {
        tags: ['firmware'],
        operationId: 'downloadFirmwareByLink',
        summary: 'The file of an update, for its device',
        description:
          'The link is made for one attempt of one update and expires; with any other it is 404. 409 LOTO_LOCKED_OUT while ' +
          'people may be at work on the device. Range, If-Range and ETag as in the download of people.',
        params: Type.Object({
          token: Type.String({ maxLength: 200, description: 'As the device was told it.' }),
        }),
        response: FileAnswers,
      },
    },
    async (request, reply) => {
      const link = readLink(request.params.token, config.secretKey, clock.now())
      if (!link) throw notFound('link')
      const tenant = tenantDb(database.kysely, link.tenantId)
      const command = found('link', await findCommand(tenant, link.updateId))
      if (command.attempt !== link.attempt || !isUnderWay(command.status)) throw notFound('link')
      await inTenantTx(database.kysely, link.tenantId, (tx) => refuseWhileLockedOut(tx, command))
      const { firmware_version_id: id } = command
      const file = await fileOf(deps, tenant, { ...command, id })
      if (request.method === 'GET') await noteDownload(deps, link.tenantId, command)
      return sendFile(request, reply, file)
    },
  )
}
