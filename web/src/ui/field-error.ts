import { createContext, use } from 'react'

/** The id of the text that says what is wrong with the field around a control. */
const FieldErrorContext = createContext<string | undefined>(undefined)

export const FieldErrorProvider = FieldErrorContext.Provider

export const useFieldError = (): string | undefined => use(FieldErrorContext)

/** The texts that describe a control, for `aria-describedby`. */
export const describedBy = (...ids: readonly (string | undefined | false)[]): string | undefined =>
  ids.filter((id) => id !== undefined && id !== false).join(' ') || undefined
