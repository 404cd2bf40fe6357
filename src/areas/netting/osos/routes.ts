import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { AGGREGATE_FIRST_MS, AGGREGATE_LAST_MS } from '../../../kernel/limits.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../platform/http/errors.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { sendList } from '../../../platform/http/page.ts'
import { epochMsOf } from '../shared/index.ts'
import { consumptionOf } from './consumption.ts'
import { importMonthRoutes } from './import-month-routes.ts'
import * as readings from './reading-store.ts'
import {
  Consumption,
  ConsumptionQuery,
  CreateInstallation,
  ImportQuery,
  Installation,
  InstallationQuery,
  LoggedImport,
  PostReadings,
  ReadingQuery,
  ReadingsReport,
  ReplacedReading,
  StoredReading,
  UpdateInstallation,
} from './schema.ts'
import { createInstallation, deleteInstallation, postReadings, updateInstallation } from './service.ts'
import * as installations from './store.ts'

const tags = ['official readings']
const read = needs('read:osos')
const manage = needs('manage:osos')

/** The routes below /api/osos except the file uploads. */
export function ososRoutes(app: App): void {
  setErrorShape(app, 'nested')
  acceptIdempotencyKeys(app)
  installationRoutes(app)
  changeRoutes(app)
  readingRoutes(app)
  consumptionRoutes(app)
  importMonthRoutes(app)
}

function installationRoutes(app: App): void {
  app.get(
    '/installations',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listOsosInstallations',
        summary: 'List OSOS installations, by number',
        querystring: InstallationQuery,
        response: { 200: Type.Array(Installation) },
      },
    },
    async (request, reply) => sendList(reply, await installations.list(request.tenantDb(), request.query)),
  )

  app.post(
    '/installations',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createOsosInstallation',
        summary: 'Create an OSOS installation',
        body: CreateInstallation,
        response: { 201: Installation },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await createInstallation(
            app.deps,
            { tenantId: request.principal.tenantId, inTx: (work) => request.tenantTx(work) },
            request.body,
          ),
        ),
  )

  getResource(
    app,
    '/installations/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getOsosInstallation',
        summary: 'Get an OSOS installation',
        params: IdParams,
        response: { 200: Installation },
      },
    },
    async (request) => found('installation', await installations.find(request.tenantDb(), request.params.id)),
  )
}

function changeRoutes(app: App): void {
  app.patch(
    '/installations/:id',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'updateOsosInstallation',
        summary: 'Update an OSOS installation: omitted fields are unchanged, null clears',
        description:
          'When the facility or measurement role changes, the facts of all readings are moved in the same ' +
          'transaction; 409 SEALED_MONTH if one of their months is sealed. A changed multiplier does not ' +
          'change stored readings.',
        params: IdParams,
        body: UpdateInstallation,
        response: { 200: Installation },
      },
    },
    (request) =>
      updateInstallation(app.deps, {
        tenantId: request.principal.tenantId,
        id: request.params.id,
        body: request.body,
        inTx: (work) => request.tenantTx(work),
      }),
  )

  app.delete(
    '/installations/:id',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'deleteOsosInstallation',
        summary: 'Delete an OSOS installation that has no readings and no metering point',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteInstallation(
        app.deps,
        { tenantId: request.principal.tenantId, inTx: (work) => request.tenantTx(work) },
        request.params.id,
      )
      return reply.code(204).send(null)
    },
  )
}

function readingRoutes(app: App): void {
  app.get(
    '/installations/:id/readings',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listOsosReadings',
        summary: 'List the hourly readings in force, by hour ascending',
        params: IdParams,
        querystring: ReadingQuery,
        response: { 200: Type.Array(StoredReading) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = found('installation', await installations.find(db, request.params.id))
      return sendList(reply, await readings.listReadings(db, id, pageOf(request.query)))
    },
  )

  app.get(
    '/installations/:id/readings/history',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listReplacedOsosReadings',
        summary: 'List the values that corrections replaced, by hour ascending, oldest first',
        params: IdParams,
        querystring: ReadingQuery,
        response: { 200: Type.Array(ReplacedReading) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = found('installation', await installations.find(db, request.params.id))
      return sendList(reply, await readings.listReplaced(db, id, pageOf(request.query)))
    },
  )

  app.post(
    '/installations/:id/readings',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'postOsosReadings',
        summary: 'Store hourly readings; the response contains the result for each',
        description:
          'The operation is idempotent. A different value replaces the stored one, which is kept in the ' +
          'history. A negative energy is stored as suspect, without a value. Days with fewer than 24 hours ' +
          'are accepted and reported. An invalid row is rejected individually; the others are stored ' +
          'together with the facts of their hours in one transaction. 409 SEALED_MONTH if facts of a sealed ' +
          'month would change; then nothing is stored.',
        params: IdParams,
        body: PostReadings,
        response: { 201: ReadingsReport },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const report = await postReadings(app.deps, {
        tenantId: principal.tenantId,
        userId: principal.id,
        installationId: params.id,
        body,
        inTx: (work) => request.tenantTx(work),
        language: languageOf(reply),
      })
      return reply.code(201).send(report)
    },
  )
}

const pageOf = ({ from, to, ...page }: Pick<ReadingQuery, 'from' | 'limit' | 'offset' | 'to'>) => ({
  ...page,
  range: {
    from: from === undefined ? AGGREGATE_FIRST_MS : epochMsOf(from),
    to: to === undefined ? AGGREGATE_LAST_MS : epochMsOf(to),
  },
})

function consumptionRoutes(app: App): void {
  const { clock } = app.deps

  app.get(
    '/installations/:id/consumption',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getOsosConsumption',
        summary: 'Get the energy that an installation drew and fed, by Turkey-local hour, day or month',
        description: 'At most 400 days by the hour, 1,500 days by the day, 7,400 days by the month.',
        params: IdParams,
        querystring: ConsumptionQuery,
        response: { 200: Consumption },
      },
    },
    async (request) => {
      const db = request.tenantDb()
      const { id } = found('installation', await installations.find(db, request.params.id))
      return consumptionOf(db, id, { query: request.query, now: clock.now() })
    },
  )

  app.get(
    '/imports',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listOsosImports',
        summary: 'List the imports of readings (requests and files), newest first',
        querystring: ImportQuery,
        response: { 200: Type.Array(LoggedImport) },
      },
    },
    async (request, reply) => sendList(reply, await readings.listImports(request.tenantDb(), request.query)),
  )
}
