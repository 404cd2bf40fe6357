import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

export interface ClientCertificate {
  /** The common name and the DNS names. */
  readonly names: readonly string[]
  /** DER. */
  readonly raw: Buffer
}

/** The client's certificate, when it was signed by an authority that we trust. */
export function clientCertificateOf(socket: Socket): ClientCertificate | undefined {
  const { encrypted, authorized } = socket as Partial<TLSSocket>
  if (!encrypted || !authorized) return undefined
  const { subject, subjectaltname = '', raw } = (socket as TLSSocket).getPeerCertificate()
  // A quoted name is one that could be read as several.
  const others = subjectaltname.includes('"') ? [] : subjectaltname.split(', ')
  const dns = others.filter((name) => name.startsWith('DNS:')).map((name) => name.slice(4))
  return { names: [subject.CN ?? [], dns].flat(), raw }
}
