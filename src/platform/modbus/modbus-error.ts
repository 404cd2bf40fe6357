/**
 * Reasons for a failed request.
 *
 * - `connect`: no connection, or too early for another attempt
 * - `closed`: the connection broke meanwhile
 * - `timeout`: no response in time
 * - `exception`: the device refused, with a code
 * - `malformed`: the response does not belong to the request, or is not Modbus
 * - `stopped`: this side closed the connection
 */
export type ModbusErrorKind = 'connect' | 'closed' | 'timeout' | 'exception' | 'malformed' | 'stopped'

/** Modbus Application Protocol 1.1b3, chapter 7. */
const EXCEPTION = {
  illegalFunction: 1,
  illegalAddress: 2,
  illegalValue: 3,
  deviceFailure: 4,
  acknowledge: 5,
  deviceBusy: 6,
  gatewayPathUnavailable: 10,
  gatewayTargetSilent: 11,
} as const

/** The device does not have the function, the address or the value: the same request fails again. */
export const isRefusalCode = (code: number): boolean =>
  code === EXCEPTION.illegalFunction || code === EXCEPTION.illegalAddress || code === EXCEPTION.illegalValue

/** The gateway reports that the slave behind it is silent. */
export const isSilenceCode = (code: number): boolean =>
  code === EXCEPTION.gatewayPathUnavailable || code === EXCEPTION.gatewayTargetSilent

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
