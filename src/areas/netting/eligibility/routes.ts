import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { Eligibility } from './schema.ts'
import { evaluateGroup, readEligibility } from './service.ts'

const tags = ['netting eligibility']

export function eligibilityRoutes(app: App): void {
  app.post(
    '/groups/:id/evaluate',
    {
      ...needs('manage:netting'),
      schema: {
        tags,
        operationId: 'evaluateGroup',
        summary:
          'Evaluate the 13 eligibility rules for a group as of now, log the results and set its status',
        description: 'A blocked group is still calculated: its whole production is free surplus (bedelsiz).',
        params: IdParams,
        response: { 201: Eligibility },
      },
    },
    async (request, reply) => {
      const { params, principal } = request
      const evaluator = { by: principal.id, clock: app.deps.clock }
      return reply.code(201).send(await request.tenantTx((tx) => evaluateGroup(tx, params.id, evaluator)))
    },
  )

  app.get(
    '/groups/:id/eligibility',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'getGroupEligibility',
        summary: 'Get the eligibility of a group with the rule results of the latest evaluation',
        params: IdParams,
        response: { 200: Eligibility },
      },
    },
    (request) => readEligibility(request.tenantDb(), request.params.id),
  )
}
