import { connect, type Socket } from 'node:net'
import { MODBUS_READ_BYTES } from './limits.ts'

export interface OpenSocketOptions {
  /** Resolves the host to an IP address that has been checked. */
  readonly resolveAddress: () => Promise<string>
  readonly port: number
  /** Receives the bytes of the socket, which are valid during the call only. */
  readonly receive: (socket: Socket, bytes: Buffer) => void
  /** For the resolution and the connection together. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Opens a TCP connection; rejects with a reason after `timeoutMs` and when the signal is aborted. Its bytes are read
 * into one buffer: without it Node reserves 64 KB for every read, of which a response needs at most 260 bytes.
 */
export function openSocket(options: OpenSocketOptions): Promise<Socket> {
  const { resolveAddress, port, receive, timeoutMs, signal } = options
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined
    let isSettled = false
    const settle = (): void => {
      isSettled = true
      clearTimeout(timer)
      signal.removeEventListener('abort', handleAbort)
    }
    const fail = (error: Error): void => {
      if (isSettled) return
      settle()
      socket?.destroy()
      reject(error)
    }
    const handleAbort = () => fail(new Error('the connection is being closed'))
    const timer = setTimeout(() => fail(new Error('no answer in time')), timeoutMs)
    signal.addEventListener('abort', handleAbort)
    const connectTo = (host: string): void => {
      if (isSettled) return
      const buffer = Buffer.alloc(MODBUS_READ_BYTES)
      const callback = (count: number): boolean => {
        receive(opened, buffer.subarray(0, count))
        return true
      }
      const opened = connect({ host, port, noDelay: true, keepAlive: true, onread: { buffer, callback } })
      socket = opened
      opened.on('error', fail)
      opened.once('connect', () => {
        settle()
        resolve(opened)
      })
    }
    resolveAddress().then(connectTo).catch(fail)
  })
}
