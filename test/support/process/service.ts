import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const BIN = fileURLToPath(new URL('../../../bin/netsaat.js', import.meta.url))
const START_MAX_MS = 120_000

export interface ServiceOptions {
  readonly args?: readonly string[]
  /** The program; that of this checkout when absent. */
  readonly bin?: string
  /** In octal digits; the umask of this process when absent. */
  readonly umask?: string
  readonly env: Readonly<Record<string, string>>
}

/** Settings of the tester's own shell are excluded. */
const cleanEnv = (env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  LOG_LEVEL: 'info',
  ...env,
})

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a command to its end. */
export async function runNetsaat(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
  bin = BIN,
): Promise<Finished> {
  const child = spawn(process.execPath, [bin, ...args], { env: cleanEnv(env) })
  const texts = collect(child)
  child.stdin?.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...texts() }
}

export interface RunningService {
  readonly url: string
  readonly pid: number
  /** Its output so far. */
  out(): string
  err(): string
  /** Sends the signal and waits for the end; returns the exit code and the duration. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
}

/** `netsaat serve` as a separate process, once it has reported that it is ready. */
export async function startService({
  args = ['serve'],
  bin = BIN,
  env,
  umask,
}: ServiceOptions): Promise<RunningService> {
  const command = [process.execPath, bin, ...args] as const
  const [program, ...rest] =
    umask === undefined ? command : (['sh', '-c', `umask ${umask} && exec "$@"`, 'sh', ...command] as const)
  const child = spawn(program, rest, {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = collect(child)
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}\n${texts().out}\n${texts().err}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('the service did not get ready in time')
    }, START_MAX_MS)
    child.once('exit', (code) => fail(`the service ended with ${code}`))
    child.stdout?.on('data', () => {
      const ready = /ready at (\S+)/.exec(texts().out)
      if (!ready?.[1]) return
      clearTimeout(timer)
      resolve(ready[1])
    })
  })
  return {
    url,
    pid: child.pid ?? 0,
    out: () => texts().out,
    err: () => texts().err,
    async stop(signal = 'SIGTERM') {
      const startedAt = performance.now()
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill(signal)
        await ended
      }
      return { code: child.exitCode, ms: performance.now() - startedAt }
    },
  }
}

function collect(child: ChildProcess): () => { out: string; err: string } {
  const texts = { out: '', err: '' }
  child.stdout?.on('data', (data: Buffer) => {
    texts.out += String(data)
  })
  child.stderr?.on('data', (data: Buffer) => {
    texts.err += String(data)
  })
  return () => ({ ...texts })
}
