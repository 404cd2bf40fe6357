import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** Linux counts the processor time of ended processes in hundredths of a second. */
const TICK_MS = 10
const ATTEMPTS = 20

interface Times {
  readonly parent: number
  readonly ownMs: number
  /** Of children that have ended. */
  readonly endedMs: number
}

/** The times of a process; undefined when it has ended. */
async function timesOf(pid: number | string): Promise<Times | undefined> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => undefined)
  const [text, schedule] = [await read('stat'), await read('schedstat')]
  if (text === undefined || schedule === undefined) return undefined
  // The name of the program, in parentheses, may contain spaces; the third field follows it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const sum = (...indices: number[]) => indices.reduce((total, index) => total + Number(fields[index]), 0)
  return {
    parent: Number(fields[1]),
    ownMs: Number(schedule.split(' ')[0]) / 1e6,
    endedMs: sum(13, 14) * TICK_MS,
  }
}

/** The process of a PostgreSQL server on this machine that starts all others. */
async function findPostmaster(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const times = await timesOf(rows[0]?.pid ?? 0)
    if (!times) throw new Error(`the server of ${new URL(url).host} is not on this machine`)
    return times.parent
  } finally {
    await client.end()
  }
}

const allProcesses = async (): Promise<string[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name))

/** The processes of a PostgreSQL server on this machine, that which starts the others first. */
export async function serverProcesses(url: string): Promise<number[]> {
  const postmaster = await findPostmaster(url)
  const pids = [postmaster]
  for (const pid of await allProcesses())
    if ((await timesOf(pid))?.parent === postmaster) pids.push(Number(pid))
  return pids
}

/** Reads the milliseconds of processor time that each of the PostgreSQL servers on this machine has used so far. */
export async function makeServerCpu(urls: readonly string[]): Promise<() => Promise<number[]>> {
  const postmasters = await Promise.all(urls.map(findPostmaster))
  const endedTimes = async () =>
    (await Promise.all(postmasters.map(async (pid) => (await timesOf(pid))?.endedMs ?? 0))).join()

  async function sumTimes(): Promise<number[]> {
    const totals = postmasters.map(() => 0)
    const add = (postmaster: number, ms: number) => {
      const server = postmasters.indexOf(postmaster)
      if (server >= 0) totals[server] = (totals[server] ?? 0) + ms
    }
    for (const pid of await allProcesses()) {
      const times = await timesOf(pid)
      if (!times) continue
      add(Number(pid), times.ownMs + times.endedMs)
      add(times.parent, times.ownMs)
    }
    return totals
  }

  return async () => {
    // When a process has ended meanwhile, its time may be missing, so all are read again.
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const before = await endedTimes()
      const totals = await sumTimes()
      if ((await endedTimes()) === before) return totals
    }
    throw new Error('processes of the server end all the time')
  }
}
