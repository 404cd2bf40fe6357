import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { at } from '../../kernel/at.ts'
import type { Networks } from './networks.ts'

export interface Client {
  readonly address: string
  /** The client speaks TLS, to us or to a trusted proxy that says so. */
  readonly isSecure: boolean
}

const partsOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * Who is behind a request that does not pass Fastify, by the same rules: the last address that is no trusted
 * proxy's.
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
