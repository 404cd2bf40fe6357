import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { SendTask } from './sender.ts'

/** Sends the samples of a task from a separate process; returns the milliseconds that it took. */
export async function sendAll(task: SendTask): Promise<number> {
  const path = fileURLToPath(new URL('./sender.ts', import.meta.url))
  const child = fork(path, { execArgv: ['--import', 'tsx'] })
  const message = () => new Promise<unknown>((resolve) => child.once('message', resolve))
  const ready = message()
  child.send(task)
  await ready
  const done = message()
  child.send('go')
  const { tookMs } = (await done) as { tookMs: number }
  return tookMs
}
