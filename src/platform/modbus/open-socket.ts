import { connect, type Socket } from 'node:net'

export interface OpenSocketOptions {
  /** Resolves the host to an IP address that has been checked. */
  readonly resolveAddress: () => Promise<string>
  readonly port: number
  /** For the resolution and the connection together. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Opens a TCP connection; rejects with a reason after `timeoutMs` and when the signal is aborted. */
export function openSocket(options: OpenSocketOptions): Promise<Socket> {
  const { resolveAddress, port, timeoutMs, signal } = options
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
      const opened = connect({ host, port, noDelay: true, keepAlive: true })
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
