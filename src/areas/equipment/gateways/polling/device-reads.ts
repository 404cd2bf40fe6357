import { applyLineSettings, type LineSettings } from '../../../../core/register-map/line-settings.ts'
import { type GroupPlan, planReads } from '../../../../core/register-map/plan.ts'
import type { RegisterMap } from '../../../../core/register-map/types.ts'

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

/** Returns a problem (one sentence) when the device cannot be read over Modbus. */
export function planDeviceReads(
  { slaveId, templateId, map }: MappedDevice,
  settings: LineSettings,
): DeviceReads | { readonly problem: string } {
  if (templateId === null) return { problem: 'the device has no template' }
  if (!map) return { problem: 'its template has no register map that can be used' }
  if (!map.transports.some((transport) => transport === 'modbus_tcp' || transport === 'modbus_rtu'))
    return { problem: 'its template cannot be read over Modbus' }
  const configured = applyLineSettings(map, settings)
  const groups = planReads(configured)
  if (groups.length === 0) return { problem: 'its register map has nothing to read over Modbus' }
  return { unit: slaveId ?? map.bus.unitId, map: configured, groups }
}
