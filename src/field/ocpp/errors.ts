import { type Message, textOf } from '../../kernel/messages.ts'

/** Codes of a CALLERROR in the spelling of 2.0.1; `dispatch` translates those that 1.6 spells differently. */
export type OcppErrorCode =
  | 'NotImplemented'
  | 'NotSupported'
  | 'InternalError'
  | 'ProtocolError'
  | 'SecurityError'
  | 'FormationViolation'
  | 'PropertyConstraintViolation'
  | 'OccurrenceConstraintViolation'
  | 'TypeConstraintViolation'
  | 'GenericError'
  | 'RpcFrameworkError'
  | 'MessageTypeNotSupported'

/** A CALLERROR: one of a station, with whatever code it sent, or one that a handler of ours throws. */
export class OcppCallError extends Error {
  readonly code: string
  readonly description: string

  constructor(code: OcppErrorCode | (string & {}), description = '') {
    super(description === '' ? code : `${code}: ${description}`)
    this.code = code
    this.description = description
  }
}

/** A call of ours has no answer. */
class NoAnswer extends Error {
  readonly content: Message
  constructor(content: Message) {
    super(textOf(content))
    this.content = content
  }
}

/** The station did not respond to a call of ours in time. */
export class OcppTimeout extends NoAnswer {}

/** The socket was closed before a call of ours had a response. */
export class OcppClosed extends NoAnswer {}
