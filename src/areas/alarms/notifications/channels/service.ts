import { randomUUID } from 'node:crypto'
import { conflict, found } from '../../../../kernel/errors.ts'
import { textOf } from '../../../../kernel/messages.ts'
import { makeSealer } from '../../../../platform/auth/sealer.ts'
import { changes } from '../../../../platform/db/columns.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import type { Principal } from '../../../../platform/http/app-type.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import { CHANNELS_MAX } from '../limits.ts'
import { secretContext } from '../receivers/secrets.ts'
import { resultOfTest, withDeliveryState } from '../receivers/service.ts'
import * as receivers from '../receivers/store.ts'
import { checkUrl } from '../webhooks/check-url.ts'
import type { ChannelQuery, ChannelType, CreateChannel, UpdateChannel } from './schema.ts'
import { sendToChannel } from './send.ts'
import * as channels from './store.ts'

const RESOURCE = 'notification channel'
const NTFY_SERVER = 'https://ntfy.sh/'

type Configured = Pick<Deps, 'config' | 'clock' | 'ownEndpoints'>

/** The fields of each platform: those that a new channel requires, and the one that is the secret. */
const PLATFORMS = {
  telegram: { required: ['bot_token', 'chat_id'], optional: [], secret: 'bot_token' },
  slack: { required: ['url'], optional: [], secret: 'url' },
  teams: { required: ['url'], optional: [], secret: 'url' },
  ntfy: { required: ['topic'], optional: ['server_url', 'token'], secret: 'token' },
} as const satisfies Record<ChannelType, object>
const PLATFORM_FIELDS = ['bot_token', 'chat_id', 'url', 'server_url', 'topic', 'token'] as const

/** Throws 422 for fields of another platform and, for a new channel, for missing ones. */
function checkFields(type: ChannelType, body: UpdateChannel, isNew: boolean): void {
  const { required, optional } = PLATFORMS[type]
  const known: readonly string[] = [...required, ...optional]
  for (const field of PLATFORM_FIELDS)
    if (body[field] !== undefined && !known.includes(field))
      throw invalidInput(['body', field], ALARM_TEXTS.CHANNEL_FIELD_UNUSED({ type }))
  for (const field of isNew ? required : [])
    if (body[field] === undefined)
      throw invalidInput(['body', field], ALARM_TEXTS.CHANNEL_FIELD_REQUIRED({ type }))
}

function checkServerUrl(deps: Configured, text: string): string {
  const href = checkUrl(text, { config: deps.config, field: 'server_url' })
  const { pathname, search, hash } = new URL(href)
  if (pathname + search + hash !== '/')
    throw invalidInput(['body', 'server_url'], ALARM_TEXTS.CHANNEL_SERVER_URL_PATH())
  return href
}

interface StoredFields {
  readonly chat_id?: string
  readonly server_url?: string
  readonly topic?: string
  readonly secret_sealed?: string | null
}

/** Checks the fields of the platform and seals its secret. */
function storedFields(
  deps: Configured,
  { id, type }: { readonly id: string; readonly type: ChannelType },
  body: UpdateChannel,
): StoredFields {
  const secret = body[PLATFORMS[type].secret]
  const checked = type === 'slack' || type === 'teams' ? secret && checkUrl(secret, deps) : secret
  const seal = (text: string) =>
    makeSealer(deps.config.credentialEncryptionKey).seal(text, secretContext({ kind: 'channel', id }))
  return {
    ...(body.chat_id !== undefined && { chat_id: body.chat_id }),
    ...(body.topic !== undefined && { topic: body.topic }),
    ...(body.server_url !== undefined && { server_url: checkServerUrl(deps, body.server_url) }),
    ...(checked !== undefined && { secret_sealed: checked === null ? null : seal(checked) }),
  }
}

/** Builds responses without the secret and with the delivery state. */
const toResponses = (db: TenantDb, rows: readonly channels.ChannelRow[]) =>
  withDeliveryState(
    db,
    'channel',
    rows.map(({ secret_sealed, ...channel }) => ({ ...channel, has_secret: secret_sealed !== null })),
  )

