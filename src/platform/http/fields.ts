import { type Static, Type } from 'typebox'
import {
  DISPLAY_NAME_MAX_LENGTH,
  EMAIL_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../kernel/limits.ts'
import type { Parameter } from '../../kernel/messages.ts'
import type { DecimalRule } from './validation.ts'

/**
 * Returns the schema with another description, for a building block whose own description is too general
 * for the field.
 */
export const described = <T extends Type.TSchema>(schema: T, description: string): T => ({
  ...schema,
  description,
})

/** The building blocks of every schema. Types ending in `In` are what a request may send. */
export const Id = Type.String({ format: 'uuid', description: 'Identifier (UUID).' })
export const IdParams = Type.Object({ id: Id })

/**
 * Returns the schema extended by null. It is not a union, because a union would report three failures for
 * one wrong value.
 */
export function Nullable<T extends Type.TSchema>(schema: T) {
  const { type, enum: words } = schema as { type?: string | string[]; enum?: unknown[] }
  const types = [type ?? 'string', 'null'].flat()
  return Type.Unsafe<Static<T> | null>({ ...schema, type: types, ...(words && { enum: [...words, null] }) })
}

/** A timestamp in an answer: ISO 8601, UTC, `Z`. */
export const Instant = Type.Unsafe<Date | string>({
  type: 'string',
  format: 'date-time',
  description: 'ISO 8601, UTC.',
})
/**
 * A timestamp in a request: any offset; without one Turkey-local; a bare date is the start of that local day.
 */
export const InstantIn = Type.String({ format: 'date-time' })
/** A Turkey-local date, `YYYY-MM-DD`; in a request also an instant, whose local date is taken. */
export const LocalDate = Type.String({ format: 'date' })
/** The first day of a Turkey-local month; in a request also `YYYY-MM`. */
export const BillingPeriod = Type.String({ format: 'billing-period' })

const decimalIn = (rule: DecimalRule) =>
  Type.Unsafe<number | string>({ type: ['number', 'string'], 'x-decimal': rule })

/** Energy in a request: a number or a decimal string, kWh with at most 3 decimals. */
export const KwhIn = (sign: DecimalRule['sign']) => decimalIn({ places: 3, sign })
/** Any other decimal in a request: a number or a decimal string with at most 6 decimals. */
export const DecimalIn = (sign: DecimalRule['sign']) => decimalIn({ places: 6, sign })
/** Energy in an answer: a string with 3 decimals, kWh. */
export const Kwh = Type.String({ pattern: '^-?\\d+\\.\\d{3}$' })
/** Money, a price or a power in an answer: a string with 6 decimals. */
export const Decimal = Type.String({ pattern: '^-?\\d+\\.\\d{6}$' })

export const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
/** An address for a new account; surrounding white space is cut off and capitals are made small. */
export const EmailIn = Type.String({
  format: 'email',
  maxLength: EMAIL_MAX_LENGTH,
  description: 'E-mail address (ASCII); unique in the whole service, case-insensitive.',
})
/** The password policy; lengths count characters (code points). */
export const NewPassword = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
  'x-password': true,
  description: 'New password: at least one letter (of any script, including Turkish letters) and one digit.',
})

/** The name of a tenant or a person, which may become part of a mail. */
export const DisplayName = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: DISPLAY_NAME_MAX_LENGTH,
    'x-display-name': true,
    description: `${description} A single line without control and formatting characters, URLs and e-mail addresses.`,
  })

/** A fixed list of words. */
export const OneOf = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: words })

/**
 * The same in a response. It is a plain string for the compiler, because a check constraint of the table
 * guarantees the values.
 */
export const Word = (words: readonly string[]) => Type.String({ enum: [...words] })

/** The parameters of a message. */
export const Parameters = Type.Unsafe<Readonly<Record<string, Parameter>>>({
  type: 'object',
  additionalProperties: true,
  description: 'Values in the text, by their names: decimals as text, instants and dates in ISO 8601.',
})

const WarningDetail = Type.Object(
  {
    subject: Type.String({ description: 'Id of the group, facility or device, or the period.' }),
    message_code: Type.String({
      description: 'Code of the text: the code of the warning, unless the warning has several texts.',
    }),
    parameters: Parameters,
  },
  { title: 'WarningDetail' },
)

export const Warnings = {
  warnings: Type.Array(Type.String(), { description: 'Human-readable warnings.' }),
  warning_codes: Type.Array(Type.String(), { description: 'Code of the warning with the same index.' }),
  warning_details: Type.Array(WarningDetail, {
    description: 'The content of the warning with the same index, without its text.',
  }),
}

export const NoteDetails = {
  note_details: Type.Array(
    Type.Object({
      message_code: Type.String({ description: 'Code of the note.' }),
      parameters: Parameters,
    }),
    { description: 'The content of the note with the same index, without its text.' },
  ),
}
