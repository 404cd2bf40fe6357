import type { CommandSpeech, CommandTarget } from './types.ts'

/** Without the keys that have nothing to say: stations refuse a null. */
export const told = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** Our word as OCPP writes it: `daily` is `Daily`. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** An instant in whole seconds: fractions of one upset some stations. */
export const secondsOnly = (instant: string | null | undefined): string | undefined =>
  instant ? new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z') : undefined

type Verdict = 'accepted' | 'rejected'

/** The answers that say yes; any other status says no. */
export const when =
  (...good: string[]) =>
  ({ status }: { readonly status: string }): Verdict =>
    good.includes(status) ? 'accepted' : 'rejected'

/** Ties the payload to the request of the action; the table itself cannot. */
export function says<Request>(
  action: string,
  payload: (request: Request, target: CommandTarget) => object,
  verdict: (answer: never) => Verdict = when('Accepted'),
): CommandSpeech {
  return { action, payload, verdict }
}
