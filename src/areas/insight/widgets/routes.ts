import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { sendList } from '../../../platform/http/page.ts'
import { CONFIG_SCHEMAS } from './config.ts'
import { dashboardDataRoutes, widgetDataRoutes } from './data/routes.ts'
import {
  ArrangeWidgets,
  CreateWidget,
  SubregionParams,
  UpdateWidget,
  Widget,
  WidgetQuery,
  WidgetTypeInfo,
} from './schema.ts'
import { arrangeWidgets, createWidget, updateWidget } from './service.ts'
import * as widgets from './store.ts'
import { DATA_PATHS, hasData, WIDGET_TYPES } from './types.ts'

const tags = ['widgets']
const read = needs('read:widget')
const manage = needs('manage:widget')

/** Under /api/subregions: a dashboard as a whole. */
export function dashboardRoutes(app: App): void {
  app.get(
    '/:id/widgets',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listWidgets',
        summary: 'List the widgets of a subregion, oldest first',
        params: SubregionParams,
        querystring: WidgetQuery,
        response: { 200: Type.Array(Widget) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = request.params
      found('subregion', (await widgets.hasSubregion(db, id)) || undefined)
      return sendList(reply, await widgets.list(db, id, request.query))
    },
  )
  app.put(
    '/:id/widgets/positions',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'arrangeWidgets',
        summary: 'Set the positions of widgets of a subregion, all or none',
        params: SubregionParams,
        body: ArrangeWidgets,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => arrangeWidgets(tx, request.params.id, request.body))
      return reply.code(204).send(null)
    },
  )
  dashboardDataRoutes(app)
}

/** Under /api/widgets. */
export function widgetRoutes(app: App): void {
  writingRoutes(app)
  app.get(
    '/types',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listWidgetTypes',
        summary: 'List the widget types with the schemas of their configs',
        response: { 200: Type.Array(WidgetTypeInfo) },
      },
    },
    () => TYPES,
  )
  getResource(
    app,
    '/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getWidget',
        summary: 'Get a widget',
        params: IdParams,
        response: { 200: Widget },
      },
    },
    async (request) => found('widget', await widgets.find(request.tenantDb(), request.params.id)),
  )
  widgetDataRoutes(app)
}

const TYPES = WIDGET_TYPES.map((widget_type) => ({
  widget_type,
  data_path: hasData(widget_type) ? DATA_PATHS[widget_type] : null,
  config_schema: Type.Object(CONFIG_SCHEMAS[widget_type]),
}))

function writingRoutes(app: App): void {
  const { clock } = app.deps
  app.post(
    '/',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'createWidget',
        summary: 'Create a widget on the dashboard of a subregion',
        body: CreateWidget,
        response: { 201: Widget },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await request.tenantTx((tx) => createWidget(tx, request.body, clock.now()))),
  )

  app.put(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateWidget',
        summary: 'Update a widget: omitted fields are unchanged, config is replaced as a whole',
        params: IdParams,
        body: UpdateWidget,
        response: { 200: Widget },
      },
    },
    (request) => request.tenantTx((tx) => updateWidget(tx, request.params.id, request.body)),
  )

  app.delete(
    '/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteWidget',
        summary: 'Delete a widget',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      found('widget', await request.tenantTx((tx) => widgets.remove(tx, request.params.id)))
      return reply.code(204).send(null)
    },
  )
}
