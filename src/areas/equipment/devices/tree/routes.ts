import { Type } from 'typebox'
import { found } from '../../../../kernel/errors.ts'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { sendList } from '../../../../platform/http/page.ts'
import { Device } from '../schema.ts'
import * as devices from '../store.ts'
import { ChildrenQuery, ConsumptionQuery, EnergyConsumption, Hierarchy, HierarchyQuery } from './schema.ts'
import { readEnergyConsumption, readHierarchy } from './service.ts'

const tags = ['devices']

/** Hierarchy of devices and their energy consumption. */
export function deviceTreeRoutes(app: App): void {
  const { clock } = app.deps
  const now = () => new Date(clock.now())
  const read = needs('read:device')

  app.get(
    '/:id/hierarchy',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getDeviceHierarchy',
        summary: 'Get the device tree below a device, and its ancestors',
        description: 'parent_id defines the tree. A parent_id that would close a cycle is rejected (422).',
        params: IdParams,
        querystring: HierarchyQuery,
        response: { 200: Hierarchy },
      },
    },
    (request) =>
      readHierarchy(request.tenantDb(), {
        id: request.params.id.toLowerCase(),
        maxDepth: request.query.max_depth,
        now: now(),
      }),
  )

  app.get(
    '/:id/children',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listDeviceChildren',
        summary: 'List the child devices of a device, ordered by name',
        params: IdParams,
        querystring: ChildrenQuery,
        response: { 200: Type.Array(Device) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      found('device', await devices.find(db, request.params.id, now()))
      const { limit, offset, ...filter } = request.query
      const { items, total } = await devices.list(
        db,
        { ...filter, parent_id: request.params.id, skip: offset, limit, sort_by: 'name', sort_order: 'asc' },
        now(),
      )
      return sendList(reply, { items, total })
    },
  )

  app.get(
    '/:id/energy-consumption',
    {
      ...needs('read:measurement'),
      schema: {
        tags,
        operationId: 'getDeviceEnergyConsumption',
        summary:
          'Get the energy that a device consumed, produced and exported, by hour, day or month, with totals',
        params: IdParams,
        querystring: ConsumptionQuery,
        response: { 200: EnergyConsumption },
      },
    },
    (request) =>
      readEnergyConsumption(request.readDatabase().pool, request.tenantDb(), {
        deviceId: request.params.id,
        query: request.query,
        now: clock.now(),
      }),
  )
}