/**
 * Hides chat and topic from users who may not change channels, because a topic can be read and written by
 * everyone who knows it.
 */
export const redact = <C extends { readonly chat_id: string | null; readonly topic: string | null }>(
  { permissions }: Pick<Principal, 'permissions'>,
  channel: C,
): C => (permissions.has('manage:alarm') ? channel : { ...channel, chat_id: null, topic: null })

export async function listChannels(db: TenantDb, query: ChannelQuery) {
  const { items, ...page } = await channels.listChannels(db, query)
  return { items: await toResponses(db, items), ...page }
}

async function toResponse(db: TenantDb, row: channels.ChannelRow) {
  const [one] = await toResponses(db, [row])
  return found(RESOURCE, one)
}

const foundChannel = async (db: TenantDb, id: string) => found(RESOURCE, await channels.findChannel(db, id))

export const getChannel = async (db: TenantDb, id: string) => toResponse(db, await foundChannel(db, id))

/** Creates a channel. Throws 503 encryption_not_configured when there is no key to seal its secret. */
export async function createChannel(
  deps: Configured,
  tx: TenantTx,
  { body, userId }: { readonly body: CreateChannel; readonly userId: string },
) {
  const { type, name } = body
  checkFields(type, body, true)
  const id = randomUUID()
  const stored = storedFields(deps, { id, type }, body)
  if ((await receivers.lockAndCount(tx, 'channel')) >= CHANNELS_MAX)
    throw conflict('STATE_CONFLICT', ALARM_TEXTS.CHANNEL_LIMIT_REACHED({ max: CHANNELS_MAX }))
  const at = new Date(deps.clock.now())
  const row = await channels.insertChannel(tx, {
    ...{ id, type, name, created_by: userId, created_at: at, updated_at: at },
    language: body.language ?? 'tr',
    min_severity: body.min_severity ?? 'info',
    is_active: body.is_active ?? true,
    ...(type === 'ntfy' && { server_url: NTFY_SERVER }),
    ...stored,
  })
  return toResponse(tx, row)
}

/**
 * Updates a channel. After it is enabled or its platform settings are changed, pending messages are sent
 * without delay.
 */
export async function updateChannel(
  deps: Configured,
  tx: TenantTx,
  { id, body }: { readonly id: string; readonly body: UpdateChannel },
) {
  const before = found(RESOURCE, await channels.lockChannel(tx, id))
  checkFields(before.type, body, false)
  const stored = storedFields(deps, before, body)
  // Otherwise a user could send the stored token to a server of theirs.
  const isNewServer = stored.server_url !== undefined && stored.server_url !== before.server_url
  if (isNewServer && before.secret_sealed !== null && body.token === undefined)
    throw invalidInput(['body', 'token'], ALARM_TEXTS.CHANNEL_TOKEN_AGAIN())
  const set = changes(body, ['name', 'language', 'min_severity', 'is_active'])
  const at = new Date(deps.clock.now())
  const row = found(
    RESOURCE,
    await channels.updateChannel(tx, id, {
      ...set,
      ...stored,
      ...(set?.is_active && { disabled_at: null }),
      updated_at: at,
    }),
  )
  if (set?.is_active || Object.keys(stored).length > 0)
    await receivers.resetRetries(tx, { kind: 'channel', id }, at)
  return toResponse(tx, row)
}

export async function removeChannel(tx: TenantTx, id: string): Promise<void> {
  found(RESOURCE, await receivers.remove(tx, { kind: 'channel', id }))
}

/** Sends one test message and changes nothing. */
export async function testChannel(deps: Configured, db: TenantDb, id: string) {
  const channel = await foundChannel(db, id)
  const subject = textOf(ALARM_TEXTS.CHANNEL_TEST({ name: channel.name }), channel.language)
  const entry = { heading: subject, lines: [], severity: 'info', link: undefined }
  const texts = { subject, entries: [entry], more: undefined, all: undefined }
  return resultOfTest(() => sendToChannel(deps, { channel, texts }))
}
