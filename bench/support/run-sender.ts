import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs a program of this folder in a process of its own: sends it the task, `go` when it is ready, and returns the
 * milliseconds that it reports.
 */
export async function runSender(program: string, task: object): Promise<number> {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = fork(path, { execArgv: ['--import', 'tsx'], serialization: 'advanced' })
  const message = () =>
    new Promise<unknown>((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)))
    })
  const ready = message()
  child.send(task)
  await ready
  const done = message()
  child.send('go')
  const { tookMs } = (await done) as { tookMs: number }
  return tookMs
}

/** The other side of `runSender`. */
export function onTask<T>(prepare: (task: T) => () => Promise<void>): void {
  process.once('message', async (task: T) => {
    const send = prepare(task)
    process.send?.('ready')
    await new Promise((resolve) => process.once('message', resolve))
    const started = performance.now()
    await send()
    process.send?.({ tookMs: performance.now() - started }, () => process.exit(0))
  })
}
