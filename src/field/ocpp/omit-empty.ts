import type { CommandEncoder, CommandTarget } from './types.ts'

/** Without the keys that have nothing to say: stations refuse a null. */
export const omitEmpty = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** Our word as OCPP writes it: `daily` is `Daily`. */
export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** An instant in whole seconds: fractions of one upset some stations. */
export const secondsOnly = (instant: string | null | undefined): string | undefined =>
  instant ? new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z') : undefined

type Verdict = 'accepted' | 'rejected'

/** The answers that say yes; any other status says no. */
export const acceptedWhen =
  (...good: string[]) =>
  ({ status }: { readonly status: string }): Verdict =>
    good.includes(status) ? 'accepted' : 'rejected'

/** Ties the payload to the request of the action; the table itself cannot. */
export function encoder<Request>(
  action: string,
  payload: (request: Request, target: CommandTarget) => object,
  verdict: (answer: never) => Verdict = acceptedWhen('Accepted'),
): CommandEncoder {
  return { action, encode: payload, verdict }
}
