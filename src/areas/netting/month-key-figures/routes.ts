import { withWarningTexts } from '../../../kernel/warnings.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { MonthKeyFigures, MonthKeyFiguresQuery } from './schema.ts'
import { readMonthKeyFigures } from './service.ts'

export function monthKeyFiguresRoutes(app: App): void {
  app.get(
    '/groups/:id/dashboard-summary',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting calculation'],
        operationId: 'getDashboardSummary',
        summary: 'Get the key figures of a group for one month',
        description:
          'Energies are sums of the current hourly rows, amounts are sums of the current amounts. For a ' +
          'residential group the hours are informational and only the month is official: mesken_month then ' +
          'contains the energies that correspond to the amounts.',
        params: IdParams,
        querystring: MonthKeyFiguresQuery,
        response: { 200: MonthKeyFigures },
      },
    },
    async (request, reply) => {
      const figures = await readMonthKeyFigures(request.tenantDb(), {
        groupId: request.params.id,
        period: request.query.period,
        now: app.deps.clock.now(),
      })
      return withWarningTexts(figures, languageOf(reply))
    },
  )
}
