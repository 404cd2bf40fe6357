import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type Derivation, deriveKeySync } from './derive.ts'
import type { HashingResponse } from './hashing-threads.ts'
import { PASSWORD_THREAD_NICENESS } from './limits.ts'

// The script of a hashing thread: it derives one key after the other.

// On Linux, this sets the priority of the calling thread only; elsewhere it would set that of the process.
if (process.platform === 'linux') setPriority(PASSWORD_THREAD_NICENESS)

function respond(derivation: Derivation): HashingResponse {
  try {
    return { key: deriveKeySync(derivation) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

parentPort?.on('message', (derivation: Derivation) => parentPort?.postMessage(respond(derivation)))
