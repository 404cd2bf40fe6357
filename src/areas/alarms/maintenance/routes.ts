import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreateMaintenance, Maintenance, MaintenanceQuery } from './schema.ts'
import { createWindow } from './service.ts'
import { endMaintenance, findMaintenance, listMaintenance } from './store.ts'

const tags = ['alarms']

/** Below /api/alarms/maintenance. */
export function maintenanceRoutes(app: App): void {
  const now = () => app.deps.clock.now()

  app.get(
    '/',
    {
      ...needs('read:alarm'),
      schema: {
        tags,
        operationId: 'listMaintenanceWindows',
        summary: 'List maintenance windows',
        querystring: MaintenanceQuery,
        response: { 200: Page(Maintenance) },
      },
    },
    (request) => listMaintenance(request.tenantDb(), request.query, new Date(now())),
  )

  app.post(
    '/',
    {
      ...needs('manage:alarm'),
      schema: {
        tags,
        operationId: 'createMaintenanceWindow',
        summary: 'Create a maintenance window: no incidents open for a policy, a device or a subregion',
        body: CreateMaintenance,
        response: { 201: Maintenance },
      },
    },
    async (request, reply) => {
      const input = { body: request.body, userId: request.principal.id, now: now() }
      return reply.code(201).send(await request.tenantTx((tx) => createWindow(tx, input)))
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...needs('read:alarm'),
      schema: {
        tags,
        operationId: 'getMaintenanceWindow',
        summary: 'Get a maintenance window',
        params: IdParams,
        response: { 200: Maintenance },
      },
    },
    async (request) =>
      found('maintenance window', await findMaintenance(request.tenantDb(), request.params.id)),
  )

  app.delete(
    '/:id',
    {
      ...needs('manage:alarm'),
      schema: {
        tags,
        operationId: 'endMaintenanceWindow',
        summary: 'End a maintenance window now; a window that has not begun is deleted',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const at = new Date(now())
      const isThere = await request.tenantTx((tx) => endMaintenance(tx, request.params.id, at))
      found('maintenance window', isThere || undefined)
      return reply.code(204).send(null)
    },
  )
}
