import { inTenantTx, type TenantDb, tenantDb } from '../../../../platform/db/tenant.ts'
import { takePiece } from '../downloads/chunks.ts'
import { takeReport } from '../lifecycle/report.ts'
import { OTA_DUE_AT_ONCE } from '../limits.ts'
import { isLockedOut } from '../targets/interlock.ts'
import { type Command, findCommand, listOpen, listOpenOf } from '../updates/command-store.ts'
import { moveOfWord } from '../updates/states.ts'
import type {
  AttributeRequest,
  ChunkRequest,
  DeviceState,
  FirmwareAnswer,
  FirmwareNews,
  FirmwareReply,
  PieceRequest,
  Progress,
} from './messages.ts'
import { attributesOf, commandOf, type TellDeps, tellDevices } from './notify-devices.ts'

/** The gateway that says or asks it. */
interface Sender {
  readonly tenantId: number
  readonly gatewayId: string
}

const NOTHING: FirmwareAnswer = { replies: [] }
const unused = (reason: string, detail: string): FirmwareAnswer => ({
  replies: [],
  unused: { reason, detail },
})

/** One of ours, of this very gateway; what belongs to another one is as unknown as what does not exist. */
async function commandOfSender(
  tenant: TenantDb,
  { gatewayId }: Sender,
  id: string,
): Promise<Command | undefined> {
  const command = await findCommand(tenant, id)
  return command?.via_gateway_id === gatewayId.toLowerCase() ? command : undefined
}

/** Who speaks for itself is the gateway, or the only device behind it that has an update. */
async function ownCommand(tenant: TenantDb, { gatewayId }: Sender): Promise<Command | undefined> {
  const [first, second] = await listOpen(tenant, gatewayId, 2)
  return first && (first.device_id === null || !second) ? first : undefined
}

/**
 * Takes what a device says or asks about an update; resolves when it is committed. What it cannot use has a reason; what
 * comes late, or of an update that is at its end, changes nothing.
 */
export async function takeFirmwareNews(
  deps: TellDeps,
  sender: Sender,
  news: FirmwareNews,
): Promise<FirmwareAnswer> {
  const tenant = tenantDb(deps.database.kysely, sender.tenantId)
  const place = { deps, tenant, sender }
  switch (news.kind) {
    case 'progress':
      return takeProgress(place, news)
    case 'state':
      return takeState(place, news)
    case 'piece':
      return answerPiece(place, news)
    case 'chunk':
      return answerChunk(place, news)
    case 'attributes':
      return answerAttributes(place, news)
    case 'ask':
      return answerAsk(place)
  }
}

interface Place {
  readonly deps: TellDeps
  readonly tenant: TenantDb
  readonly sender: Sender
}

async function report({ deps, tenant }: Place, command: Command, news: Progress | DeviceState) {
  const { tenantId } = tenant
  const at = new Date(deps.clock.now())
  const touched = await inTenantTx(deps.database.kysely, tenantId, (tx) =>
    takeReport(tx, { command, report: news, at }),
  )
  await tellDevices(deps, tenantId, touched)
  return NOTHING
}

async function takeProgress(place: Place, news: Progress): Promise<FirmwareAnswer> {
  const { state, update } = news
  if (state !== undefined && moveOfWord(state) === undefined)
    return unused('wrong_shape', `state is no word of an update: ${state.slice(0, 50)}`)
  const command = await commandOfSender(place.tenant, place.sender, update)
  if (!command) return unused('unknown_update', `the gateway has no update ${update}`)
  const { attempt = command.attempt } = news
  if (attempt > command.attempt)
    return unused('unknown_update', `update ${update} has no attempt ${attempt} yet`)
  return report(place, command, news)
}

/** ThingsBoard's devices say more than an update needs (IDLE, and their version at every start): no word, no news. */
async function takeState(place: Place, news: DeviceState): Promise<FirmwareAnswer> {
  const { tenant, sender } = place
  const { device } = news
  const [found, second] =
    device === null
      ? [await ownCommand(tenant, sender)]
      : await listOpenOf(tenant, { gatewayId: sender.gatewayId, name: device })
  return found && !second ? report(place, found, news) : NOTHING
}

async function answerPiece({ deps, tenant, sender }: Place, news: PieceRequest): Promise<FirmwareAnswer> {
  const { update, offset } = news
  const command = await commandOfSender(tenant, sender, update)
  if (!command) return unused('unknown_update', `the gateway has no update ${update}`)
  const piece = await takePiece(deps, { tenantId: tenant.tenantId, command }, news)
  const reply =
    typeof piece === 'string'
      ? { topic: `ota/${update}/chunk/error`, payload: JSON.stringify({ offset, error: piece }) }
      : { topic: `ota/${update}/chunk/${offset}`, payload: piece }
  return { replies: [reply] }
}

async function answerChunk({ deps, tenant, sender }: Place, news: ChunkRequest): Promise<FirmwareAnswer> {
  const { request, chunk } = news
  const command = await ownCommand(tenant, sender)
  const size = news.size ?? command?.size_bytes ?? 0
  const piece = command
    ? await takePiece(deps, { tenantId: tenant.tenantId, command }, { offset: chunk * size, size })
    : 'there is no update for this device'
  const reply =
    typeof piece === 'string'
      ? { topic: 'v2/fw/error', payload: piece }
      : { topic: `v2/fw/response/${request}/chunk/${chunk}`, payload: piece }
  return { replies: [reply] }
}

async function answerAttributes(place: Place, news: AttributeRequest): Promise<FirmwareAnswer> {
  const { deps, tenant, sender } = place
  const own = await ownCommand(tenant, sender)
  const command = own && !(await isLockedOut(tenant, own)) ? own : undefined
  const all = command ? attributesOf(command) : {}
  const shared = Object.fromEntries(Object.entries(all).filter(([key]) => news.keys.includes(key)))
  // It knows of the update now: what it says next is of this one.
  if (command?.status === 'queued') await tellDevices(deps, tenant.tenantId, [command.id])
  const { topic, client } = news
  const payload = JSON.stringify({ ...(client && { client }), ...(command && { shared }) })
  return { replies: [{ topic, payload }] }
}

/** `ota/ask`: a gateway that was away wants to know what it is to do. */
async function answerAsk({ deps, tenant, sender }: Place): Promise<FirmwareAnswer> {
  const commands = await listOpen(tenant, sender.gatewayId, OTA_DUE_AT_ONCE)
  const queued = commands.filter(({ status }) => status === 'queued').map(({ id }) => id)
  await tellDevices(deps, tenant.tenantId, queued)
  const replies: FirmwareReply[] = []
  for (const command of commands) {
    if (command.status === 'queued' || (await isLockedOut(tenant, command))) continue
    replies.push({ topic: `cmd/${command.id}`, payload: commandOf(deps, tenant.tenantId, command) })
  }
  return { replies }
}
