import { Type } from 'typebox'
import { warningFields } from '../../../../kernel/warnings.ts'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { languageOf } from '../../../../platform/http/language.ts'
import { sendList } from '../../../../platform/http/page.ts'
import { runMembershipCorrection } from '../../corrections/index.ts'
import { routeContext } from '../../shared/index.ts'
import {
  AddMember,
  CreateGroup,
  Group,
  GroupQuery,
  ListedGroup,
  Member,
  MemberParams,
  MemberQuery,
  UpdateGroup,
  UpdateMember,
} from './schema.ts'
import {
  addMember,
  createGroup,
  findGroup,
  listGroups,
  listMembers,
  removeMember,
  updateGroup,
  updateMember,
} from './service.ts'

const tags = ['netting groups']
const SINGLE_TEXT =
  'A facility that is already a member of a group in the period is rejected with 409 ' +
  'SINGLE_GROUP_VIOLATION.'
const CORRECTION_TEXT =
  'Where the change reaches into hours that have been calculated, the group is corrected from their first period on.'

export function groupRoutes(app: App): void {
  readGroupRoutes(app)
  writeGroupRoutes(app)
  memberRoutes(app)
  memberChangeRoutes(app)
}

function readGroupRoutes(app: App): void {
  const read = needs('read:netting')

  app.get(
    '/groups',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listGroups',
        summary: 'List groups, newest first',
        querystring: GroupQuery,
        response: { 200: Type.Array(ListedGroup) },
      },
    },
    async (request, reply) =>
      sendList(reply, await listGroups(request.tenantDb(), request.query, app.deps.clock.now())),
  )

  getResource(
    app,
    '/groups/:id',
    {
      ...read,
      observed: ['stale', 'stale_periods'],
      schema: {
        tags,
        operationId: 'getGroup',
        summary: 'Get a group',
        params: IdParams,
        response: { 200: Group },
      },
    },
    (request) => findGroup(request.tenantDb(), request.params.id),
  )
}

function writeGroupRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.post(
    '/groups',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createGroup',
        summary: 'Create a group with the status customer_defined and the eligibility not_checked',
        body: CreateGroup,
        response: { 201: Group },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => createGroup(tx, request.body))),
  )

  app.patch(
    '/groups/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateGroup',
        summary: 'Update a group: omitted fields are unchanged, null clears',
        description: 'A group_status that moves backward or skips a step is 409 STATE_CONFLICT.',
        params: IdParams,
        body: UpdateGroup,
        response: { 200: Group },
      },
    },
    (request) =>
      request.tenantTx((tx) =>
        updateGroup(tx, request.params.id, request.body, { at: app.deps.clock.now() }),
      ),
  )
}

function memberRoutes(app: App): void {
  app.get(
    '/groups/:id/members',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'listGroupMembers',
        summary: 'List the memberships of a group, newest first, including closed ones; not paged',
        params: IdParams,
        querystring: MemberQuery,
        response: { 200: Type.Array(Member) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const now = app.deps.clock.now()
      return sendList(reply, await listMembers(request.tenantDb(), params.id, query, now))
    },
  )

  app.post(
    '/groups/:id/members',
    {
      ...needs('manage:netting'),
      schema: {
        tags,
        operationId: 'addGroupMember',
        summary: 'Add a facility to a group, from the current month at the earliest',
        description: SINGLE_TEXT,
        params: IdParams,
        body: AddMember,
        response: { 201: Member },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const context = routeContext(principal, app.deps.clock)
      return reply.code(201).send(await request.tenantTx((tx) => addMember(tx, params.id, body, context)))
    },
  )
}

function memberChangeRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.patch(
    '/groups/:id/members/:member_id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateGroupMember',
        summary:
          'Update a membership, usually to close it with valid_to; group_id and facility_id are ignored',
        description: `${SINGLE_TEXT} ${CORRECTION_TEXT} The warnings are those of the correction.`,
        params: MemberParams,
        body: UpdateMember,
        response: { 200: Member },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const key = { groupId: params.id, id: params.member_id }
      const actor = routeContext(principal, app.deps.clock)
      const { member, correction } = await request.tenantTx((tx) => updateMember(tx, key, body, actor))
      const warnings = await runMembershipCorrection(app.deps, principal.tenantId, correction)
      return { ...member, ...warningFields(warnings, languageOf(reply)) }
    },
  )

  app.delete(
    '/groups/:id/members/:member_id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteGroupMember',
        summary: 'Delete a membership permanently; closing it with valid_to is preferred',
        description: CORRECTION_TEXT,
        params: MemberParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params } = request
      const { id: groupId, member_id: id } = params
      const actor = routeContext(principal, app.deps.clock)
      const correction = await request.tenantTx((tx) => removeMember(tx, { groupId, id }, actor))
      await runMembershipCorrection(app.deps, principal.tenantId, correction)
      return reply.code(204).send(null)
    },
  )
}
