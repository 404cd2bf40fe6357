import { OcppCallError } from './errors.ts'
import type { MessagesV16 } from './messages-v16.ts'
import type { MessagesV201 } from './messages-v201.ts'
import type { CommandEncoder, CommandTarget, Messages, Verdict } from './types.ts'

/** The type of an object whose empty properties are left out: those that may be empty become optional. */
type OmitEmpty<T> = {
  readonly [K in keyof T as null extends T[K] ? never : undefined extends T[K] ? never : K]: T[K]
} & {
  readonly [K in keyof T as null extends T[K] ? K : undefined extends T[K] ? K : never]?: NonNullable<T[K]>
}

/** Leaves out properties that are undefined or null: stations refuse a null. */
export const omitEmpty = <const T extends object>(fields: T): OmitEmpty<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as OmitEmpty<T>

/** An enumerated value as OCPP writes it: `daily` is `Daily`. */
export const capitalize = <const T extends string>(value: T): Capitalize<T> =>
  (value.charAt(0).toUpperCase() + value.slice(1)) as Capitalize<T>

/** An instant in whole seconds: fractions of a second upset some stations. */
export function secondsOnly(instant: string): string
export function secondsOnly(instant: string | null | undefined): string | undefined
export function secondsOnly(instant: string | null | undefined): string | undefined {
  return instant ? new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z') : undefined
}

/**
 * A value that the version's schema requires; throws the OcppCallError of the schema when the command has
 * none.
 */
export function required<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value
  throw new OcppCallError('OccurrenceConstraintViolation', `must have required property '${name}'`)
}

type StatusOf<Response> = Response extends { readonly status: infer Status } ? Status : never

/** The statuses that accept the command, or a function for a response that has no plain status. */
type VerdictRule<Response> = readonly StatusOf<Response>[] | ((response: Response) => Verdict)

/** `['Accepted']` is the default of a response with a status; other responses need a rule. */
type VerdictArgument<Response> =
  StatusOf<Response> extends never ? [rule: VerdictRule<Response>] : [rule?: VerdictRule<Response>]

/**
 * The encoders of one version. An encoder must return the request type of its action, and its verdict receives
 * the response type of that action. The table of encoders does not know the types of the action any more: a
 * response has been validated against the schema of the same action before it reaches the verdict.
 */
const makeEncoderOf =
  <M extends Messages>() =>
  <Action extends keyof M & string, Request>(
    action: Action,
    encode: (request: Request, target: CommandTarget) => M[Action]['request'],
    ...[rule]: VerdictArgument<M[Action]['response']>
  ): CommandEncoder<Request> => ({
    action,
    encode,
    verdict(response) {
      if (typeof rule === 'function') return rule(response as M[Action]['response'])
      const accepted: readonly unknown[] = rule ?? ['Accepted']
      return accepted.includes((response as { readonly status?: unknown }).status) ? 'accepted' : 'rejected'
    },
  })

/** Makes the encoder of an action of OCPP 1.6; the compiler checks it against the types of the schema. */
export const encoderV16 = makeEncoderOf<MessagesV16>()

/** The same for OCPP 2.0.1. */
export const encoderV201 = makeEncoderOf<MessagesV201>()
