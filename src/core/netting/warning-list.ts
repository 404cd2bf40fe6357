import type { Message } from '../../kernel/messages.ts'
import type { Warning, WarningCode } from '../../kernel/warnings.ts'

/** The warnings of one run: one for each code and subject, in order of first occurrence. */
export interface WarningList {
  /** The message is only made for the first of its kind. */
  add(code: WarningCode, subject: string, message: () => Message): void
  list(): readonly Warning[]
}

export function openWarnings(): WarningList {
  const seen = new Map<string, Warning>()
  return {
    add(code, subject, message) {
      const key = `${code}|${subject}`
      if (!seen.has(key)) seen.set(key, { code, subject, message: message() })
    },
    list: () => [...seen.values()],
  }
}
