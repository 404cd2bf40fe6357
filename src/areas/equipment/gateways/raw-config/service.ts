import { at as itemAt } from '../../../../kernel/checked.ts'
import { AppError, found, unprocessable } from '../../../../kernel/errors.ts'
import type { Message } from '../../../../kernel/messages.ts'
import type { Warning } from '../../../../kernel/warnings.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { messageOf } from '../../../../platform/observability/error-text.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { GATEWAY_TEXTS } from '../../messages.ts'
import { GATEWAY_CHANGES_LISTED_MAX, GATEWAY_CONFIG_BYTES_MAX, GATEWAY_DEVICES_MAX } from '../limits.ts'
import { diffConfigs } from './diff.ts'
import { sha256Of, writeDocument } from './document.ts'
import { PLAN_TEXTS } from './messages.ts'
import {
  type GatewayPlan,
  type PlannedDevice,
  planGateway,
  toBlockResponses,
  toGroupResponses,
} from './plan.ts'
import * as store from './store.ts'

type ConfiguredGateway = store.ConfiguredGateway

/**
 * Builds the plan and the document of a gateway from its current records. 422 for a gateway that takes no
 * configuration or would get too large a one.
 */
async function buildConfig(tenant: TenantDb, gateway: ConfiguredGateway) {
  if (gateway.gateway_type === 'zigbee')
    throw unprocessable('BUSINESS_RULE_VIOLATION', GATEWAY_TEXTS.GATEWAY_ZIGBEE_CONFIG())
  if (gateway.gateway_type === 'home_assistant')
    throw unprocessable('BUSINESS_RULE_VIOLATION', GATEWAY_TEXTS.GATEWAY_HOME_ASSISTANT_CONFIG())
  const devices = await store.listBoundDevices(tenant, gateway)
  if (devices.length > GATEWAY_DEVICES_MAX)
    throw tooLarge(GATEWAY_TEXTS.GATEWAY_DEVICES_EXCEEDED({ max: GATEWAY_DEVICES_MAX }))
  const templates = new Set(devices.flatMap(({ template_id: id }) => (id === null ? [] : [id])))
  const plan = planGateway({
    gateway,
    devices,
    storedMaps: await store.readTemplateMaps(tenant, [...templates]),
  })
  const document = writeDocument(plan)
  if (Buffer.byteLength(document) > GATEWAY_CONFIG_BYTES_MAX)
    throw tooLarge(GATEWAY_TEXTS.GATEWAY_MAPS_EXCEEDED({ max: GATEWAY_CONFIG_BYTES_MAX / 2 ** 20 }))
  return { plan, document, sha256: sha256Of(document) }
}

const tooLarge = (excess: Message) =>
  unprocessable('BUSINESS_RULE_VIOLATION', GATEWAY_TEXTS.GATEWAY_EXCEEDS({ excess }))

const nextVersion = ({ synced_version, synced_sha256 }: ConfiguredGateway, sha256: string): number =>
  sha256 === synced_sha256 ? (synced_version ?? 1) : (synced_version ?? 0) + 1

/** The configuration that a sync would push, its changes, and whether the line can keep all periods. */
export async function previewConfig(tenant: TenantDb, id: string) {
  const gateway = found('gateway', await store.findGateway(tenant, id))
  const { plan, document, sha256 } = await buildConfig(tenant, gateway)
  const pushed = await store.findPushed(tenant, id, gateway.synced_version)
  const changes = diffConfigs(pushed && JSON.parse(pushed), JSON.parse(document))
  const polling = await store.findPollReport(tenant, id)
  const { budget } = plan
  return {
    gateway_id: id,
    gateway_type: gateway.gateway_type,
    sha256,
    next_version: nextVersion(gateway, sha256),
    is_changed: sha256 !== gateway.synced_sha256,
    synced_version: gateway.synced_version,
    config_synced_at: gateway.config_synced_at,
    config_state: gateway.config_state,
    reported_version: gateway.reported_version,
    reported_at: gateway.reported_at,
    reported_reason: gateway.reported_reason,
    size_bytes: Buffer.byteLength(document),
    devices: plan.devices.map(toDeviceResponse),
    poll_groups: toGroupResponses(budget),
    bus_load_pct: Math.round(budget.load * 1000) / 10,
    is_possible: budget.problems.length === 0,
    changes: changes.slice(0, GATEWAY_CHANGES_LISTED_MAX),
    changes_total: changes.length,
    polling: polling?.report ?? null,
    polling_at: polling?.reported_at ?? null,
    warnings: findWarnings(plan),
  }
}

