import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { at } from '../../kernel/checked.ts'
import type { Networks } from './networks.ts'

export interface Client {
  readonly address: string
  /** True when the client uses TLS, to this service or according to a trusted proxy. */
  readonly isSecure: boolean
}

const partsOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * Returns the client of a request that does not pass Fastify, by the same rules: the last address in the
 * chain that is not a trusted proxy.
 */
export function clientOf({ socket, headers }: IncomingMessage, trusted: Networks): Client {
  const hops = [...partsOf(headers['x-forwarded-for']), socket.remoteAddress ?? '']
  const from = hops.findLastIndex((hop) => !trusted.contains(hop))
  const isEncrypted = (socket as Partial<TLSSocket>).encrypted === true
  const isBehindProxy = trusted.contains(socket.remoteAddress ?? '')
  const forwardedProto = isBehindProxy
    ? partsOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase()
    : undefined
  return {
    address: at(hops, Math.max(from, 0)),
    isSecure:
      forwardedProto === undefined ? isEncrypted : forwardedProto === 'https' || forwardedProto === 'wss',
  }
}
