import { Type } from 'typebox'
import { warningFields } from '../../../../kernel/warnings.ts'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { languageOf } from '../../../../platform/http/language.ts'
import { withErrors } from '../../../../platform/http/openapi.ts'
import { sendList } from '../../../../platform/http/page.ts'
import { routeContext } from '../../shared/index.ts'
import { changeAssignment } from './assignment-facts.ts'
import { changePoint } from './official-facts.ts'
import {
  Assignment,
  AssignmentQuery,
  ChangedAssignment,
  CreateAssignment,
  CreateMeteringPoint,
  MeteringPoint,
  MeteringPointParams,
  MeteringPointQuery,
  UpdateAssignment,
  UpdateMeteringPoint,
} from './schema.ts'
import {
  assignMeter,
  createMeteringPoint,
  listMeteringPoints,
  updateAssignment,
  updateMeteringPoint,
} from './service.ts'
import { findAssignment, findPoint, listAssignments, type PointRow } from './store.ts'

const tags = ['netting metering']
const OVERLAP_TEXT =
  'A period that overlaps another period of the same subregion and main role is 409 PERIOD_OVERLAP. The hourly ' +
  'energy of the facility is derived again for the hours concerned, at the latest before the next calculation that ' +
  'reads it; 409 SEALED_MONTH if one of their months is sealed. Calculated months need a correction.'

export function meteringRoutes(app: App): void {
  meteringPointRoutes(app)
  assignmentRoutes(app)
}

function meteringPointRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.get(
    '/facilities/:id/meters',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'listMeteringPoints',
        summary: 'List the metering points of a facility, newest first',
        params: IdParams,
        querystring: MeteringPointQuery,
        response: { 200: Type.Array(MeteringPoint) },
      },
    },
    async (request, reply) =>
      sendList(reply, await listMeteringPoints(request.tenantDb(), request.params.id, request.query)),
  )

  app.post(
    '/facilities/:id/meters',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createMeteringPoint',
        summary: 'Create a metering point of a facility',
        params: IdParams,
        body: CreateMeteringPoint,
        response: { 201: MeteringPoint },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const actor = routeContext(principal, app.deps.clock)
      const point = await changePoint<PointRow>(app.deps, {
        tenantId: principal.tenantId,
        inTx: (work) => request.tenantTx(work),
        before: undefined,
        body,
        change: (tx) => createMeteringPoint(tx, params.id, body, actor),
      })
      return reply.code(201).send(point)
    },
  )

  app.patch(
    '/meters/:metering_point_id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateMeteringPoint',
        summary: 'Update a metering point: omitted fields are unchanged, null clears; its facility is fixed',
        params: MeteringPointParams,
        body: UpdateMeteringPoint,
        response: { 200: MeteringPoint },
      },
    },
    async (request) => {
      const { body, params, principal } = request
      const id = params.metering_point_id
      return changePoint<PointRow>(app.deps, {
        tenantId: principal.tenantId,
        inTx: (work) => request.tenantTx(work),
        before: await findPoint(request.tenantDb(), id),
        body,
        change: (tx) => updateMeteringPoint(tx, id, body),
      })
    },
  )
}

function assignmentRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.post(
    '/meters/assign',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'assignMeter',
        summary: 'Assign a device to a measurement role',
        description: OVERLAP_TEXT,
        body: CreateAssignment,
        response: { 201: ChangedAssignment },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const context = routeContext(principal, app.deps.clock)
      const { assignment, warnings } = await changeAssignment(app.deps, {
        tenantId: principal.tenantId,
        before: undefined,
        change: () => request.tenantTx((tx) => assignMeter(tx, body, context)),
      })
      return reply.code(201).send({ ...assignment, ...warningFields(warnings, languageOf(reply)) })
    },
  )

  app.get(
    '/meters/assignments',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'listMeterAssignments',
        summary: 'List assignments, newest first',
        querystring: AssignmentQuery,
        response: { 200: Type.Array(Assignment) },
      },
    },
    async (request, reply) => sendList(reply, await listAssignments(request.tenantDb(), request.query)),
  )

  app.patch(
    '/meters/assignments/:id',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'updateMeterAssignment',
        summary:
          'Update an assignment, usually to close it with valid_to; subregion_id and device_id are ignored',
        description: OVERLAP_TEXT,
        params: IdParams,
        body: UpdateAssignment,
        response: { 200: ChangedAssignment },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const context = routeContext(principal, app.deps.clock)
      const { assignment, warnings } = await changeAssignment(app.deps, {
        tenantId: principal.tenantId,
        before: await findAssignment(request.tenantDb(), params.id),
        change: () => request.tenantTx((tx) => updateAssignment(tx, params.id, body, context)),
      })
      return { ...assignment, ...warningFields(warnings, languageOf(reply)) }
    },
  )
}
