import { sql } from 'kysely'
import { type Language, type Message, textOf } from '../../kernel/messages.ts'
import { type JsonText, toJson } from './json-columns.ts'

/** A text of a person, or a message of the service. */
export type Reason = string | Message

/**
 * A table keeps a reason in two columns: `reason` has its text, of a message in the language of the API, and
 * `reason_content` has the message. Comparisons and indexes use the text.
 */
export const reasonColumns = <T extends Reason | null>(reason: T) =>
  (typeof reason === 'object' && reason !== null
    ? { reason: textOf(reason), reason_content: toJson<Message>(reason) }
    : { reason }) as ReasonColumns<T>

interface ReasonColumns<T> {
  readonly reason: string | Extract<T, null>
  readonly reason_content?: JsonText<Message>
}

/** SQL: the reason of a row. */
export const storedReason = sql<Reason | null>`coalesce(reason_content, to_jsonb(reason))`

/** The text of a reason; without a language that of the column, by which reasons are compared. */
export const reasonText = (reason: Reason, language?: Language): string =>
  typeof reason === 'string' ? reason : textOf(reason, language)
