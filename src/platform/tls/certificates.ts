/*
 * The certificates of a TLS listener, read from files and replaced without a restart.
 *
 * The content of the files is read and compared at intervals. Watching the files would miss the exchange of a
 * symbolic link in a parent folder, which is how certbot and Kubernetes replace certificates, and every change on
 * a network file system. New connections use a new certificate at once; open connections are not affected.
 *
 * Files that cannot be used never replace certificates that can: the previous ones remain in use, the log has an
 * error and `/readiness` a note until the files are correct. This includes the moment between the replacement of
 * the certificate and that of its key.
 */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions, type Server } from 'node:tls'
import type { Clock } from '../runtime/clock.ts'
import type { Deps } from '../runtime/deps.ts'
import { TLS_EXPIRY_WARNING_DAYS, TLS_RELOAD_EVERY_MS } from './limits.ts'

const DAY_MS = 86_400_000
export const TLS_MIN_VERSION = 'TLSv1.2'

export interface CertificateFile {
  /** The setting that contains the path; errors begin with it. */
  readonly setting: string
  readonly path: string | undefined
}

export interface CertificatesOptions {
  readonly deps: Pick<Deps, 'log' | 'metrics' | 'readiness'> & { readonly clock: Pick<Clock, 'now'> }
  /** The label of the metric and of the log lines. */
  readonly listener: string
  readonly cert: CertificateFile
  readonly key: CertificateFile
  /** Authorities whose client certificates are trusted. */
  readonly clientCa: CertificateFile
  /** Further authorities, PEM; read at every check. */
  readonly otherAuthorities?: () => Promise<readonly string[]>
}

export interface Certificates {
  /** Loads the certificates into a server and keeps them current. Throws a sentence for the operator. */
  attach(server: Pick<Server, 'setSecureContext'>): Promise<void>
  /** Checks the files now. Never throws: what cannot be used is logged. */
  check(): Promise<void>
  stop(): void
}

interface Pem {
  readonly cert: string
  readonly key: string
  readonly ca: string[]
}

async function read({ setting, path = '' }: CertificateFile): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Error(`${setting}: ${JSON.stringify(path)} cannot be read: ${(error as Error).message}`)
  }
}

/** Node.js ignores a file of authorities without a certificate; then no client would be trusted. */
async function readAuthorities(file: CertificateFile): Promise<string[]> {
  if (file.path === undefined) return []
  const text = await read(file)
  try {
    new X509Certificate(text)
  } catch (error) {
    throw new Error(`${file.setting}: ${(error as Error).message}`)
  }
  return [text]
}

/** The end of the validity, epoch milliseconds. */
const endOf = (cert: string): number => Date.parse(new X509Certificate(cert).validTo)

class FileCertificates implements Certificates {
  private readonly options: CertificatesOptions
  private server: Pick<Server, 'setSecureContext'> | undefined
  private current = ''
  private endsAt = Number.POSITIVE_INFINITY
  private failure: string | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(options: CertificatesOptions) {
    this.options = options
  }

  async attach(server: Pick<Server, 'setSecureContext'>): Promise<void> {
    this.server = server
    await this.load()
    this.options.deps.readiness.note(() => this.notes())
    this.timer = setInterval(() => void this.check(), TLS_RELOAD_EVERY_MS).unref()
  }

  async check(): Promise<void> {
    const { deps, listener } = this.options
    try {
      const isNew = await this.load()
      if (isNew || this.failure !== undefined)
        deps.log.info({ listener, validTo: new Date(this.endsAt) }, 'the TLS certificates are up to date')
      this.failure = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.failure)
        deps.log.error(
          { listener, reason: message },
          'renewed TLS certificates cannot be used: the previous ones stay in use',
        )
      this.failure = message
    }
    this.setMetric()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Returns whether the files have changed. */
  private async load(): Promise<boolean> {
    const pem = await this.readAll()
    const text = JSON.stringify(pem)
    if (text === this.current) return false
    const { cert, key } = this.options
    const context: SecureContextOptions = { ...pem, minVersion: TLS_MIN_VERSION }
    try {
      const endsAt = endOf(pem.cert)
      // Checked apart from the server, which a failure must leave as it is.
      createSecureContext(context)
      this.rejectExpired(endsAt)
      this.server?.setSecureContext(context)
      this.endsAt = endsAt
    } catch (error) {
      throw new Error(`${cert.setting}, ${key.setting}: ${(error as Error).message}`)
    }
    this.current = text
    this.setMetric()
    return true
  }

  private async readAll(): Promise<Pem> {
    const { cert, key, clientCa, otherAuthorities } = this.options
    return {
      cert: await read(cert),
      key: await read(key),
      ca: [...(await readAuthorities(clientCa)), ...((await otherAuthorities?.()) ?? [])],
    }
  }

  /** An expired certificate does not replace a valid one. */
  private rejectExpired(endsAt: number): void {
    const now = this.options.deps.clock.now()
    if (this.current !== '' && endsAt <= now && this.endsAt > now)
      throw new Error('the certificate has expired')
  }

  private setMetric(): void {
    const { deps, listener } = this.options
    deps.metrics.certificateDays.set({ listener }, (this.endsAt - deps.clock.now()) / DAY_MS)
  }

  private notes(): string[] {
    const { cert, deps } = this.options
    const days = Math.floor((this.endsAt - deps.clock.now()) / DAY_MS)
    return [
      ...(this.failure === undefined
        ? []
        : [
            `the renewed files of ${cert.setting} cannot be used: the previous certificate stays in use; see the log`,
          ]),
      ...(days < 0 ? [`the certificate of ${cert.setting} has expired`] : []),
      ...(days >= 0 && days < TLS_EXPIRY_WARNING_DAYS
        ? [`the certificate of ${cert.setting} expires in ${days} days`]
        : []),
    ]
  }
}

export const makeCertificates = (options: CertificatesOptions): Certificates => new FileCertificates(options)
