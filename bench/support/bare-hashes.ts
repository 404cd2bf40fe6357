/**
 * Derives keys in as many threads as the service and with the same priority, in a separate process that does nothing
 * else. Receives the
 * seconds from its parent and responds with the keys per second.
 */
import { makeHashingThreads } from '../../src/platform/auth/hashing-threads.ts'
import { PASSWORD_HASHES_AT_ONCE, PASSWORD_ITERATIONS } from '../../src/platform/auth/limits.ts'

export interface BareHashes {
  readonly seconds: number
}

async function run({ seconds }: BareHashes): Promise<number> {
  const deriveKey = makeHashingThreads()
  await deriveKey({ password: 'start', salt: 'salt', iterations: 1 })
  const begun = performance.now()
  let count = 0
  const derive = async () => {
    while (performance.now() - begun < seconds * 1000) {
      await deriveKey({ password: 'a password 1', salt: 'salt', iterations: PASSWORD_ITERATIONS })
      count += 1
    }
  }
  await Promise.all(Array.from({ length: PASSWORD_HASHES_AT_ONCE }, derive))
  return (count / (performance.now() - begun)) * 1000
}

process.on('message', (task: BareHashes) => void run(task).then((result) => process.send?.(result)))
process.once('disconnect', () => process.exit(0))
