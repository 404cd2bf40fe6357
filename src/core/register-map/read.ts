import { toZeroBased } from './addressing.ts'
import { compileMap } from './compile.ts'
import { type MapDocument, readDocument } from './document.ts'
import type { Fault } from './fields.ts'
import { runTests } from './golden-frames.ts'
import { REGISTER_MAP_FAULTS_MAX } from './limits.ts'
import { checkMap, checkRegisters } from './map-rules.ts'
import type { RegisterMap } from './types.ts'

export type MapResult =
  | { readonly document: MapDocument; readonly map: RegisterMap }
  | { readonly faults: readonly Fault[] }

const invalid = (faults: readonly Fault[]): MapResult => ({
  faults: faults.slice(0, REGISTER_MAP_FAULTS_MAX),
})

/**
 * All faults that can be determined; rules across registers are checked only when every register could be
 * read.
 */
function findFaults(document: MapDocument, unread: readonly Fault[]): Fault[] {
  const broken = new Set(unread.flatMap(({ path: [part, index] }) => (part === 'registers' ? [index] : [])))
  const registerFaults = [...unread, ...checkRegisters(document, broken)]
  return unread.length > 0 ? registerFaults : [...registerFaults, ...checkMap(document)]
}

/**
 * Validates an uploaded document: attributes, rules and, if these pass, golden frames. Returns its full form
 * and the compiled map, or all faults with their paths.
 */
export function readRegisterMap(input: unknown): MapResult {
  const unread: Fault[] = []
  const document = readDocument(toZeroBased(input, unread), unread)
  const faults = findFaults(document, unread)
  if (faults.length > 0) return invalid(faults)
  const map = compileMap(document)
  const failed = runTests(map, document.tests)
  return failed.length > 0 ? invalid(failed) : { document, map }
}

/**
 * Compiles a stored map without running its golden frames again. Undefined when it has another format or
 * none.
 */
export function openRegisterMap(stored: unknown): RegisterMap | undefined {
  const faults: Fault[] = []
  const document = readDocument(stored, faults)
  return findFaults(document, faults).length > 0 ? undefined : compileMap(document)
}

/**
 * The stored document with its attributes in canonical order, which jsonb does not preserve. Undefined when
 * it has another format or none.
 */
export function openDocument(stored: unknown): MapDocument | undefined {
  const faults: Fault[] = []
  const document = readDocument(stored, faults)
  return faults.length > 0 ? undefined : document
}
