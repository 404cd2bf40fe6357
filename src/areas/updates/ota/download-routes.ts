import { Type } from 'typebox'
import { found, notFound } from '../../../kernel/errors.ts'
import { inTenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import { forEveryone } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { FileResponses, sendFile } from '../../../platform/http/send-file.ts'
import { firmwareFile } from '../firmware/index.ts'
import { recordDownloadStart } from './downloads/chunks.ts'
import { verifyDownloadToken } from './downloads/link.ts'
import { refuseWhileLockedOut } from './targets/interlock.ts'
import { findCommand } from './updates/command-store.ts'
import { isUnderWay } from './updates/states.ts'

/** Downloads by devices. A device has no account: the signed link is its permission and names the update. */
export function firmwareLinkRoutes(app: App): void {
  const { deps } = app
  const { config, clock, database } = deps
  app.get(
    '/download/:token',
    {
      ...withErrors(forEveryone, 409, 416),
      schema: {
        tags: ['firmware'],
        operationId: 'downloadFirmwareByLink',
        summary: 'Download the file of an update (called by the device)',
        description:
          'The link is valid for one attempt of one update and expires; an unknown link is 404. 409 ' +
          'LOTO_LOCKED_OUT while the device is locked out. Range, If-Range and ETag are supported as for the ' +
          'download by users.',
        params: Type.Object({
          token: Type.String({ maxLength: 200, description: 'Secret token of the link sent to the device.' }),
        }),
        response: FileResponses,
      },
    },
    async (request, reply) => {
      const link = verifyDownloadToken(request.params.token, config.secretKey, clock.now())
      if (!link) throw notFound('link')
      const tenant = tenantDb(database.kysely, link.tenantId)
      const command = found('link', await findCommand(tenant, link.updateId))
      if (command.attempt !== link.attempt || !isUnderWay(command.status)) throw notFound('link')
      await inTenantTx(database.kysely, link.tenantId, (tx) => refuseWhileLockedOut(tx, command))
      const { firmware_version_id: id } = command
      const file = await firmwareFile(deps, tenant, { ...command, id })
      if (request.method === 'GET') await recordDownloadStart(deps, link.tenantId, command)
      return sendFile(request, reply, file)
    },
  )
}
