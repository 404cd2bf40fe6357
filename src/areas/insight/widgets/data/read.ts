import { ERROR_TEXTS } from '../../../../kernel/error-texts.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { makeSerializer, yieldToEventLoop } from '../../../../platform/async/yield.ts'
import { isConnectionLoss, isTransactionConflict } from '../../../../platform/db/errors.ts'
import type { Queryable } from '../../../../platform/db/rows.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { DataType } from '../types.ts'
import { alarmSummary } from './alarms.ts'
import { costChart, costNumeric } from './cost.ts'
import { consumptionChart, consumptionNumeric, reactiveRatio, readRate } from './energy.ts'
import { type Plan, planOf, readSelectedDevices, type WidgetSelection } from './plan.ts'
import { isLarge, portionsOf } from './portions.ts'
import { realtimeGauge, realtimeMetrics, realtimeValue } from './realtime.ts'
import { readSources, type Sources, settle, unwrap } from './sources.ts'

type DataBuilder = (plan: Plan, sources: Sources, now: number) => object | Promise<object>
const BUILDERS: Readonly<Record<DataType, DataBuilder>> = {
  device_read_rate: readRate,
  consumption_chart: consumptionChart,
  consumption_numeric: consumptionNumeric,
  cost_chart: costChart,
  cost_numeric: costNumeric,
  reactive_ratio: reactiveRatio,
  realtime_value: realtimeValue,
  realtime_gauge: realtimeGauge,
  realtime_3phase: realtimeMetrics,
  realtime_power: realtimeMetrics,
  alarm_summary: alarmSummary,
}

/** The data of a widget, or why there is none. */
export type WidgetResult = { readonly data: object } | { readonly error: unknown }

export interface Readers {
  readonly pool: Queryable
  readonly tenant: TenantDb
}

/**
 * The data of widgets of one subregion, in their order. The inputs of all widgets are read together, in a
 * number of statements that does not grow with their count, and in portions where one read would need too
 * much memory. The route of a single widget calls this function with a list of one, so that both routes
 * return the same data.
 */
export async function readWidgets(readers: Readers, selection: WidgetSelection): Promise<WidgetResult[]> {
  const selected = await settle(readSelectedDevices(readers.tenant, selection))
  const plans = selection.widgets.map((widget) => attempt(() => planOf(widget, selection, unwrap(selected))))
  const results = new Map<Plan, WidgetResult>()
  for (const portion of portionsOf(plans.flatMap((plan) => ('data' in plan ? [plan.data] : [])))) {
    const make = () => buildPortion(readers, selection, { portion, results })
    await (isLarge(portion) ? inTurn(make) : make())
  }
  return plans.map((plan) => ('error' in plan ? plan : (results.get(plan.data) ?? NOT_BUILT)))
}

/** Large portions of all requests wait for each other: each takes up to 150 MB. */
const inTurn = makeSerializer()

async function buildPortion(
  readers: Readers,
  selection: WidgetSelection,
  { portion, results }: { readonly portion: readonly Plan[]; readonly results: Map<Plan, WidgetResult> },
): Promise<void> {
  const sources = await readSources(readers, selection, portion)
  for (const plan of portion) {
    const make = async () => BUILDERS[plan.widget.widget_type](plan, sources, selection.now)
    const made = await settle(make())
    results.set(plan, 'error' in made ? made : { data: made.value })
    await yieldToEventLoop()
  }
}

const NOT_BUILT: WidgetResult = { error: new Error('a widget was left out of every portion') }

function attempt<T>(work: () => T): { readonly data: T } | { readonly error: unknown } {
  try {
    return { data: work() }
  } catch (error) {
    return { error }
  }
}

/** What the answer of many says of a widget without data: what its own endpoint would say. */
export function toErrorResponse(error: unknown): { readonly error_code: string; readonly content: Message } {
  if (error instanceof AppError) return { error_code: error.code, content: error.content }
  if (isConnectionLoss(error) || isTransactionConflict(error))
    return { error_code: 'SERVICE_UNAVAILABLE', content: ERROR_TEXTS.DATABASE_UNREACHABLE() }
  return { error_code: 'INTERNAL_ERROR', content: ERROR_TEXTS.UNEXPECTED_ERROR() }
}
