import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { waitFor } from '../wait-for.ts'

/** The programs of Debian's PostgreSQL: the embedded one has no pg_basebackup. */
const BIN = '/usr/lib/postgresql/15/bin'
export const hasReplication = existsSync(join(BIN, 'pg_basebackup'))

/** PostgreSQL refuses to run as root. */
const systemUser = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export interface PostgresServer {
  readonly url: string
  query(statement: string): Promise<void>
  start(): Promise<void>
  kill(): Promise<void>
}

function makeServer(folder: string, port: number, user: ReturnType<typeof systemUser>): PostgresServer {
  const url = `postgresql://netsaat@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const query = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  return {
    url,
    query,
    async start() {
      const settings = ['fsync=off', 'wal_level=replica', 'listen_addresses=127.0.0.1', `port=${port}`]
      const given = [...settings, 'unix_socket_directories=', 'hot_standby=on', 'max_connections=80']
      const args = ['-D', folder, ...given.flatMap((setting) => ['-c', setting])]
      server = spawn(join(BIN, 'postgres'), args, { ...user, stdio: 'ignore' })
      await waitFor(() =>
        query('select 1').then(
          () => true,
          () => false,
        ),
      )
    },
    async kill() {
      const ended = server
      server = undefined
      if (!ended || ended.exitCode !== null) return
      const exit = new Promise((resolve) => ended.once('exit', resolve))
      // Immediate shutdown, also of the processes of connections.
      ended.kill('SIGQUIT')
      await exit
    },
  }
}

export interface ReplicatedServers {
  readonly primary: PostgresServer
  readonly replica: PostgresServer
  remove(): Promise<void>
}

/** A primary and a streaming replica of it, both running. */
export async function startReplicatedServers(): Promise<ReplicatedServers> {
  const user = systemUser()
  const base = mkdtempSync(join(tmpdir(), 'netsaat-replicated-'))
  if (user.uid !== undefined) chownSync(base, user.uid, user.gid ?? user.uid)
  const [primaryFolder, replicaFolder] = [join(base, 'primary'), join(base, 'replica')]
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(BIN, program), [...args], { ...user, cwd: base, stdio: 'ignore' })
  run('initdb', [
    '-D',
    primaryFolder,
    '-U',
    'netsaat',
    '--auth=trust',
    '--no-sync',
    '--locale=C',
    '-E',
    'UTF8',
  ])
  const [primaryPort, replicaPort] = [await freePort(), await freePort()]
  const primary = makeServer(primaryFolder, primaryPort, user)
  await primary.start()
  const from = ['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'netsaat']
  run('pg_basebackup', [...from, '-D', replicaFolder, '-R', '-c', 'fast', '--no-sync'])
  const replica = makeServer(replicaFolder, replicaPort, user)
  await replica.start()
  return {
    primary,
    replica,
    async remove() {
      await replica.kill()
      await primary.kill()
      await rm(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
    },
  }
}
