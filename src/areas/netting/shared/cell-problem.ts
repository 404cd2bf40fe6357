import type { ErrorObject } from 'ajv'
import { type Message, messages } from '../../../kernel/messages.ts'

/** Why the value of a cell violates the schema of its column; the text follows the name of the column. */
const CELL_PROBLEMS = messages({
  CELL_ONE_OF: { en: 'must be one of {values}', tr: 'şu değerlerden biri olmalı: {values}' },
  CELL_MISSING: { en: 'is missing', tr: 'eksik' },
  CELL_EMPTY: { en: 'must not be empty', tr: 'boş olamaz' },
  CELL_TOO_LONG: { en: 'must have at most {max} characters', tr: 'en çok {max} karakter olabilir' },
  CELL_TOO_SMALL: { en: 'must be at least {min}', tr: 'en az {min} olmalı' },
  CELL_TOO_LARGE: { en: 'must be at most {max}', tr: 'en çok {max} olmalı' },
  CELL_NOT_DECIMAL: {
    en: 'must be a valid decimal number with at most {places} places',
    tr: 'en çok {places} ondalık basamaklı geçerli bir sayı olmalı',
  },
  CELL_INVALID: { en: 'is not valid', tr: 'geçerli değil' },
})

type Violation = Pick<ErrorObject, 'keyword' | 'params'>

const BY_KEYWORD: Readonly<Record<string, (params: ErrorObject['params']) => Message>> = {
  enum: ({ allowedValues }) =>
    CELL_PROBLEMS.CELL_ONE_OF({ values: (allowedValues as unknown[]).map(String) }),
  required: () => CELL_PROBLEMS.CELL_MISSING(),
  minLength: () => CELL_PROBLEMS.CELL_EMPTY(),
  maxLength: ({ limit }) => CELL_PROBLEMS.CELL_TOO_LONG({ max: Number(limit) }),
  minimum: ({ limit }) => CELL_PROBLEMS.CELL_TOO_SMALL({ min: Number(limit) }),
  maximum: ({ limit }) => CELL_PROBLEMS.CELL_TOO_LARGE({ max: Number(limit) }),
  decimal: ({ places }) => CELL_PROBLEMS.CELL_NOT_DECIMAL({ places: Number(places) }),
}

/** The message for the first violated keyword of a cell. */
export function cellProblem(violation: Violation | undefined): Message {
  const params = violation?.params ?? {}
  if (params['fault'] !== undefined) return params['fault'] as Message
  return BY_KEYWORD[violation?.keyword ?? '']?.(params) ?? CELL_PROBLEMS.CELL_INVALID()
}
