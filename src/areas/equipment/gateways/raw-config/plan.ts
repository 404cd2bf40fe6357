import { type BusBudget, busBudget, expectedMs, worstCase } from '../../../../core/register-map/bus-time.ts'
import type { MapDocument } from '../../../../core/register-map/document.ts'
import { type LineSettings, readLineSettings } from '../../../../core/register-map/line-settings.ts'
import { openDocument, openRegisterMap } from '../../../../core/register-map/read.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { type DeviceReads, planDeviceReads } from '../polling/device-reads.ts'
import type { BoundDevice, ConfiguredGateway } from './store.ts'

export interface PlannedMap {
  readonly document: MapDocument
  readonly reads: DeviceReads | undefined
}

export interface PlannedDevice {
  readonly device: BoundDevice
  readonly reads: DeviceReads | undefined
  /** Reason why the device is not read; null when it is. */
  readonly problem: Message | null
}

/** The polling plan of a gateway, derived from its settings, its devices and their templates. */
export interface GatewayPlan {
  readonly gateway: ConfiguredGateway
  /** By template id. */
  readonly maps: ReadonlyMap<string, PlannedMap>
  readonly devices: readonly PlannedDevice[]
  readonly budget: BusBudget
  /** Invalid settings, which are ignored. */
  readonly problems: readonly Message[]
}

interface PlanInput {
  readonly gateway: ConfiguredGateway
  readonly devices: readonly BoundDevice[]
  /** Stored documents by template id. */
  readonly storedMaps: ReadonlyMap<string, unknown>
}

export function planGateway({ gateway, devices, storedMaps }: PlanInput): GatewayPlan {
  const { settings, problems } = readLineSettings(gateway.config, gateway.poll_interval_s)
  const compiledMaps = new Map([...storedMaps].map(([id, stored]) => [id, openRegisterMap(stored)]))
  const planned = devices.map((device): PlannedDevice => {
    const { slave_id: slaveId, template_id: templateId } = device
    const map = templateId === null ? undefined : compiledMaps.get(templateId)
    const reads = planDeviceReads({ slaveId, templateId, map }, settings)
    if (!('problem' in reads)) return { device, reads, problem: null }
    // A device on a message broker with a free-form map is not a problem: its dialect may decode it without
    // the map.
    const isProblemReported =
      gateway.gateway_type === 'modbus' || (templateId !== null && storedMaps.get(templateId) && !map)
    return { device, reads: undefined, problem: isProblemReported ? reads.problem : null }
  })
  const maps = planMaps(storedMaps, settings)
  const pollingDevices = planned.flatMap(({ reads }) => reads ?? [])
  return { gateway, maps, devices: planned, budget: busBudget(pollingDevices), problems }
}

function planMaps(storedMaps: PlanInput['storedMaps'], settings: LineSettings): Map<string, PlannedMap> {
  const maps = new Map<string, PlannedMap>()
  for (const [templateId, stored] of storedMaps) {
    const map = openRegisterMap(stored)
    const document = openDocument(stored)
    if (!map || !document) continue
    const reads = planDeviceReads({ slaveId: null, templateId, map }, settings)
    maps.set(templateId, { document, reads: 'problem' in reads ? undefined : reads })
  }
  return maps
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10

/** The read requests of a device with their expected duration and their worst case, in ms. */
export function toBlockResponses(reads: DeviceReads | undefined) {
  if (!reads) return []
  const { map, groups } = reads
  return groups.flatMap(({ group, blocks }) =>
    blocks.map((block) => {
      const { requests, ms } = worstCase(map, block)
      return {
        poll_group: group.name,
        function: block.function,
        address: block.address,
        count: block.count,
        keys: [...block.keys],
        expected_ms: tenths(expectedMs(block, map.bus)),
        worst_case_ms: tenths(ms),
        worst_case_requests: requests,
      }
    }),
  )
}

/** The poll groups of a line with their expected duration, their worst case and their period. */
export const toGroupResponses = ({ groups }: BusBudget) =>
  groups.map(({ name, periodMs, neededMs, worstCaseMs, isPossible }) => ({
    name,
    period_ms: periodMs,
    expected_ms: tenths(neededMs),
    worst_case_ms: tenths(worstCaseMs),
    is_possible: isPossible,
  }))
