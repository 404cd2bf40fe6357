import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { LIST_LIMIT_MAX } from '../../kernel/limits.ts'
import { OneOf } from './fields.ts'
import { LIST_LIMIT_DEFAULT, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, SEARCH_MAX_LENGTH } from './limits.ts'

/** The query string of a list that returns the envelope; `sort_by` is a whitelist. */
export const PageQuery = <const T extends readonly [string, ...string[]]>(sortBy: T) => ({
  skip: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description: 'Offset of the first record.',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: PAGE_LIMIT_MAX,
    default: PAGE_LIMIT_DEFAULT,
    description: 'Maximum number of records in the response.',
  }),
  sort_by: Type.Unsafe<T[number]>({
    type: 'string',
    enum: sortBy,
    default: sortBy[0],
    description: 'Field to sort by.',
  }),
  sort_order: Type.Unsafe<'asc' | 'desc'>({
    ...OneOf(['asc', 'desc']),
    default: 'desc',
    description: 'Sort direction.',
  }),
})

export const Page = <T extends Type.TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item, { description: 'The records of this page.' }),
    total: Type.Integer({ description: 'Number of records that match the filters.' }),
    skip: Type.Integer({ description: 'Offset of the first record of this page.' }),
    limit: Type.Integer({ description: 'Maximum number of records of this page.' }),
  })

/** The query string of a list that returns a plain array, with its total in the header X-Total-Count. */
export const ListQuery = (
  max: number = LIST_LIMIT_MAX,
  byDefault: number = Math.min(max, LIST_LIMIT_DEFAULT),
) => ({
  limit: Type.Integer({
    minimum: 1,
    maximum: max,
    default: byDefault,
    description:
      'Maximum number of records in the response; the header X-Total-Count contains the total number.',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description: 'Offset of the first record.',
  }),
})

/** The parameter `search` of a list; an empty text does not filter. `platform/db/search.ts` has its condition. */
export const Search = (texts: string) =>
  Type.Optional(
    Type.String({
      maxLength: SEARCH_MAX_LENGTH,
      description: `Only records that contain this text, ignoring case: ${texts}. Empty: all records.`,
    }),
  )

export interface Listed<T> {
  readonly items: T[]
  readonly total: number
}

/** Sends a plain array with its total in the header. */
export function sendList<T>(reply: FastifyReply, { items, total }: Listed<T>): T[] {
  void reply.header('X-Total-Count', total)
  return items
}
