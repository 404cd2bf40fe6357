import { forSuperuser, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../platform/http/errors.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { findAccount, listAccounts } from './account-store.ts'
import { listPrices } from './price-store.ts'
import {
  AccountQuery,
  CreateMarketAccount,
  MarketAccount,
  MarketPrice,
  PriceQuery,
  TestCall,
  Transition,
  UpdateMarketAccount,
} from './schema.ts'
import {
  createAccount,
  foundAccount,
  testAccount,
  toResponse,
  transitionAccount,
  updateAccount,
} from './service.ts'

const accountTags = ['market accounts']

/** National: every tenant reads the same. */
export function marketPriceRoutes(app: App): void {
  app.get(
    '/prices',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['market prices'],
        operationId: 'listMarketPrices',
        summary: 'List national market prices by hour, in TRY/MWh',
        description:
          'An hour has one row per maturity of its price. The list is empty, without an error, while ' +
          'MARKETOP_ENABLED is false.',
        querystring: PriceQuery,
        response: { 200: Page(MarketPrice) },
      },
    },
    (request) => {
      const { skip, limit } = request.query
      if (!app.deps.config.marketopEnabled) return { items: [], total: 0, skip, limit }
      return listPrices(request.systemDb(), request.query)
    },
  )
}

/** Superuser only. No response contains a secret. */
export function marketAccountRoutes(app: App): void {
  setErrorShape(app, 'market', 'NOT_FOUND')
  recordRoutes(app)
  actionRoutes(app)
}

function recordRoutes(app: App): void {
  const { config, clock } = app.deps
  app.get(
    '/',
    {
      ...forSuperuser,
      schema: {
        tags: accountTags,
        operationId: 'listMarketAccounts',
        summary: 'List the accounts for the market platform; secrets are masked',
        querystring: AccountQuery,
        response: { 200: Page(MarketAccount) },
      },
    },
    async (request) => {
      const { items, ...page } = await listAccounts(request.systemDb(), request.query)
      return { items: items.map(toResponse), ...page }
    },
  )

  app.post(
    '/',
    {
      ...forSuperuser,
      schema: {
        tags: accountTags,
        operationId: 'createMarketAccount',
        summary: 'Create an account with the status not_started',
        description:
          'Secrets are encrypted with CREDENTIAL_ENCRYPTION_KEY: 503 encryption_not_configured without the ' +
          'key, encryption_misconfigured if the key is invalid.',
        body: CreateMarketAccount,
        response: { 201: MarketAccount },
      },
    },
    async (request, reply) => {
      const actor = { userId: request.principal.id, now: clock.now(), config }
      const account = await request.systemTx((tx) => createAccount(tx, request.body, actor))
      return reply.code(201).send(toResponse(account))
    },
  )

  getResource(
    app,
    '/:id',
    {
      ...forSuperuser,
      schema: {
        tags: accountTags,
        operationId: 'getMarketAccount',
        summary: 'Get an account; secrets are masked',
        params: IdParams,
        response: { 200: MarketAccount },
      },
    },
    async (request) => toResponse(foundAccount(await findAccount(request.systemDb(), request.params.id))),
  )

  app.patch(
    '/:id',
    {
      ...forSuperuser,
      schema: {
        tags: accountTags,
        operationId: 'updateMarketAccount',
        summary: 'Update an account: omitted fields are unchanged',
        description:
          'Changed credentials must pass a test-call again. The encryption key is needed only if a secret is ' +
          'given: 503 as on create.',
        params: IdParams,
        body: UpdateMarketAccount,
        response: { 200: MarketAccount },
      },
    },
    async (request) => {
      const change = { id: request.params.id, body: request.body }
      return toResponse(
        await request.systemTx((tx) => updateAccount(tx, change, { now: clock.now(), config })),
      )
    },
  )
}

function actionRoutes(app: App): void {
  app.post(
    '/:id/transition',
    {
      ...forSuperuser,
      schema: {
        tags: accountTags,
        operationId: 'moveMarketAccount',
        summary: 'Advance an account by one approval step, or block it',
        description: 'Every other transition is 409 invalid_whitelist_transition.',
        params: IdParams,
        body: Transition,
        response: { 200: MarketAccount },
      },
    },
    async (request) => {
      const { params, body } = request
      const now = app.deps.clock.now()
      return toResponse(
        await request.systemTx((tx) => transitionAccount(tx, params.id, body.whitelist_status, now)),
      )
    },
  )

  app.post(
    '/:id/test-call',
    {
      ...forSuperuser,
      schema: {
        tags: accountTags,
        operationId: 'testMarketAccount',
        summary: 'Test an account: log in and request prices',
        description:
          'The status is always 200: `ok` and `failed_step` contain the result. The test works while the ' +
          'pull is disabled.',
        params: IdParams,
        response: { 200: TestCall },
      },
    },
    (request) => testAccount(app.deps, request.params.id),
  )
}
