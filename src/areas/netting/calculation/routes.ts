import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { withWarningTexts } from '../../../kernel/warnings.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { sendList } from '../../../platform/http/page.ts'
import { findGroup } from './input-store.ts'
import * as rows from './read-store.ts'
import {
  Amount,
  AmountQuery,
  CalculateBody,
  CalculateResult,
  HourlyRow,
  ListedRun,
  MonthlySummary,
  RowQuery,
  RunQuery,
  SummaryQuery,
  VirtualMeterHour,
} from './schema.ts'
import { calculate } from './service.ts'
import { calculationTotalsRoutes } from './totals-routes.ts'

const tags = ['netting calculation']
const read = needs('read:netting')

export function calculationRoutes(app: App): void {
  calculateRoute(app)
  hourlyRoutes(app)
  calculationTotalsRoutes(app)
  periodRoutes(app)
}

function calculateRoute(app: App): void {
  app.post(
    '/groups/:id/calculate',
    {
      ...withErrors(needs('manage:netting'), 'sealed month'),
      schema: {
        tags,
        operationId: 'calculateGroup',
        summary: 'Calculate a group: one run per billing period, which replaces the runs it overlaps',
        params: IdParams,
        body: CalculateBody,
        response: { 201: CalculateResult },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const result = await calculate(app.deps, {
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

function hourlyRoutes(app: App): void {
  app.get(
    '/groups/:id/hourly',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listHourlyRows',
        summary: 'List the hourly results of a group, by hour ascending',
        params: IdParams,
        querystring: RowQuery,
        response: { 200: Type.Array(HourlyRow) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = found('group', await findGroup(db, request.params.id))
      return sendList(reply, await rows.listHours(db, id, request.query))
    },
  )

  app.get(
    '/groups/:id/virtual-meters',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listVirtualMeters',
        summary: 'List the virtual meters of a group, by hour ascending',
        params: IdParams,
        querystring: RowQuery,
        response: { 200: Type.Array(VirtualMeterHour) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = found('group', await findGroup(db, request.params.id))
      return sendList(reply, await rows.listVirtualMeters(db, id, request.query))
    },
  )

  app.get(
    '/groups/:id/amounts',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listAmounts',
        summary: 'List the amounts of a group, by hour ascending',
        params: IdParams,
        querystring: AmountQuery,
        response: { 200: Type.Array(Amount) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = found('group', await findGroup(db, request.params.id))
      return sendList(reply, await rows.listAmounts(db, id, request.query))
    },
  )
}

function periodRoutes(app: App): void {
  app.get(
    '/groups/:id/monthly-summary',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listMonthlySummaries',
        summary: 'List the monthly summaries of a group, latest period first',
        params: IdParams,
        querystring: SummaryQuery,
        response: { 200: Type.Array(MonthlySummary) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = found('group', await findGroup(db, request.params.id))
      return sendList(reply, await rows.listSummaries(db, id, request.query))
    },
  )

  app.get(
    '/groups/:id/runs',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listCalculationRuns',
        summary: 'List the calculation runs of a group, latest start first',
        params: IdParams,
        querystring: RunQuery,
        response: { 200: Type.Array(ListedRun) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = found('group', await findGroup(db, request.params.id))
      return sendList(reply, await rows.listRuns(db, id, request.query))
    },
  )
}
