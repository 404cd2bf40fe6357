import {
  type PollDevice,
  type PollTarget,
  planDeviceReads,
  readTemplateMap,
} from '../../areas/equipment/gateways/index.ts'
import { readLineSettings } from '../../core/register-map/line-settings.ts'
import { openRegisterMap } from '../../core/register-map/read.ts'
import type { RegisterMap } from '../../core/register-map/types.ts'
import type { SystemDb } from '../../platform/db/tenant.ts'
import { MODBUS_PORT } from './limits.ts'
import type { LineConfig } from './line.ts'
import type { SlaveConfig } from './slave.ts'

export interface LineConfigs {
  /** The line of each gateway; devices that cannot be read over Modbus are left out. */
  build(db: SystemDb, targets: readonly PollTarget[]): Promise<LineConfig[]>
}

/**
 * Builds line configurations. Caches register maps by digest while they are in use: they are large and
 * change rarely.
 */
export function makeLineConfigs(): LineConfigs {
  let maps = new Map<string, RegisterMap | undefined>()

  async function load(db: SystemDb, targets: readonly PollTarget[]): Promise<void> {
    const used = new Map<string, RegisterMap | undefined>()
    for (const { tenantId, devices } of targets) {
      for (const { templateId, mapDigest } of devices) {
        if (templateId === null || mapDigest === null || used.has(mapDigest)) continue
        const known = maps.has(mapDigest)
        used.set(
          mapDigest,
          known ? maps.get(mapDigest) : openRegisterMap(await readTemplateMap(db, tenantId, templateId)),
        )
      }
    }
    maps = used
  }

  return {
    async build(db, targets) {
      await load(db, targets)
      return targets.map((target) => ({
        tenantId: target.tenantId,
        gatewayId: target.gatewayId,
        host: target.host,
        port: target.port ?? MODBUS_PORT,
        slaves: target.devices.flatMap((device) => slaveOf(target, device, maps) ?? []),
      }))
    },
  }
}

function slaveOf(
  { config, pollIntervalS }: PollTarget,
  { id, slaveId, templateId, mapDigest, offlineThresholdS }: PollDevice,
  maps: ReadonlyMap<string, RegisterMap | undefined>,
): SlaveConfig | undefined {
  const { settings } = readLineSettings(config, pollIntervalS)
  const map = mapDigest === null ? undefined : maps.get(mapDigest)
  const reads = planDeviceReads({ slaveId, templateId, map }, settings)
  if ('problem' in reads) return undefined
  const digest = JSON.stringify([mapDigest, settings, slaveId, offlineThresholdS])
  return { ...reads, deviceId: id, offlineThresholdS, digest }
}
