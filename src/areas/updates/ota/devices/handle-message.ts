import { inTenantTx, type TenantDb, tenantDb } from '../../../../platform/db/tenant.ts'
import { readDownloadChunk } from '../downloads/chunks.ts'
import { applyReport } from '../lifecycle/report.ts'
import { OTA_UPDATES_PER_RUN } from '../limits.ts'
import { isLockedOut } from '../targets/interlock.ts'
import {
  findCommand,
  listOpenCommands,
  listOpenCommandsOfDevice,
  type UpdateCommand,
} from '../updates/command-store.ts'
import { transitionOfDeviceState } from '../updates/states.ts'
import type {
  AttributeRequest,
  ChunkByIndexRequest,
  ChunkByOffsetRequest,
  DeviceState,
  FirmwareMessage,
  FirmwareMessageResult,
  FirmwareReply,
  Progress,
} from './messages.ts'
import { encodeAttributes, encodeCommand, type NotifyDeps, notifyDevices } from './notify-devices.ts'

/** The gateway that sent the message. */
interface Sender {
  readonly tenantId: number
  readonly gatewayId: string
}

const NO_REPLY: FirmwareMessageResult = { replies: [] }
const unused = (reason: string, detail: string): FirmwareMessageResult => ({
  replies: [],
  unused: { reason, detail },
})

/** The update of this gateway; an update of another gateway is as unknown as one that does not exist. */
async function findCommandOfSender(
  tenant: TenantDb,
  { gatewayId }: Sender,
  id: string,
): Promise<UpdateCommand | undefined> {
  const command = await findCommand(tenant, id)
  return command?.via_gateway_id === gatewayId.toLowerCase() ? command : undefined
}

/**
 * The update of a sender that names no device: that of the gateway itself, or of its only device with an open
 * one.
 */
async function findOwnCommand(tenant: TenantDb, { gatewayId }: Sender): Promise<UpdateCommand | undefined> {
  const [first, second] = await listOpenCommands(tenant, gatewayId, 2)
  return first && (first.device_id === null || !second) ? first : undefined
}

/**
 * Handles a message of a device about an update; resolves when its effect is committed. An unusable message
 * has a reason. A late message, or one about an update that has ended, changes nothing.
 */
export async function handleFirmwareMessage(
  deps: NotifyDeps,
  sender: Sender,
  message: FirmwareMessage,
): Promise<FirmwareMessageResult> {
  const tenant = tenantDb(deps.database.kysely, sender.tenantId)
  const context = { deps, tenant, sender }
  switch (message.kind) {
    case 'progress':
      return handleProgress(context, message)
    case 'state':
      return handleDeviceState(context, message)
    case 'piece':
      return handleChunkByOffset(context, message)
    case 'chunk':
      return handleChunkByIndex(context, message)
    case 'attributes':
      return handleAttributeRequest(context, message)
    case 'ask':
      return handleOpenUpdatesRequest(context)
  }
}

interface MessageContext {
  readonly deps: NotifyDeps
  readonly tenant: TenantDb
  readonly sender: Sender
}

async function report(
  { deps, tenant }: MessageContext,
  command: UpdateCommand,
  message: Progress | DeviceState,
) {
  const { tenantId } = tenant
  const at = new Date(deps.clock.now())
  const toNotify = await inTenantTx(deps.database.kysely, tenantId, (tx) =>
    applyReport(tx, { command, report: message, at }),
  )
  await notifyDevices(deps, tenantId, toNotify)
  return NO_REPLY
}

async function handleProgress(context: MessageContext, message: Progress): Promise<FirmwareMessageResult> {
  const { state, update } = message
  if (state !== undefined && transitionOfDeviceState(state) === undefined)
    return unused('wrong_shape', `state is no word of an update: ${state.slice(0, 50)}`)
  const command = await findCommandOfSender(context.tenant, context.sender, update)
  if (!command) return unused('unknown_update', `the gateway has no update ${update}`)
  const { attempt = command.attempt } = message
  if (attempt > command.attempt)
    return unused('unknown_update', `update ${update} has no attempt ${attempt} yet`)
  return report(context, command, message)
}

/**
 * ThingsBoard devices report more than an update needs (IDLE, and their version at every start), which is
 * ignored.
 */
async function handleDeviceState(
  context: MessageContext,
  message: DeviceState,
): Promise<FirmwareMessageResult> {
  const { tenant, sender } = context
  const { device } = message
  const [found, second] =
    device === null
      ? [await findOwnCommand(tenant, sender)]
      : await listOpenCommandsOfDevice(tenant, { gatewayId: sender.gatewayId, name: device })
  return found && !second ? report(context, found, message) : NO_REPLY
}

async function handleChunkByOffset(
  { deps, tenant, sender }: MessageContext,
  message: ChunkByOffsetRequest,
): Promise<FirmwareMessageResult> {
  const { update, offset } = message
  const command = await findCommandOfSender(tenant, sender, update)
  if (!command) return unused('unknown_update', `the gateway has no update ${update}`)
  const bytes = await readDownloadChunk(deps, { tenantId: tenant.tenantId, command }, message)
  const reply =
    typeof bytes === 'string'
      ? { topic: `ota/${update}/chunk/error`, payload: JSON.stringify({ offset, error: bytes }) }
      : { topic: `ota/${update}/chunk/${offset}`, payload: bytes }
  return { replies: [reply] }
}

async function handleChunkByIndex(
  { deps, tenant, sender }: MessageContext,
  message: ChunkByIndexRequest,
): Promise<FirmwareMessageResult> {
  const { request, chunk } = message
  const command = await findOwnCommand(tenant, sender)
  const size = message.size ?? command?.size_bytes ?? 0
  const bytes = command
    ? await readDownloadChunk(deps, { tenantId: tenant.tenantId, command }, { offset: chunk * size, size })
    : 'there is no update for this device'
  const reply =
    typeof bytes === 'string'
      ? { topic: 'v2/fw/error', payload: bytes }
      : { topic: `v2/fw/response/${request}/chunk/${chunk}`, payload: bytes }
  return { replies: [reply] }
}

async function handleAttributeRequest(
  context: MessageContext,
  message: AttributeRequest,
): Promise<FirmwareMessageResult> {
  const { deps, tenant, sender } = context
  const own = await findOwnCommand(tenant, sender)
  const command = own && !(await isLockedOut(tenant, own)) ? own : undefined
  const all = command ? encodeAttributes(command) : {}
  const shared = Object.fromEntries(Object.entries(all).filter(([key]) => message.keys.includes(key)))
  // The device knows of the update now, so its next report refers to this one.
  if (command?.status === 'queued') await notifyDevices(deps, tenant.tenantId, [command.id])
  const { topic, client } = message
  const payload = JSON.stringify({ ...(client && { client }), ...(command && { shared }) })
  return { replies: [{ topic, payload }] }
}

/** `ota/ask`: a gateway that was offline requests its open updates. */
async function handleOpenUpdatesRequest({
  deps,
  tenant,
  sender,
}: MessageContext): Promise<FirmwareMessageResult> {
  const commands = await listOpenCommands(tenant, sender.gatewayId, OTA_UPDATES_PER_RUN)
  const queued = commands.filter(({ status }) => status === 'queued').map(({ id }) => id)
  await notifyDevices(deps, tenant.tenantId, queued)
  const replies: FirmwareReply[] = []
  for (const command of commands) {
    if (command.status === 'queued' || (await isLockedOut(tenant, command))) continue
    replies.push({ topic: `cmd/${command.id}`, payload: encodeCommand(deps, tenant.tenantId, command) })
  }
  return { replies }
}
