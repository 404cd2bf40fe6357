import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { forEveryone, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Page } from '../../../platform/http/page.ts'
import { generateClaim, listPendingClaims, redeemClaim } from './claim-service.ts'
import * as claims from './claim-store.ts'
import { Claim, ClaimQuery, GenerateClaim, RedeemClaim, Redeemed } from './schema.ts'

const tags = ['zigbee']

/** Claims, by which Zigbee gateways join a tenant. */
export function zigbeeClaimRoutes(app: App): void {
  const manage = needs('manage:zigbee')

  app.post(
    '/generate',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'generateZigbeeClaim',
        summary: 'Create a single-use code with which a Zigbee gateway can join',
        body: GenerateClaim,
        response: { 201: Claim },
      },
    },
    async (request, reply) => {
      const { principal, body } = request
      const claim = await request.tenantTx((tx) => generateClaim(tx, body, { deps: app.deps, principal }))
      return reply.code(201).send(claim)
    },
  )

  app.get(
    '/pending',
    {
      ...needs('read:zigbee'),
      schema: {
        tags,
        operationId: 'listPendingZigbeeClaims',
        summary: 'List the unused codes',
        querystring: ClaimQuery,
        response: { 200: Page(Claim) },
      },
    },
    (request) => listPendingClaims(request.tenantDb(), request.query, new Date(app.deps.clock.now())),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteZigbeeClaim',
        summary: 'Delete a code; a gateway that has used it is kept',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found('claim', await request.tenantTx((tx) => claims.remove(tx, request.params.id)))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/redeem',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'redeemZigbeeClaim',
        summary: 'Redeem a code: create the gateway and its login at the message broker',
        body: RedeemClaim,
        response: { 201: Redeemed },
      },
    },
    async (request, reply) => reply.code(201).send(await redeemClaim(app.deps, request.body)),
  )
}
