import { AppError } from '../../../../kernel/errors.ts'
import { type Message, textOf } from '../../../../kernel/messages.ts'
import { SENDING_ERROR_MAX } from '../limits.ts'
import { DELIVERY_TEXTS } from '../messages.ts'

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'notification_cursor.last_error': Message
    'escalation_message.error': Message
  }
}

/** A delivery that failed for a reason that users of the tenant can read. */
export class DeliveryError extends Error {
  readonly content: Message
  constructor(content: Message) {
    super(textOf(content))
    this.content = content
  }
}

/** The reason of a failed delivery. The text of a mail server or a library is kept as a parameter. */
export function reasonOf(error: unknown): Message {
  if (error instanceof DeliveryError || error instanceof AppError) return error.content
  const reason = error instanceof Error ? error.message : 'unknown'
  return DELIVERY_TEXTS.DELIVERY_FAILED({ reason: reason.slice(0, SENDING_ERROR_MAX) })
}
