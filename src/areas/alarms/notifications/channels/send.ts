import { makeSealer } from '../../../../platform/auth/sealer.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { type DigestInput, type DigestTexts, digestTexts } from '../delivery/mails.ts'
import { CHANNEL_TEXT_MAX, CHANNEL_TIMEOUT_MS } from '../limits.ts'
import { secretContext } from '../receivers/secrets.ts'
import { callWebhook, type WebhookError, webhookGuard } from '../webhooks/call.ts'
import { platformRequest } from './formats.ts'
import type { ChannelRow } from './store.ts'

/** The texts of a message, with as many entries as CHANNEL_TEXT_MAX permits, at least one. */
export function channelTexts(input: DigestInput): DigestTexts {
  const texts = digestTexts(input)
  let length = 0
  const fitting = texts.entries.findIndex(({ heading, lines }) => {
    length += heading.length + lines.join('\n').length + 2
    return length > CHANNEL_TEXT_MAX
  })
  return fitting === -1 ? texts : digestTexts({ ...input, items: input.items.slice(0, Math.max(1, fitting)) })
}

interface SendOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/**
 * Sends a message to a channel once; throws WebhookError, or 503 when the secret cannot be opened. The result is
 * the status of the response.
 */
export function sendToChannel(
  deps: Pick<Deps, 'config' | 'ownEndpoints'>,
  { channel, texts }: { readonly channel: ChannelRow; readonly texts: DigestTexts },
  { signal, timeoutMs = CHANNEL_TIMEOUT_MS }: SendOptions = {},
): Promise<number> {
  const { id, secret_sealed } = channel
  const { credentialEncryptionKey, telegramApiUrl } = deps.config
  const secret =
    secret_sealed === null
      ? undefined
      : makeSealer(credentialEncryptionKey).open(secret_sealed, secretContext({ kind: 'channel', id }))
  const request = platformRequest({ channel, secret, texts, telegramApiUrl })
  return callWebhook({ ...request, guard: webhookGuard(deps), timeoutMs, signal })
}

/** Statuses below 500 after which the same message can be accepted later. */
const TEMPORARY = [408, 425, 429]

/**
 * Whether a platform refused a message for good, because the token, the chat or the address is not valid. A
 * repetition would be refused too.
 */
export const isRefusedForGood = ({ status }: WebhookError): boolean =>
  status !== undefined && status >= 400 && status < 500 && !TEMPORARY.includes(status)
