import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type Derivation, deriveKeySync } from './derive.ts'
import type { HashingResponse } from './hashing-threads.ts'
import { PASSWORD_THREAD_NICENESS } from './limits.ts'

// The script of a hashing thread: it derives one key after the other.

const NICENESS_MAX = 19

// On Linux, these read and set the priority of the calling thread only; elsewhere that of the process. The
// niceness is added to that of the process, because a thread may not be given a higher priority than it has.
if (process.platform === 'linux')
  setPriority(Math.min(getPriority() + PASSWORD_THREAD_NICENESS, NICENESS_MAX))

function respond(derivation: Derivation): HashingResponse {
  try {
    return { key: deriveKeySync(derivation) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

parentPort?.on('message', (derivation: Derivation) => parentPort?.postMessage(respond(derivation)))
