import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MqttTlsSettings } from '../../../src/platform/mqtt/settings.ts'
import { makeDataFolder } from '../folder.ts'
import { createTestAuthority, type TestAuthority, type TestCertificate } from './certificates.ts'

export interface TlsFiles {
  /** Of a listener on a free port, with optional client certificates. */
  readonly settings: MqttTlsSettings
  /** The authority of the server's certificates, and a file with its certificate. */
  readonly servers: TestAuthority
  readonly caFile: string
  /** The authority of the clients' certificates. */
  readonly clients: TestAuthority
  readonly folder: string
  issue(): Promise<TestCertificate>
  /** Replaces certificate and key at once, by a symbolic link to another folder, as Kubernetes does. */
  replace(certificate: TestCertificate): Promise<void>
  remove(): Promise<void>
}

/** Files of a TLS listener in a folder of their own, with a certificate for localhost. */
export async function makeTlsFiles(name: string): Promise<TlsFiles> {
  const folder = await makeDataFolder(name)
  const servers = await createTestAuthority('Servers')
  const clients = await createTestAuthority('Gateways')
  const caFile = join(folder, 'servers.pem')
  const clientCa = join(folder, 'clients.pem')
  await writeFile(caFile, servers.cert)
  await writeFile(clientCa, clients.cert)
  let version = 0

  async function replace({ cert, key }: TestCertificate): Promise<void> {
    version += 1
    const own = join(folder, `version-${version}`)
    await mkdir(own)
    await writeFile(join(own, 'cert.pem'), cert)
    await writeFile(join(own, 'key.pem'), key)
    await symlink(own, join(folder, 'next'))
    await rename(join(folder, 'next'), join(folder, 'current'))
  }
  const issue = () =>
    servers.issue('localhost', [
      { type: 'dns', value: 'localhost' },
      { type: 'ip', value: '127.0.0.1' },
    ])
  await replace(await issue())
  return {
    settings: {
      port: 0,
      cert: join(folder, 'current', 'cert.pem'),
      key: join(folder, 'current', 'key.pem'),
      clientCa,
      requiresClientCert: false,
    },
    ...{ servers, caFile, clients, folder, issue, replace },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
