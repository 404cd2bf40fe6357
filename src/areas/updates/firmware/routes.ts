import { found } from '../../../kernel/errors.ts'
import { FIRMWARE_PART_OLD_MS, REQUEST_ARRIVAL_LONG_MAX_MS } from '../../../kernel/limits.ts'
import { deletePart } from '../../../platform/files/upload-file.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { Page } from '../../../platform/http/page.ts'
import { FileResponses, sendFile } from '../../../platform/http/send-file.ts'
import { streamFiles } from '../../../platform/http/upload-stream.ts'
import { receiveFile } from './folder.ts'
import { FIRMWARE_NOTES_MAX_LENGTH } from './limits.ts'
import { FirmwareQuery, FirmwareVersion, UPLOAD_FIELDS, UpdateFirmware, UploadFirmware } from './schema.ts'
import {
  addVersion,
  deprecateVersion,
  firmwareFile,
  releaseVersion,
  sweepFirmware,
  updateVersion,
} from './service.ts'
import * as firmware from './store.ts'

const tags = ['firmware']
const read = needs('read:firmware')
const manage = needs('manage:firmware')

/** The most bytes of a character in UTF-8. */
const UTF8_BYTES = 4

/** The upload route has a scope of its own because its bodies are files. */
export function firmwareUploadRoutes(app: App): void {
  const { deps } = app
  const { config, log } = deps
  streamFiles(app, {
    bytesMax: config.firmwareMaxBytes,
    fields: UPLOAD_FIELDS,
    fieldBytesMax: FIRMWARE_NOTES_MAX_LENGTH * UTF8_BYTES,
    keep: (_request, file) => receiveFile(config, file),
    discard: deletePart,
  })
  app.addHook('onListen', async () => {
    // File times come from the clock of the machine, which may differ from the service clock.
    const since =
      Math.min(deps.clock.now(), performance.timeOrigin + performance.now()) - FIRMWARE_PART_OLD_MS
    deps.background.run('sweep of the firmware folder', () => sweepFirmware(deps, since))
    log.debug('looked for uploads that did not come to their end')
  })
  app.after(() => uploadRoute(app))
}

function uploadRoute(app: App): void {
  app.post(
    '/versions',
    {
      config: { ...withErrors(manage, 507).config, arrivalMaxMs: REQUEST_ARRIVAL_LONG_MAX_MS },
      schema: {
        tags,
        operationId: 'uploadFirmware',
        summary: 'Upload a firmware version as a draft',
        description:
          'A multipart form: the file in the field `file`, the others as text. 409 DUPLICATE_ENTRY ' +
          'for a version that the ' +
          'model has; 413 for a file larger than FIRMWARE_MAX_BYTES; 422 FIRMWARE_SIGNATURE_INVALID ' +
          'for a signature that is ' +
          'of none of FIRMWARE_PUBLIC_KEYS.',
        consumes: ['multipart/form-data'],
        body: UploadFirmware,
        response: { 201: FirmwareVersion },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const input = { body, userId: principal.id }
      return reply.code(201).send(await request.tenantTx((tx) => addVersion(app.deps, tx, input)))
    },
  )
}

export function firmwareRoutes(app: App): void {
  const { deps } = app
  app.get(
    '/versions',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listFirmware',
        summary: 'List firmware versions',
        querystring: FirmwareQuery,
        response: { 200: Page(FirmwareVersion) },
      },
    },
    (request) => firmware.list(request.tenantDb(), request.query),
  )

  getResource(
    app,
    '/versions/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getFirmware',
        summary: 'Get a firmware version',
        params: IdParams,
        response: { 200: FirmwareVersion },
      },
    },
    async (request) => found('firmware version', await firmware.find(request.tenantDb(), request.params.id)),
  )

  app.get(
    '/versions/:id/download',
    {
      ...withErrors(read, 409, 416),
      schema: {
        tags,
        operationId: 'downloadFirmware',
        summary: 'Download the file of a firmware version',
        description:
          'Range, If-Range and a strong ETag are supported, so that an interrupted download can be resumed: ' +
          '206; 416 beyond the end. 409 STATE_CONFLICT from a process that does not have the file.',
        params: IdParams,
        response: FileResponses,
      },
    },
    async (request, reply) => {
      const tenant = request.tenantDb()
      const row = found('firmware version', await firmware.find(tenant, request.params.id))
      return sendFile(request, reply, await firmwareFile(deps, tenant, row))
    },
  )
  changeRoutes(app)
}

function changeRoutes(app: App): void {
  const { deps } = app
  app.patch(
    '/versions/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateFirmware',
        summary: 'Update the metadata of a draft',
        description: '409 STATE_CONFLICT for a version that is not a draft.',
        params: IdParams,
        body: UpdateFirmware,
        response: { 200: FirmwareVersion },
      },
    },
    (request) => {
      const input = { id: request.params.id, body: request.body }
      return request.tenantTx((tx) => updateVersion(deps, tx, input))
    },
  )

  app.post(
    '/versions/:id/release',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'releaseFirmware',
        summary: 'Release a draft; afterwards it can be installed and never changes',
        description:
          'The file is read again and compared with its hash, and the signature is verified with ' +
          'FIRMWARE_PUBLIC_KEYS; if there are keys, a version must be signed. 409 STATE_CONFLICT when it is ' +
          'not a draft or its file has changed.',
        params: IdParams,
        response: { 200: FirmwareVersion },
      },
    },
    (request) => request.tenantTx((tx) => releaseVersion(deps, tx, request.params.id)),
  )

  app.post(
    '/versions/:id/deprecate',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deprecateFirmware',
        summary: 'Deprecate a released version: no new update installs it, except a rollback',
        params: IdParams,
        response: { 200: FirmwareVersion },
      },
    },
    (request) => request.tenantTx((tx) => deprecateVersion(deps, tx, request.params.id)),
  )
}
