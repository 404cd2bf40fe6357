import { Type } from 'typebox'
import { found, notFound } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { gatewayExists } from './credential-store.ts'
import { issueCredential, refuseWithOutsideBroker, revokeCredential, tlsPortOf } from './credentials.ts'
import * as letters from './dead-letter-store.ts'
import { retryDeadLetter, retryDeadLetters } from './dead-letters.ts'
import { findSequenceRow } from './message-sequence-store.ts'
import { gapsOf } from './number-ranges.ts'
import {
  BulkRetryResult,
  Credential,
  DeadLetterDetail,
  DeadLetterFilter,
  DeadLetterPage,
  DeadLetterQuery,
  RetryResult,
  SequenceGaps,
} from './schema.ts'

const tags = ['gateways']
const read = needs('read:gateway')
const manage = needs('manage:gateway')

/** Credentials, dead letters and sequence gaps of gateways, mounted at /api/gateways. */
export function gatewayLinkRoutes(app: App): void {
  credentialRoutes(app)
  deadLetterRoutes(app)
  deadLetterRetryRoutes(app)
  sequenceRoutes(app)
}

function credentialRoutes(app: App): void {
  app.post(
    '/:id/credentials',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'issueGatewayCredentials',
        summary: 'Create or replace the login of a gateway at the embedded broker',
        description:
          'The previous login is revoked immediately, and its sessions are closed. A gateway with a login can also ' +
          'log in with a client certificate that names its id, if the settings of the service allow it.',
        params: IdParams,
        response: { 201: Credential },
      },
    },
    async (request, reply) => {
      const { config, clock, bus } = app.deps
      const { id } = request.params
      refuseWithOutsideBroker(config.mqttUrl)
      const issued = await request.tenantTx((tx) => issueCredential(tx, id, new Date(clock.now())))
      bus.emit('gateway_login_changed', { gatewayId: id })
      return reply.code(201).send({ ...issued, ...tlsPortOf(config) })
    },
  )

  app.delete(
    '/:id/credentials',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'revokeGatewayCredentials',
        summary: 'Revoke the login of a gateway and close its sessions',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await request.tenantTx((tx) => revokeCredential(tx, id))
      app.deps.bus.emit('gateway_login_changed', { gatewayId: id })
      return reply.code(204).send(null)
    },
  )
}

function deadLetterRoutes(app: App): void {
  app.get(
    '/dead-letters',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listDeadLetters',
        summary: 'List the dead letters: messages of gateways that could not be processed, with the reason',
        querystring: DeadLetterQuery,
        response: { 200: DeadLetterPage },
      },
    },
    async (request) => {
      const tenant = request.tenantDb()
      const [page, dropped] = await Promise.all([
        letters.listDeadLetters(tenant, request.query),
        letters.countDroppedDeadLetters(tenant),
      ])
      return { ...page, dropped }
    },
  )

  getResource(
    app,
    '/dead-letters/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getDeadLetter',
        summary: 'Get a dead letter with its payload',
        params: IdParams,
        response: { 200: DeadLetterDetail },
      },
    },
    async (request) => {
      const row = found('dead letter', await letters.findDeadLetter(request.tenantDb(), request.params.id))
      const { payload, ...shown } = row
      return { ...shown, payload_base64: payload.toString('base64') }
    },
  )

  app.delete(
    '/dead-letters/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteDeadLetter',
        summary: 'Delete a dead letter',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found('dead letter', await request.tenantTx((tx) => letters.removeDeadLetter(tx, request.params.id)))
      return reply.code(204).send(null)
    },
  )
}

function deadLetterRetryRoutes(app: App): void {
  app.post(
    '/dead-letters/:id/retry',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'retryDeadLetter',
        summary: 'Retry a dead letter after its cause is fixed',
        description: 'The operation is idempotent: a sample that is already stored changes nothing.',
        params: IdParams,
        response: { 200: RetryResult },
      },
    },
    (request) => retryDeadLetter(app.deps, request.principal.tenantId, request.params.id),
  )

  app.post(
    '/dead-letters/retry',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'retryDeadLetters',
        summary: 'Retry the oldest dead letters that match the filter, a limited number per request',
        querystring: DeadLetterFilter,
        response: { 200: BulkRetryResult },
      },
    },
    (request) => retryDeadLetters(app.deps, request.principal.tenantId, request.query),
  )
}

function sequenceRoutes(app: App): void {
  app.get(
    '/:id/sequence-gaps',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getSequenceGaps',
        summary: 'Get the sequence numbers (seq) that are missing among the stored messages of a gateway',
        params: IdParams,
        response: { 200: SequenceGaps },
      },
    },
    async (request) => {
      const tenant = request.tenantDb()
      const { id } = request.params
      const row = await findSequenceRow(tenant, id)
      if (!row && !(await gatewayExists(tenant, id))) throw notFound('gateway')
      const received = row?.received ?? []
      const gaps = gapsOf(received)
      return {
        gateway_id: id,
        first_seq: received[0]?.[0] ?? null,
        last_seq: row ? Number(row.last_seq) : null,
        begun_at: row?.started_at ?? null,
        restarts: row?.restarts ?? 0,
        missing: gaps.reduce((sum, [from, to]) => sum + to - from + 1, 0),
        given_up: Number(row?.given_up ?? 0),
        gap_since: row?.gap_since ?? null,
        gaps: gaps.map(([from_seq, to_seq]) => ({ from_seq, to_seq })),
      }
    },
  )
}