function toDeviceResponse({ device, reads, problem }: PlannedDevice) {
  return {
    device_id: device.id,
    name: device.name,
    unit_id: reads?.unit ?? device.slave_id,
    template_id: device.template_id,
    problem,
    registers: (reads?.map.registers ?? []).flatMap(({ key, metric, modbusRange: range, type, pollGroup }) =>
      range
        ? [
            {
              key,
              metric,
              function: range.function,
              address: range.address,
              count: range.count,
              type,
              poll_group: pollGroup,
            },
          ]
        : [],
    ),
    blocks: toBlockResponses(reads),
  }
}

function findWarnings({ gateway, budget, devices, problems }: GatewayPlan): Warning[] {
  const subject = gateway.id
  const { GATEWAY_PLAN_PROBLEM, GATEWAY_DEVICE_NOT_READ, GATEWAY_WITHOUT_HOST } = PLAN_TEXTS
  const warnings: Warning[] = budget.problems.map((problem) => ({
    code: 'BUS_TIME_EXCEEDED',
    subject,
    message: GATEWAY_PLAN_PROBLEM({ problem }),
  }))
  for (const problem of problems)
    warnings.push({ code: 'GATEWAY_SETTING_IGNORED', subject, message: GATEWAY_PLAN_PROBLEM({ problem }) })
  for (const { device, problem } of devices)
    if (problem !== null)
      warnings.push({
        code: 'DEVICE_NOT_READ',
        subject: device.id,
        message: GATEWAY_DEVICE_NOT_READ({ device: device.name, problem }),
      })
  if (gateway.gateway_type === 'modbus' && gateway.host === null)
    warnings.push({
      code: 'GATEWAY_SETTING_IGNORED',
      subject,
      message: GATEWAY_WITHOUT_HOST(),
    })
  return warnings
}

/** Several problems as one message. Joined by halves, so that many of them are not nested deeply. */
function joined(problems: readonly Message[]): Message {
  const half = problems.length >> 1
  if (half === 0) return itemAt(problems, 0)
  const [first, rest] = [joined(problems.slice(0, half)), joined(problems.slice(half))]
  return PLAN_TEXTS.GATEWAY_PLAN_PROBLEMS({ first, rest })
}

export interface SyncInput {
  readonly id: string
  readonly userId: string
  readonly isForced: boolean
  readonly at: Date
}

/**
 * Records the current configuration, under a new version when it has changed, else under the same one. 422
 * BUS_TIME_EXCEEDED when the line cannot keep the periods, unless forced.
 */
export async function recordSync(tx: TenantTx, { id, userId, isForced, at }: SyncInput) {
  const gateway = found('gateway', await store.lockGateway(tx, id))
  const { plan, document, sha256 } = await buildConfig(tx, gateway)
  const { problems } = plan.budget
  if (problems.length > 0 && !isForced)
    throw unprocessable('BUS_TIME_EXCEEDED', PLAN_TEXTS.GATEWAY_PLAN_PROBLEM({ problem: joined(problems) }))
  const version = nextVersion(gateway, sha256)
  const isNew = sha256 !== gateway.synced_sha256
  if (isNew)
    await store.insertPushed(tx, {
      ...{ gatewayId: id, version, sha256, document, createdBy: userId, at },
      isForced: problems.length > 0,
    })
  const isPolled = gateway.gateway_type === 'modbus'
  const isConfirmed = !isNew && gateway.config_state === 'in_sync'
  const state: store.ConfigState = isPolled || isConfirmed ? 'in_sync' : 'pending'
  await store.markSynced(tx, id, { version, sha256, state, at, isSelfReported: isPolled })
  return {
    document,
    isPolled: isPolled,
    response: {
      gateway_id: id,
      version,
      sha256,
      is_new: isNew,
      config_state: state,
      config_synced_at: at,
      warnings: findWarnings(plan),
    },
  }
}
export type Synced = Awaited<ReturnType<typeof recordSync>>

/**
 * Called after the commit: publishes the configuration to the gateway, or notifies its poller. 503 when the
 * broker does not accept it; repeating the sync publishes the same version.
 */
export async function pushSync(
  { broker, bus }: Pick<Deps, 'broker' | 'bus'>,
  tenant: { readonly tenantId: number; readonly tenantUid: string },
  { document, isPolled, response }: Synced,
): Promise<void> {
  const { gateway_id: gatewayId, version, sha256 } = response
  if (isPolled) {
    bus.emit('gateways_changed', { tenantId: tenant.tenantId, gatewayId })
    return
  }
  const topic = `ems/v1/${tenant.tenantUid}/${gatewayId}/config/desired`
  // The document is embedded as text, because its hash is that of these bytes.
  const payload = `{"version":${version},"sha256":"${sha256}","config":${document}}`
  try {
    await broker.publish(topic, payload, { retain: true })
  } catch (error) {
    throw new AppError(
      503,
      'BROKER_UNAVAILABLE',
      GATEWAY_TEXTS.BROKER_DID_NOT_ACCEPT({ reason: messageOf(error) }),
    )
  }
}
