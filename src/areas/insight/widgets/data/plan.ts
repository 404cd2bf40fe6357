import { unprocessable } from '../../../../kernel/errors.ts'
import type { WidgetPeriod } from '../../../../kernel/widget-periods.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { EnergyRequest } from '../../../metering/aggregates/index.ts'
import { devicesIn } from '../config.ts'
import { WIDGET_DEVICES_MAX } from '../limits.ts'
import { WIDGET_TEXTS } from '../messages.ts'
import type { DataType, WidgetRow } from '../types.ts'
import { type ResolvedPeriod, resolvePeriod } from './period.ts'
import {
  type Device,
  type LocatedDevice,
  type MainMeter,
  readDevices,
  readDevicesOf,
  readMainMeters,
} from './store.ts'

export interface DataWidget extends WidgetRow {
  readonly widget_type: DataType
}

/** What the data of widgets of one subregion is read from. */
export interface WidgetSelection {
  readonly subregionId: string
  readonly widgets: readonly DataWidget[]
  readonly timeRange: WidgetPeriod | undefined
  readonly now: number
}

/** A widget with its time and its devices: all that follows from the config. */
export interface Plan {
  readonly widget: DataWidget
  readonly period: ResolvedPeriod
  readonly devices: readonly Device[]
}

/** Those of the realtime cards and the summary of alarms are found otherwise, or not at all. */
const METERED = new Set<DataType>([
  'consumption_chart',
  'consumption_numeric',
  'cost_chart',
  'cost_numeric',
  'reactive_ratio',
])

export interface SelectedDevices {
  readonly byId: ReadonlyMap<string, Device>
  readonly ofSubregion: readonly LocatedDevice[]
  readonly mainMeters: readonly MainMeter[]
}

const namedIn = ({ widget_type, config }: DataWidget): string[] => [
  ...new Set(devicesIn(widget_type, config).map(({ id }) => id)),
]

/** The devices that the widgets are about, in at most three statements. */
export async function readSelectedDevices(
  tenant: TenantDb,
  { subregionId, widgets, now }: WidgetSelection,
): Promise<SelectedDevices> {
  const ids = [...new Set(widgets.flatMap(namedIn))]
  const unnamed = widgets.filter((widget) => namedIn(widget).length === 0)
  const needsMeters = unnamed.some(({ widget_type: type }) => METERED.has(type))
  const needsDevices = needsMeters || unnamed.some(({ widget_type: type }) => type === 'device_read_rate')
  const [named, ofSubregion, mainMeters] = await Promise.all([
    ids.length > 0 ? readDevices(tenant, ids) : [],
    needsDevices ? readDevicesOf(tenant, subregionId, new Date(now)) : [],
    needsMeters ? readMainMeters(tenant, subregionId) : [],
  ])
  return { byId: new Map(named.map((device) => [device.id, device])), ofSubregion, mainMeters }
}

/** 422 when a device that the widget names is gone. */
export function planOf(
  widget: DataWidget,
  { timeRange, now }: WidgetSelection,
  selected: SelectedDevices,
): Plan {
  const period = resolvePeriod({ config: widget.config, timeRange, now })
  const ids = namedIn(widget)
  const named = ids.map((id) => {
    const device = selected.byId.get(id)
    if (device) return device
    throw unprocessable('WIDGET_DEVICE_MISSING', WIDGET_TEXTS.WIDGET_DEVICE_GONE({ id }))
  })
  return { widget, period, devices: named.length > 0 ? named : defaultDevices(widget, period, selected) }
}

function defaultDevices(
  { widget_type: type }: DataWidget,
  { range }: ResolvedPeriod,
  selected: SelectedDevices,
): Device[] {
  if (type === 'device_read_rate') return selected.ofSubregion.slice(0, WIDGET_DEVICES_MAX)
  if (!METERED.has(type)) return []
  const main = new Map<string, Device>()
  for (const { valid_from, valid_to, ...device } of selected.mainMeters) {
    const isThen = valid_from.getTime() < range.to && (valid_to === null || valid_to.getTime() > range.from)
    if (isThen) main.set(device.id, device)
  }
  const meters =
    main.size > 0 ? [...main.values()] : selected.ofSubregion.filter(({ is_top_meter }) => is_top_meter)
  return meters.slice(0, WIDGET_DEVICES_MAX)
}

/** The energy of the plan's devices in its buckets. */
export const energyRequestsOf = ({ devices, period }: Plan): EnergyRequest[] =>
  devices.map(({ id }) => ({ deviceId: id, interval: period.interval, range: period.range }))
