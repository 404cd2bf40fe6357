import type { CommandSpeech, CommandTarget } from '../types.ts'

type Verdict = 'accepted' | 'rejected'

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
