import { Type } from 'typebox'
import { withWarningTexts } from '../../../../kernel/warnings.ts'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { languageOf } from '../../../../platform/http/language.ts'
import { sendList } from '../../../../platform/http/page.ts'
import { routeContext } from '../../shared/index.ts'
import {
  AdjustLimit,
  Adjustment,
  CreateLimitAccount,
  LimitAccount,
  LimitAccountQuery,
  ListedLimitAccount,
  Movement,
  MovementQuery,
  MovementTotals,
  Transfer,
  TransferLimit,
} from './schema.ts'
import {
  adjustLimit,
  createLimitAccount,
  listAccounts,
  listMovements,
  sumMovements,
  transferLimit,
} from './service.ts'

const tags = ['netting limits']

export function limitRoutes(app: App): void {
  accountRoutes(app)
  bookingRoutes(app)
}

function accountRoutes(app: App): void {
  const read = needs('read:netting')

  app.get(
    '/limits/accounts',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listLimitAccounts',
        summary: 'List limit accounts, newest first, with the remaining limit on request',
        querystring: LimitAccountQuery,
        response: { 200: Type.Array(ListedLimitAccount) },
      },
    },
    async (request, reply) => sendList(reply, await listAccounts(request.tenantDb(), request.query)),
  )

  app.post(
    '/limits/accounts',
    {
      ...needs('manage:netting'),
      schema: {
        tags,
        operationId: 'createLimitAccount',
        summary: 'Create the limit account of a facility and year, with its initial movement',
        body: CreateLimitAccount,
        response: { 201: LimitAccount },
      },
    },
    async (request, reply) => {
      const context = routeContext(request.principal, app.deps.clock)
      return reply
        .code(201)
        .send(await request.tenantTx((tx) => createLimitAccount(tx, request.body, context)))
    },
  )

  app.get(
    '/limits/accounts/:id/movements',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listLimitMovements',
        summary: 'List the movements of a limit account, newest first',
        params: IdParams,
        querystring: MovementQuery,
        response: { 200: Type.Array(Movement) },
      },
    },
    async (request, reply) =>
      sendList(reply, await listMovements(request.tenantDb(), request.params.id, request.query)),
  )

  app.get(
    '/limits/accounts/:id/movements/totals',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getLimitMovementTotals',
        summary: 'Get the sums of the movements of a limit account by type',
        params: IdParams,
        response: { 200: MovementTotals },
      },
    },
    (request) => sumMovements(request.tenantDb(), request.params.id),
  )
}

function bookingRoutes(app: App): void {
  const manage = needs('manage:netting')

  app.post(
    '/limits/accounts/:id/adjust',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'adjustLimit',
        summary: 'Book a manual adjustment',
        description: 'A negative amount may make the remaining limit negative.',
        params: IdParams,
        body: AdjustLimit,
        response: { 201: Adjustment },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      const actor = routeContext(principal, app.deps.clock)
      return reply.code(201).send(await request.tenantTx((tx) => adjustLimit(tx, params.id, body, actor)))
    },
  )

  app.post(
    '/limits/transfer',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'transferLimit',
        summary: 'Transfer remaining limit from one account to another (beta)',
        description:
          'Transfers from one account are serialized. 422 INSUFFICIENT_LIMIT_BALANCE if the remaining limit ' +
          'of the source is too small.',
        body: TransferLimit,
        response: { 201: Transfer },
      },
    },
    async (request, reply) => {
      const actor = routeContext(request.principal, app.deps.clock)
      const result = await request.tenantTx((tx) => transferLimit(tx, request.body, actor))
      return reply.code(201).send(withWarningTexts(result, languageOf(reply)))
    },
  )
}
