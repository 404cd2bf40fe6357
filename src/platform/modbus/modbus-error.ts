/**
 * Why a request got no values. `connect`: no connection could be made, or it is too early to try again; `closed`: it
 * broke meanwhile; `timeout`: no answer in time; `exception`: the device said no, with a code; `malformed`: an answer
 * came that cannot be one to this request; `stopped`: we closed the connection ourselves.
 */
export type ModbusErrorKind = 'connect' | 'closed' | 'timeout' | 'exception' | 'malformed' | 'stopped'

/** Modbus Application Protocol 1.1b3, chapter 7. */
export const EXCEPTION = {
  illegalFunction: 1,
  illegalAddress: 2,
  illegalValue: 3,
  deviceFailure: 4,
  acknowledge: 5,
  deviceBusy: 6,
  gatewayPathUnavailable: 10,
  gatewayTargetSilent: 11,
} as const

export class ModbusError extends Error {
  readonly kind: ModbusErrorKind
  /** Of kind `exception`. */
  readonly exceptionCode: number | undefined
  constructor(kind: ModbusErrorKind, message: string, exceptionCode?: number) {
    super(message)
    this.kind = kind
    this.exceptionCode = exceptionCode
  }
}
