import { found, unprocessable } from '../../../../kernel/errors.ts'
import { type Language, textOf } from '../../../../kernel/messages.ts'
import { iso, parsePeriod, periodOf } from '../../../../kernel/time.ts'
import type { WidgetPeriod } from '../../../../kernel/widget-periods.ts'
import type { ReadDatabase } from '../../../../platform/db/replica-reads.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { WIDGET_TEXTS } from '../messages.ts'
import * as widgets from '../store.ts'
import { DATA_PATHS, type DataType, hasData, type WidgetRow } from '../types.ts'
import { resolvePeriod } from './period.ts'
import type { DataWidget } from './plan.ts'
import { readWidgets, toErrorResponse, type WidgetResult } from './read.ts'

type DataDeps = Pick<Deps, 'clock' | 'log'>

export interface DataRequest {
  readonly tenant: TenantDb
  /** Of the database of the request's reads. */
  readonly pool: ReadDatabase['pool']
  /** Of the widget, or of the subregion. */
  readonly id: string
  readonly timeRange: WidgetPeriod | undefined
}

const isData = (widget: WidgetRow): widget is DataWidget => hasData(widget.widget_type)

/** The data of one widget. 404 for an unknown one, 422 for one of another type or whose device is gone. */
export async function readOne(deps: DataDeps, type: DataType, request: DataRequest): Promise<object> {
  const { tenant, timeRange } = request
  const widget = found('widget', await widgets.find(tenant, request.id))
  if (!isData(widget) || widget.widget_type !== type) {
    throw unprocessable(
      'WIDGET_TYPE_MISMATCH',
      WIDGET_TEXTS.WIDGET_OF_OTHER_TYPE({ widget_type: widget.widget_type, type }),
    )
  }
  const selection = { subregionId: widget.subregion_id, widgets: [widget], timeRange, now: deps.clock.now() }
  const [result] = await readWidgets({ pool: request.pool, tenant }, selection)
  if (result && 'data' in result) return result.data
  throw result?.error ?? new Error('one widget has one outcome')
}

/**
 * The data of all active widgets of a subregion. 404 for an unknown one; an error of a widget stays its own.
 */
export async function readDashboard(deps: DataDeps, request: DataRequest, language: Language) {
  const { tenant, timeRange } = request
  const rows = found('subregion', await widgets.readDashboard(tenant, request.id))
  const now = deps.clock.now()
  const subregionId = request.id.toLowerCase()
  const readable = rows.filter(isData)
  const results = await readWidgets(
    { pool: request.pool, tenant },
    { subregionId, widgets: readable, timeRange, now },
  )
  const byId = new Map(readable.map(({ id }, index) => [id, results[index]]))
  return {
    subregion_id: subregionId,
    widgets: rows.map((widget) => ({
      widget_id: widget.id,
      widget_type: widget.widget_type,
      title: widget.title,
      ...toResponse(deps, widget, byId.get(widget.id), language),
      source: sourceOf(widget, timeRange, now),
    })),
  }
}

function toResponse(
  { log }: DataDeps,
  { id, widget_type }: WidgetRow,
  result: WidgetResult | undefined,
  language: Language,
) {
  if (!result) return { data: null, error: null }
  if ('data' in result) return { data: result.data, error: null }
  const { error_code, content } = toErrorResponse(result.error)
  if (error_code === 'INTERNAL_ERROR') {
    log.error({ err: result.error, widget_id: id, widget_type }, 'the data of a widget cannot be computed')
  }
  const { code, parameters } = content
  return {
    data: null,
    error: { error_code, message: textOf(content, language), message_code: code, parameters },
  }
}

/** Where the data of a widget is read by itself. */
function sourceOf(widget: WidgetRow, timeRange: WidgetPeriod | undefined, now: number): string | null {
  const { id, widget_type: type, config } = widget
  if (hasData(type)) {
    const hasPeriod = config['period'] !== undefined || timeRange === undefined
    return `/api/widgets/${id}/data/${DATA_PATHS[type]}${hasPeriod ? '' : `?time_range=${timeRange}`}`
  }
  if (type === 'osos_consumption_chart') {
    const { installation_id: installation } = config
    if (typeof installation !== 'string') return null
    const { interval, range } = resolvePeriod({ config, timeRange, now })
    const query = new URLSearchParams({ interval, from: iso(range.from), to: iso(range.to) })
    return `/api/osos/installations/${installation}/consumption?${query}`
  }
  const { group_id: group, billing_period: wanted } = config
  if (typeof group !== 'string') return null
  const period = (typeof wanted === 'string' && parsePeriod(wanted)) || periodOf(now)
  return `/api/mahsuplasma/groups/${group}/dashboard-summary?period=${period.slice(0, 7)}`
}
