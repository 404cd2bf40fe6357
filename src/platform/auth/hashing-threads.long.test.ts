import { pbkdf2Sync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { makeHashingThreads } from './hashing-threads.ts'
import { PASSWORD_THREAD_NICENESS } from './limits.ts'

const DERIVATION = { password: 'ĞüzelŞifre12', salt: 'a salt', iterations: 10 }
const EXPECTED = pbkdf2Sync(DERIVATION.password.normalize('NFC'), 'a salt', 10, 32, 'sha256')

/** A thread that responds with a text, or ends when it receives the password `die`. */
const SCRIPT = `
  const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', ({ password }) => {
    if (password === 'die') process.exit(1)
    if (password === 'throw') throw new Error('a broken thread')
    parentPort.postMessage({ key: Buffer.from(String(threadId)) })
  })`

/** Threads of the test; `onStart` receives each new one. */
function setUp({ idleMs = 600_000, onStart = (_worker: Worker) => {} } = {}) {
  const started: Worker[] = []
  const derive = makeHashingThreads({
    idleMs,
    start() {
      const worker = new Worker(SCRIPT, { eval: true })
      started.push(worker)
      onStart(worker)
      return worker
    },
  })
  return { started, derive: async (password: string) => String(await derive({ ...DERIVATION, password })) }
}

describe('hashing threads', () => {
  it('derive the key of a password in normalized form', async () => {
    const derive = makeHashingThreads()
    expect(await derive(DERIVATION)).toEqual(EXPECTED)
    const composed = { ...DERIVATION, password: DERIVATION.password.normalize('NFD') }
    expect(await Promise.all([derive(DERIVATION), derive(composed)])).toEqual([EXPECTED, EXPECTED])
  })

  it.runIf(process.platform === 'linux')('have a lower priority than the other threads', async () => {
    await makeHashingThreads()(DERIVATION)
    // The fields after the name, which is in parentheses; the niceness is field 19.
    const nicenesses = readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    })
    expect(getPriority()).toBe(Math.min(...nicenesses))
    expect(nicenesses).toContain(Math.min(getPriority() + PASSWORD_THREAD_NICENESS, 19))
  })

  it('report a fault of the derivation', async () => {
    await expect(makeHashingThreads()({ ...DERIVATION, iterations: 0 })).rejects.toThrow('iterations')
  })

  it('are reused when idle, started when none is, and end after a time without work', async () => {
    const { started, derive } = setUp({ idleMs: 20 })
    const first = await derive('a')
    expect(await derive('b')).toBe(first)
    const both = await Promise.all([derive('c'), derive('d')])
    expect(new Set(both).size).toBe(2)
    expect(started).toHaveLength(2)
    await expect.poll(() => started.map(({ threadId }) => threadId)).toEqual([-1, -1])
    expect(await derive('e')).not.toBe(first)
  })

  it('that die are replaced, and their derivation is repeated', async () => {
    const { started, derive } = setUp({
      // The first thread ends before it has read its message.
      onStart: (worker) => void (started.length === 1 && worker.terminate()),
    })
    expect(await derive('a')).toBe(String(started[1]?.threadId))
    expect(started).toHaveLength(2)
    await started[1]?.terminate()
    await derive('b')
    expect(started).toHaveLength(3)
  })

  it('fail a derivation that ends every thread, and serve the next one', async () => {
    const { started, derive } = setUp()
    await expect(derive('die')).rejects.toThrow('has ended')
    await expect(derive('throw')).rejects.toThrow('has ended')
    expect(started).toHaveLength(6)
    expect(await derive('a')).toBe(String(started[6]?.threadId))
  })
})
