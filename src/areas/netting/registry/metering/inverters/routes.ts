import { Type } from 'typebox'
import { needs } from '../../../../../platform/http/access.ts'
import type { App } from '../../../../../platform/http/app-type.ts'
import { withErrors } from '../../../../../platform/http/openapi.ts'
import { sendList } from '../../../../../platform/http/page.ts'
import { AppliedInverterTypes, ApplyInverterTypes, InverterSuggestion, SuggestionQuery } from './schema.ts'
import { applyInverterTypes, listSuggestions } from './service.ts'

const tags = ['netting metering']

export function inverterRoutes(app: App): void {
  app.get(
    '/inverter-type/suggestions',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'listInverterTypeSuggestions',
        summary: 'Suggest an inverter_type for inverters whose vendor and model determine it',
        description: 'A model that is unknown, or is sold with and without storage, gets no suggestion.',
        querystring: SuggestionQuery,
        response: { 200: Type.Array(InverterSuggestion) },
      },
    },
    async (request, reply) => sendList(reply, await listSuggestions(request.tenantDb(), request.query)),
  )

  app.post(
    '/inverter-type/apply',
    {
      ...withErrors(needs('manage:netting'), 404),
      schema: {
        tags,
        operationId: 'applyInverterTypes',
        summary: 'Set the inverter_type of devices; all changes are applied, or none',
        description: 'A 404 response contains missing_device_ids.',
        body: ApplyInverterTypes,
        response: { 201: AppliedInverterTypes },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => applyInverterTypes(tx, request.body))),
  )
}
