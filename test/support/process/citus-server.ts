import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { waitFor } from '../wait-for.ts'

const START_MAX_MS = 120_000

/** A server of the cluster on this machine, which can be killed and started again. */
export interface CitusServer {
  /** The address as in `pg_dist_node`. */
  readonly port: number
  /** Kills the server and all its processes with SIGKILL. */
  kill(): Promise<void>
  start(): Promise<void>
  query<T extends pg.QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<T[]>
}

/** The server and its child processes (Linux). */
async function withChildren(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.trim().split(' ').filter(Boolean).map(Number)]
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The server of a URL of a superuser; its statements run in the database `name`. */
export async function findCitusServer(url: string, name: string): Promise<CitusServer> {
  const own = new URL(url)
  own.pathname = `/${name}`
  const query: CitusServer['query'] = async <T extends pg.QueryResultRow>(
    statement: string,
    values: readonly unknown[] = [],
  ) => {
    const client = new pg.Client({ connectionString: own.href })
    await client.connect()
    try {
      return (await client.query<T>(statement, [...values])).rows
    } finally {
      await client.end()
    }
  }
  const [settings] = await query<{ folder: string; pid: number }>(
    `select current_setting('data_directory') as folder, split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`,
  )
  if (!settings || !existsSync(`/proc/${settings.pid}/exe`))
    throw new Error(`the server of ${own.host} is not on this machine`)
  const { folder } = settings
  const programs = dirname(await readlink(`/proc/${settings.pid}/exe`))
  const { uid, gid } = statSync(folder)
  const owner = process.getuid?.() === 0 ? { uid, gid } : {}
  return {
    port: Number(own.port),
    query,
    async kill() {
      const [pid = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
      const pids = await withChildren(Number(pid))
      for (const one of pids) killIfThere(one)
      // Until then the server refuses to start beside the one of the file.
      await waitFor(() => pids.every((one) => !existsSync(`/proc/${one}`)))
    },
    async start() {
      const log = join(folder, 'start.log')
      const args = ['-D', folder, '-l', log, '-w', '-t', String(START_MAX_MS / 1000), 'start']
      const child = spawn(join(programs, 'pg_ctl'), args, { ...owner, cwd: folder, stdio: 'ignore' })
      const code = await new Promise((resolve) => child.once('exit', resolve))
      if (code !== 0) throw new Error(`the server of ${folder} did not start: ${await readFile(log, 'utf8')}`)
    },
  }
}
