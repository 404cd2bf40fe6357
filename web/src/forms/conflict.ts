import { ApiError } from '../../../clients/typescript/src/index.ts'
import type { Message } from '../../../src/kernel/messages.ts'
import { FORM_TEXTS } from './texts.ts'

const ADVICE: Readonly<Record<string, (() => Message) | undefined>> = {
  DUPLICATE_ENTRY: FORM_TEXTS.FORM_ADVICE_DUPLICATE,
  METER_CHANGE_EXISTS: FORM_TEXTS.FORM_ADVICE_DUPLICATE,
  PERIOD_OVERLAP: FORM_TEXTS.FORM_ADVICE_OVERLAP,
  SEALED_MONTH: FORM_TEXTS.FORM_ADVICE_SEALED,
  SINGLE_GROUP_VIOLATION: FORM_TEXTS.FORM_ADVICE_GROUP,
  PROVENANCE_DOWNGRADE: FORM_TEXTS.FORM_ADVICE_PROVENANCE,
  facility_has_dependencies: FORM_TEXTS.FORM_ADVICE_DEPENDENCIES,
  CHARGER_IN_GROUP: FORM_TEXTS.FORM_ADVICE_DEPENDENCIES,
  LOTO_POINT_IN_USE: FORM_TEXTS.FORM_ADVICE_LOCKED,
  LOTO_LOCKED_OUT: FORM_TEXTS.FORM_ADVICE_LOCKED,
  STATE_CONFLICT: FORM_TEXTS.FORM_ADVICE_STATE,
}

/** What to do about a request that the state of the data does not allow, besides the text of the error. */
export function adviceOn(error: unknown): Message | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  return ADVICE[error.code ?? 'SEALED_MONTH']?.()
}

/** The failures of a request at the fields of its body, by their names; within lists such as `levels.0.recipients`. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  const entries = error.issues.flatMap(({ loc: [part, name, ...rest], msg }) =>
    part === 'body' && name !== undefined ? [[[name, ...rest].join('.'), msg] as const] : [],
  )
  return Object.fromEntries(entries)
}
