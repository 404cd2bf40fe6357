import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Debian's own Python: the package python3-pymodbus is for that one. */
const PYTHON = '/usr/bin/python3'
const SCRIPT = fileURLToPath(new URL('./pymodbus_server.py', import.meta.url))

export const hasPymodbus = spawnSync(PYTHON, ['-c', 'import pymodbus.datastore']).status === 0

export interface FaultySlaves {
  readonly dead?: readonly number[]
  readonly slow?: readonly number[]
  readonly garbage?: readonly number[]
  /** A free port when absent. */
  readonly port?: number
}

export interface PymodbusServer {
  readonly port: number
  /** Kills the process with SIGKILL, like a power failure. */
  kill(): Promise<void>
}

const list = (slaves: readonly number[] = []) => (slaves.length > 0 ? slaves.join(',') : '-')

/** Fifty slaves behind one port, served by pymodbus; pymodbus_server.py defines their values. */
export async function startPymodbus({
  dead,
  slow,
  garbage,
  port = 0,
}: FaultySlaves = {}): Promise<PymodbusServer> {
  const args = [SCRIPT, String(port), list(dead), list(slow), list(garbage)]
  const child: ChildProcess = spawn(PYTHON, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr?.on('data', (data) => {
    errors += data
  })
  const failed = once(child, 'exit').then(() => {
    throw new Error(`pymodbus ended: ${errors}`)
  })
  failed.catch(() => {})
  const [line] = (await Promise.race([once(child.stdout ?? child, 'data'), failed])) as [Buffer]
  return {
    port: Number(String(line)),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
