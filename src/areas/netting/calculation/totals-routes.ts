import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { findGroup } from './input-store.ts'
import { AmountTotals, HourlyTotals, TotalsQuery, VirtualMeterTotals } from './totals-schema.ts'
import { sumAmounts, sumHours, sumVirtualMeters } from './totals-store.ts'

const tags = ['netting calculation']
const read = needs('read:netting')

/** Sums over the rows of the lists of a group, whose responses are plain arrays. */
export function calculationTotalsRoutes(app: App): void {
  app.get(
    '/groups/:id/hourly/totals',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getHourlyTotals',
        summary: 'Get the sums of the current hourly results of a group',
        params: IdParams,
        querystring: TotalsQuery,
        response: { 200: HourlyTotals },
      },
    },
    async (request) => {
      const db = request.tenantDb()
      const { id } = found('group', await findGroup(db, request.params.id))
      return sumHours(db, id, request.query)
    },
  )

  app.get(
    '/groups/:id/virtual-meters/totals',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getVirtualMeterTotals',
        summary: 'Get the sums of the current virtual meters of a group by type',
        params: IdParams,
        querystring: TotalsQuery,
        response: { 200: VirtualMeterTotals },
      },
    },
    async (request) => {
      const db = request.tenantDb()
      const { id } = found('group', await findGroup(db, request.params.id))
      return sumVirtualMeters(db, id, request.query)
    },
  )

  app.get(
    '/groups/:id/amounts/totals',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getAmountTotals',
        summary: 'Get the sums of the current amounts of a group by type',
        params: IdParams,
        querystring: TotalsQuery,
        response: { 200: AmountTotals },
      },
    },
    async (request) => {
      const db = request.tenantDb()
      const { id } = found('group', await findGroup(db, request.params.id))
      return sumAmounts(db, id, request.query)
    },
  )
}
