import type { Message } from '../../../../kernel/messages.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import { literalAddress } from '../../../../platform/net/address-policy.ts'
import type { Config } from '../../../../platform/settings/config.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import { isWebhookAddress } from './call.ts'

/**
 * Checks an address; throws 422 for the field of the body when it cannot be called. A host name is resolved and
 * checked only at the call.
 */
export function checkUrl(
  text: string,
  { config, field = 'url' }: { readonly config: Config; readonly field?: string },
): string {
  const invalidUrl = (why: Message) => invalidInput(['body', field], why)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw invalidUrl(ALARM_TEXTS.WEBHOOK_URL_SCHEME())
  if (url.username !== '' || url.password !== '') throw invalidUrl(ALARM_TEXTS.WEBHOOK_URL_CREDENTIALS())
  const literal = literalAddress(url.hostname)
  if (literal !== undefined && !isWebhookAddress(config, literal))
    throw invalidUrl(ALARM_TEXTS.WEBHOOK_URL_NOT_PUBLIC())
  return url.href
}
