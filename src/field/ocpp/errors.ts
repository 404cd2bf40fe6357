/** Codes of a CALLERROR that both versions know; where they spell one differently, `dispatch` does. */
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

/** A CALLERROR: the station's, to a call of ours (then the code is whatever it said), or ours, thrown by a handler. */
export class OcppCallError extends Error {
  readonly code: string
  readonly description: string

  constructor(code: OcppErrorCode | (string & {}), description = '') {
    super(description === '' ? code : `${code}: ${description}`)
    this.code = code
    this.description = description
  }
}

/** The station did not answer a call of ours in time. */
export class OcppTimeout extends Error {}

/** The socket was closed before a call of ours was answered. */
export class OcppClosed extends Error {}
