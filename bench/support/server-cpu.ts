import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

interface Times {
  readonly parent: number
  readonly ownMs: number
  /** Of children that have ended. */
  readonly endedMs: number
}

/** The times of a process; undefined when it has ended. */
async function timesOf(pid: number | string): Promise<Times | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The name of the program, in parentheses, may contain spaces; the third field follows it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const sum = (...indices: number[]) => indices.reduce((total, index) => total + Number(fields[index]), 0)
  return { parent: Number(fields[1]), ownMs: sum(11, 12) * TICK_MS, endedMs: sum(13, 14) * TICK_MS }
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

/** Reads the processor time that PostgreSQL servers on this machine have used so far, all their processes together. */
export async function makeServerCpu(urls: readonly string[]): Promise<() => Promise<number>> {
  const postmasters = new Set(await Promise.all(urls.map(findPostmaster)))
  return async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    let totalMs = 0
    for (const pid of pids) {
      const times = await timesOf(pid)
      if (!times) continue
      if (postmasters.has(Number(pid))) totalMs += times.ownMs + times.endedMs
      else if (postmasters.has(times.parent)) totalMs += times.ownMs
    }
    return totalMs
  }
}
