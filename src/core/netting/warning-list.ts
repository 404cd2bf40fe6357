import type { Warning, WarningCode } from '../../kernel/warnings.ts'

/** The warnings of one run: one for each code and subject, in order of first occurrence. */
export interface WarningList {
  /** The text is only made for the first of its kind. */
  add(code: WarningCode, subject: string, text: () => string): void
  list(): readonly Warning[]
}

export function openWarnings(): WarningList {
  const seen = new Map<string, Warning>()
  return {
    add(code, subject, text) {
      const key = `${code}|${subject}`
      if (!seen.has(key)) seen.set(key, { code, subject, text: text() })
    },
    list: () => [...seen.values()],
  }
}
