import { createHash } from 'node:crypto'
import type { JsonColumns } from '../../../../platform/db/json-columns.ts'
import type { DeviceReads } from '../polling/device-reads.ts'
import type { GatewayPlan, PlannedMap } from './plan.ts'

const FORMAT = 'ems-gateway-config/1'

/** JSON with sorted keys and without white space, so that equal data has equal bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * The document for the gateway: its settings, each register map once with its read requests, and its devices.
 */
export function writeDocument({ gateway, maps, devices }: GatewayPlan): string {
  const used = new Set(devices.map(({ device }) => device.template_id))
  return canonicalJson({
    format: FORMAT,
    gateway: {
      id: gateway.id,
      type: gateway.gateway_type,
      host: gateway.host,
      port: gateway.port,
      poll_interval_s: gateway.poll_interval_s,
      config: gateway.config,
    },
    maps: Object.fromEntries(
      [...maps].filter(([id]) => used.has(id)).map(([id, planned]) => [id, toMapSection(planned)]),
    ),
    devices: devices.map(({ device, reads }) => ({
      id: device.id,
      name: device.name,
      external_id: externalIdOf(device.extra_metadata),
      unit_id: reads?.unit ?? device.slave_id,
      template_id: device.template_id,
    })),
  })
}

function toMapSection({ document, reads }: PlannedMap) {
  const { transports, defaults, poll_groups, registers } = document
  return { transports, defaults, poll_groups, registers, reads: toRequests(reads) }
}

const toRequests = (reads: DeviceReads | undefined) =>
  (reads?.groups ?? []).flatMap(({ group, blocks }) =>
    blocks.map(({ function: fn, address, count }) => ({
      poll_group: group.name,
      period_ms: group.periodMs,
      function: fn,
      address,
      count,
    })),
  )

/** The device's name in the gateway's own system, if it has one. */
function externalIdOf(metadata: JsonColumns['device.extra_metadata']): string | null {
  const { external_id: external, ieee_address: ieee } = metadata
  if (typeof external === 'string') return external
  return typeof ieee === 'string' ? ieee : null
}
