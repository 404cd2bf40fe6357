import { createServer } from 'node:net'
import { PORT_TRIES_MAX } from './limits.ts'

export interface PortOptions {
  readonly host: string
  readonly port: number
  /** The operator named the port, so a taken one is an error. */
  readonly portIsFixed: boolean
  /** Called with a notice when a port other than the default is used. */
  readonly print: (line: string) => void
  /** The name of the setting; PORT when absent. */
  readonly setting?: string
}

const isTaken = (error: unknown): boolean =>
  ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')

const isWrongHost = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes((error as NodeJS.ErrnoException).code ?? '')

/**
 * Calls `listen` with the configured port. When that port is taken and is only the default, it tries the
 * following ports. `listen` must reject with EADDRINUSE when a port is taken. Throws an error that names
 * the setting when no port can be used.
 */
export async function listenByRules(
  { host, port, portIsFixed, print, setting = 'PORT' }: PortOptions,
  listen: (port: number) => Promise<void>,
): Promise<void> {
  for (let tried = 0; ; tried += 1) {
    const candidate = port === 0 ? 0 : port + tried
    try {
      await listen(candidate)
      if (candidate !== port) print(`Port ${port} is taken: using ${candidate}.`)
      return
    } catch (error) {
      if (isWrongHost(error)) throw new Error(`HOST ${host} cannot be used: it is no address of this machine`)
      if (!isTaken(error)) throw error
      if (portIsFixed) throw new Error(`${setting} ${port} on ${host} cannot be used: ${reasonOf(error)}`)
      if (tried + 1 >= PORT_TRIES_MAX || candidate >= 65_535)
        throw new Error(`No free port from ${port} to ${candidate} on ${host}: set ${setting}`)
    }
  }
}

const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'EACCES' ? 'it needs more rights' : 'it is taken'

/**
 * Resolves when a server can listen on the address, and rejects with the system's error otherwise; leaves
 * nothing open.
 */
export const probePort = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })

/** Returns the URL under which a user of this machine reaches the service. */
export function urlOf(host: string, port: number): string {
  const shown: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  return `http://${shown[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}`
}
