import { type Message, textOf } from '../../../kernel/messages.ts'
import { PLATFORM_TEXTS } from './messages.ts'

/** The kinds of failure. Each has its own alarm policy. */
export type FailureKind = 'auth_failed' | 'fetch_failed' | 'not_whitelisted' | 'subscription_missing'

/** The step that failed, which helps the operator to find the cause. */
export const STEPS = ['credentials', 'login', 'whitelist', 'subscription', 'call'] as const
export type Step = (typeof STEPS)[number]

interface FailureDetails {
  readonly kind: FailureKind
  readonly step: Step
  /** A text of the service only: a text of the platform may quote the request, and so a password. */
  readonly content: Message
  /** The time of the platform's Retry-After, epoch milliseconds. */
  readonly notBefore?: number | undefined
}

/**
 * The platform refused, failed or could not be reached. It has no `cause`, because a cause may quote the
 * request.
 */
export class PlatformFailure extends Error {
  readonly kind: FailureKind
  readonly step: Step
  readonly content: Message
  readonly notBefore: number | undefined
  constructor({ kind, step, content, notBefore }: FailureDetails) {
    super(textOf(content))
    this.content = content
    this.kind = kind
    this.step = step
    this.notBefore = notBefore
  }
}

const NOT_PUBLISHED =
  /yay[ıi]nlan|yay[ıi]mlan|mevcut de[ğg]il|öncesinde|not (yet )?(been )?(published|available)/iu
const SUBSCRIPTION =
  /(missing|no|invalid|wrong|without|not an active) subscription|not subscribed|subscription[ _-]?key (is )?(missing|invalid|required)|abonelik/i
const ADDRESS = /white ?-?list|beyaz liste|\bip[ _-]?(address|adres|restrict|not allowed|filter)/i

/**
 * True when the text of a 400 says that prices are not published yet. [found] The text is Turkish and names
 * the hour of publication.
 */
export const isNotPublishedText = (text: string): boolean => NOT_PUBLISHED.test(text.slice(0, 4000))

/**
 * Classifies a 401 or 403. [inferred] The platform's own login responds 401 to a wrong password. The gateway
 * before it checks addresses (403 before any login) and subscriptions, and says so in its text.
 */
export function refusalOf(at: 'login' | 'call', { status, text }: { status: number; text: string }) {
  const excerpt = text.slice(0, 4000)
  if (SUBSCRIPTION.test(excerpt)) {
    const content = PLATFORM_TEXTS.PLATFORM_SUBSCRIPTION({ status })
    return new PlatformFailure({ kind: 'subscription_missing', step: 'subscription', content })
  }
  if (ADDRESS.test(excerpt) || (at === 'login' && status === 403)) {
    const content = PLATFORM_TEXTS.PLATFORM_ADDRESS({ status })
    return new PlatformFailure({ kind: 'not_whitelisted', step: 'whitelist', content })
  }
  const content =
    at === 'login'
      ? PLATFORM_TEXTS.PLATFORM_LOGIN_REFUSED({ status })
      : PLATFORM_TEXTS.PLATFORM_TICKET_REFUSED({ status })
  return new PlatformFailure({ kind: 'auth_failed', step: 'login', content })
}
