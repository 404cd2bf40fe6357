import { withWarningTexts } from '../../../kernel/warnings.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { CorrectionBody, CorrectionResult } from './schema.ts'
import { correctGroup } from './service.ts'

export function correctionRoutes(app: App): void {
  app.post(
    '/groups/:id/corrections',
    {
      ...withErrors(needs('manage:netting'), 'sealed month'),
      schema: {
        tags: ['netting calculation'],
        operationId: 'correctGroup',
        summary: 'Correct a period and every later one that has been calculated',
        description:
          'Every period is calculated again, in one transaction each, also across years. If the correction ' +
          'stops, the completed periods are kept, and the same request (group, billing_period, reason) ' +
          'continues from there. Corrections of one group are serialized. A calculation that needs sealed ' +
          'data is 409 with a plain text as its detail.',
        params: IdParams,
        body: CorrectionBody,
        response: { 201: CorrectionResult },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const result = await correctGroup(app.deps, {
        tenantId: principal.tenantId,
        userId: principal.id,
        groupId: params.id,
        body,
        inTx: (work) => request.tenantTx(work),
      })
      return reply.code(201).send(withWarningTexts(result, languageOf(reply)))
    },
  )
}
