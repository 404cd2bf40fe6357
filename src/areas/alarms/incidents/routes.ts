import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { Page, sendList } from '../../../platform/http/page.ts'
import {
  Incident,
  IncidentCount,
  IncidentEvent,
  IncidentEventQuery,
  IncidentQuery,
  NoteBody,
  SnoozeBody,
} from './schema.ts'
import { countIncidents, findIncident, listIncidentEvents, snoozeEnd, transitionIncident } from './service.ts'
import { list } from './store.ts'
import { detailsIn, inLanguage } from './turkish-messages.ts'

const tags = ['alarms']
const read = needs('read:alarm')
const manage = needs('manage:alarm')

/** Below /api/alarms/incidents. */
export function incidentRoutes(app: App): void {
  readRoutes(app)
  actionRoutes(app)
}

function readRoutes(app: App): void {
  const { clock } = app.deps

  app.get(
    '/',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listIncidents',
        summary: 'List alarm incidents',
        querystring: IncidentQuery,
        response: { 200: Page(Incident) },
      },
    },
    async (request, reply) => {
      const page = await list(request.tenantDb(), request.query, new Date(clock.now()))
      const language = languageOf(reply)
      return { ...page, items: page.items.map((incident) => inLanguage(language, incident)) }
    },
  )

  app.get(
    '/count',
    {
      ...read,
      schema: {
        tags,
        operationId: 'countIncidents',
        summary: 'Count the open incidents by severity and by status',
        description: 'An incident is open until it is closed: acknowledged and snoozed incidents count.',
        response: { 200: IncidentCount },
      },
    },
    (request) => countIncidents(request.tenantDb(), clock.now()),
  )

  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getIncident',
        summary: 'Get an incident',
        params: IdParams,
        response: { 200: Incident },
      },
    },
    async (request, language) =>
      inLanguage(language(), await findIncident(request.tenantDb(), request.params.id, clock.now())),
  )

  app.get(
    '/:id/events',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listIncidentEvents',
        summary: 'Get the audit trail of an incident, oldest entry first',
        params: IdParams,
        querystring: IncidentEventQuery,
        response: { 200: Type.Array(IncidentEvent) },
      },
    },
    async (request, reply) => {
      const { total, items } = await listIncidentEvents(request.tenantDb(), request.params.id, request.query)
      const language = languageOf(reply)
      const localized = items.map((event) => ({ ...event, details: detailsIn(language, event.details) }))
      return sendList(reply, { total, items: localized })
    },
  )
}

function actionRoutes(app: App): void {
  const { clock } = app.deps
  const REFUSED = '409 STATE_CONFLICT when the status does not allow it.'

  app.post(
    '/:id/ack',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'acknowledgeIncident',
        summary: 'Acknowledge an incident',
        description: `The acknowledgement ends a snooze. ${REFUSED}`,
        params: IdParams,
        body: NoteBody,
        response: { 200: Incident },
      },
    },
    async (request, reply) => {
      const input = { action: 'acknowledge', userId: request.principal.id, now: clock.now() } as const
      const incident = await request.tenantTx((tx) =>
        transitionIncident(tx, request.params.id, { ...input, note: request.body?.note }),
      )
      return inLanguage(languageOf(reply), incident)
    },
  )

  app.post(
    '/:id/snooze',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'snoozeIncident',
        summary: 'Snooze an incident until a time; then it becomes active again and is notified again',
        description: `Either until or minutes is required. Another snooze replaces the current one. ${REFUSED}`,
        params: IdParams,
        body: SnoozeBody,
        response: { 200: Incident },
      },
    },
    async (request, reply) => {
      const now = clock.now()
      const { note } = request.body
      const input = { action: 'snooze', userId: request.principal.id, now, note } as const
      const until = snoozeEnd(request.body, now)
      const incident = await request.tenantTx((tx) =>
        transitionIncident(tx, request.params.id, { ...input, until }),
      )
      return inLanguage(languageOf(reply), incident)
    },
  )

  app.post(
    '/:id/close',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'closeIncident',
        summary: 'Close an incident manually',
        description:
          'Incident of a device: no new incident opens while the condition lasts; the condition must end and ' +
          'occur again. System alarm: the next calculation that finds the same condition opens a new ' +
          'incident. ' +
          REFUSED,
        params: IdParams,
        body: NoteBody,
        response: { 200: Incident },
      },
    },
    async (request, reply) => {
      const input = { action: 'close', userId: request.principal.id, now: clock.now() } as const
      const incident = await request.tenantTx((tx) =>
        transitionIncident(tx, request.params.id, { ...input, note: request.body?.note }),
      )
      return inLanguage(languageOf(reply), incident)
    },
  )
}
