import { pbkdf2, pbkdf2Sync } from 'node:crypto'
import { promisify } from 'node:util'
import { KEY_BYTES } from './limits.ts'

/** The input of PBKDF2-SHA256. */
export interface Derivation {
  readonly password: string
  readonly salt: string
  readonly iterations: number
}

const pbkdf2Async = promisify(pbkdf2)

/** NFC normalization: depending on the keyboard, the same letter arrives composed or decomposed. */
const normalize = (password: string) => password.normalize('NFC')

/** Derives a key in the calling thread. */
export const deriveKeySync = ({ password, salt, iterations }: Derivation): Buffer =>
  pbkdf2Sync(normalize(password), salt, iterations, KEY_BYTES, 'sha256')

/**
 * Derives a key in the thread pool of Node, which also serves files and name lookups: for small numbers of
 * iterations.
 */
export const deriveKey = ({ password, salt, iterations }: Derivation): Promise<Buffer> =>
  pbkdf2Async(normalize(password), salt, iterations, KEY_BYTES, 'sha256')
