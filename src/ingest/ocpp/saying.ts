/** Without the keys that have nothing to say: stations refuse a null. */
export const told = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** Our word as OCPP writes it: `daily` is `Daily`. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** An instant in whole seconds: fractions of one upset some stations. */
export const secondsOnly = (instant: string | null | undefined): string | undefined =>
  instant ? new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z') : undefined
