import { applyLineSettings, type LineSettings } from '../../../../core/register-map/line-settings.ts'
import { type GroupPlan, planReads } from '../../../../core/register-map/plan.ts'
import type { RegisterMap } from '../../../../core/register-map/types.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { NOT_READ } from './messages.ts'

export interface MappedDevice {
  readonly slaveId: number | null
  readonly templateId: string | null
  /** Compiled map of the template; undefined when the template has no usable one. */
  readonly map: RegisterMap | undefined
}

/**
 * The requests by which a device is read over Modbus, per poll group, with its unit and its map under the
 * line's settings.
 */
export interface DeviceReads {
  readonly unit: number
  readonly map: RegisterMap
  readonly groups: readonly GroupPlan[]
}

/** Returns a problem when the device cannot be read over Modbus. */
export function planDeviceReads(
  { slaveId, templateId, map }: MappedDevice,
  settings: LineSettings,
): DeviceReads | { readonly problem: Message } {
  if (templateId === null) return { problem: NOT_READ.DEVICE_WITHOUT_TEMPLATE() }
  if (!map) return { problem: NOT_READ.TEMPLATE_MAP_NOT_USABLE() }
  if (!map.transports.some((transport) => transport === 'modbus_tcp' || transport === 'modbus_rtu'))
    return { problem: NOT_READ.TEMPLATE_NOT_MODBUS() }
  const configured = applyLineSettings(map, settings)
  const groups = planReads(configured)
  if (groups.length === 0) return { problem: NOT_READ.TEMPLATE_NOTHING_READ() }
  return { unit: slaveId ?? map.bus.unitId, map: configured, groups }
}
