import { Type } from 'typebox'
import { forSuperuser, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { sendList } from '../../../platform/http/page.ts'
import { toResponse } from './rule-rows.ts'
import { Eligibility, EligibilityQuery, EvaluationQuery, PeriodEvaluationBody } from './schema.ts'
import { evaluateGroup, evaluatePeriodOnRequest, listEvaluations, readEligibility } from './service.ts'

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
      const evaluator = { by: principal.id, clock: app.deps.clock, triggeredBy: 'request' } as const
      const evaluation = await request.tenantTx((tx) => evaluateGroup(tx, params.id, evaluator))
      return reply.code(201).send(toResponse(evaluation, languageOf(reply)))
    },
  )

  app.get(
    '/groups/:id/eligibility',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'getGroupEligibility',
        summary: 'Get the eligibility of a group, now or in a period, with the results of the rules',
        params: IdParams,
        querystring: EligibilityQuery,
        response: { 200: Eligibility },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const evaluation = await readEligibility(request.tenantDb(), params.id, query.billing_period)
      return toResponse(evaluation, languageOf(reply))
    },
  )

  app.get(
    '/groups/:id/evaluations',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'listGroupEvaluations',
        summary: 'List the logged evaluations of a group, latest first',
        params: IdParams,
        querystring: EvaluationQuery,
        response: { 200: Type.Array(Eligibility) },
      },
    },
    async (request, reply) => {
      const { items, total } = await listEvaluations(request.tenantDb(), request.params.id, request.query)
      const language = languageOf(reply)
      return sendList(reply, { items: items.map((evaluation) => toResponse(evaluation, language)), total })
    },
  )

  app.post(
    '/groups/:id/period-evaluations',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'evaluateGroupPeriod',
        summary: 'Evaluate all rules for a period that is over, with a reason (superuser)',
        description:
          'Evaluates all 13 rules as of the period with the records of now, including those about acts of ' +
          'persons (R001, R013), which every other evaluation of a period that is over keeps. The status of the ' +
          'group does not change. Results change with the next calculation or correction of the period: see ' +
          'correction_required. 422 for a period that is not over, and for one without a member.',
        params: IdParams,
        body: PeriodEvaluationBody,
        response: { 201: Eligibility },
      },
    },
    async (request, reply) => {
      const { params, principal, body } = request
      const evaluator = { by: principal.id, clock: app.deps.clock }
      const evaluation = await request.tenantTx((tx) =>
        evaluatePeriodOnRequest(tx, params.id, body, evaluator),
      )
      return reply.code(201).send(toResponse(evaluation, languageOf(reply)))
    },
  )
}
