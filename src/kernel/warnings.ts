import { type Language, type Message, textOf } from './messages.ts'

/** The machine-readable warnings of the interface; new ones are added, none is ever renamed. */
export type WarningCode =
  | 'TRANSFER_CONTRACTED_POWER_NOT_CONFIRMED'
  | 'TARIFF_MESKEN_STEP_FALLBACK_FLAT'
  | 'TARIFF_MESKEN_UNRESOLVED'
  | 'TARIFF_STEP_STATE_MISSING_CONSERVATIVE'
  | 'TARIFF_LOWEST_RELATED_FALLBACK'
  | 'TARIFF_NONE_RESOLVED'
  | 'FACILITY_ABONE_GRUBU_UNKNOWN'
  | 'FACILITY_VOLTAGE_UNKNOWN'
  | 'TARIFF_VOLTAGE_FALLBACK_AG'
  | 'TARIFF_MULTI_TIME_FALLBACK_TEK'
  | 'SKTT_PRICE_UNRESOLVED'
  | 'SUPPLIER_PRICE_UNRESOLVED'
  | 'SKB_PRICE_UNRESOLVED_QUANTITY_ONLY'
  | 'SKB_LU_GROUP_MIXED'
  | 'SKB_LU_GROUP_DERIVED'
  | 'SKB_LU_GROUP_UNKNOWN_DEFAULT'
  | 'MESKEN_MONTHLY_PRICE_UNRESOLVED'
  | 'LIMIT_ACCOUNT_MISSING_CONSERVATIVE_SKB'
  | 'GROUP_BLOCKED_BEDELSIZ'
  | 'HOURLY_NETTING_NOT_IN_FORCE'
  | 'STORAGE_DISCHARGE_UNKNOWN'
  | 'LATER_PERIODS_STALE'
  | 'MEMBER_VALUES_MISSING'
  | 'HOURS_WITHOUT_MEMBERS'
  | 'FACTS_OF_OTHER_ROLES'
  | 'FACTS_REBUILD_QUEUED'
  | 'METER_CHANGE_IMPORT_AGAIN'
  | 'DUY_133_5_PERIOD_TOO_OLD'
  | 'MONTHLY_REFRESH_FAILED'
  | 'CASCADE_STOPPED'
  | 'CASCADE_SKIPPED_UNCALCULATED_PERIOD'
  | 'MEMBER_CHANGE_CORRECTION_FAILED'
  | 'BUS_TIME_EXCEEDED'
  | 'GATEWAY_SETTING_IGNORED'
  | 'DEVICE_NOT_READ'
  | 'ALARM_METRIC_NOT_SENT'
  | 'ALARM_POLICY_WITHOUT_DEVICES'

/**
 * `subject` names the group, facility or period: one warning per run, code and subject. The code of the message
 * is that of the warning, unless the warning has several texts.
 */
export interface Warning {
  readonly code: WarningCode
  readonly subject: string
  readonly message: Message
}

/**
 * Converts the internal list into the parallel lists of the response, which therefore have equal length. Called
 * where the response is written, with the language of its reader.
 */
export const warningFields = (list: readonly Warning[], language: Language) => ({
  warnings: list.map(({ message }) => textOf(message, language)),
  warning_codes: list.map(({ code }) => code as string),
  warning_details: list.map(({ subject, message: { code, parameters } }) => ({
    subject,
    message_code: code,
    parameters: { ...parameters },
  })),
})

/** The response of an operation whose result has warnings. */
export const withWarningTexts = <T extends { readonly warnings: readonly Warning[] }>(
  { warnings, ...result }: T,
  language: Language,
) => ({ ...result, ...warningFields(warnings, language) })

/**
 * The response of an operation whose result explains itself: its notes, limitations of the result, and its method.
 */
export const withNoteTexts = <T extends { readonly notes: readonly Message[]; readonly method: Message }>(
  { notes, method, ...result }: T,
  language: Language,
) => ({
  ...result,
  method: textOf(method, language),
  method_code: method.code,
  notes: notes.map((note) => textOf(note, language)),
  note_details: notes.map(({ code, parameters }) => ({ message_code: code, parameters: { ...parameters } })),
})
