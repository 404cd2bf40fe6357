import { ERROR_TEXTS } from './error-texts.ts'
import { type Message, textOf } from './messages.ts'

/** The shape of an error in a response: see `platform/http/errors.ts`. */
export type ErrorShape =
  | 'standard'
  | 'extended'
  | 'nested'
  | 'market'
  | 'flat'
  | 'plain'
  | 'failures'
  | 'collector'
type Extra = Record<string, unknown>

/** A fault of a row of an uploaded file. */
export interface RowFault {
  /** The row of the sheet or the line of the file, from 1. The header is row 1. */
  readonly row: number
  readonly content: Message
}

/**
 * An error that the API raises on purpose. The scope of the route determines its shape in the response.
 * `content` has the texts in all languages; `message` is the English one.
 */
export class AppError extends Error {
  readonly status: number
  readonly code: string
  readonly content: Message
  readonly extra: Extra
  readonly shape: ErrorShape | undefined
  readonly retryAfterS: number | undefined
  readonly rowFaults: readonly RowFault[] | undefined
  constructor(
    status: number,
    code: string,
    content: Message,
    { extra = {}, shape, retryAfterS, rowFaults }: ErrorForm = {},
  ) {
    super(textOf(content))
    this.status = status
    this.code = code
    this.content = content
    this.extra = extra
    this.shape = shape
    this.retryAfterS = retryAfterS
    this.rowFaults = rowFaults
  }
}
/**
 * `extra`: further keys of the body (all shapes but standard and plain). `shape`: wins over the scope's.
 * `retryAfterS`: the header Retry-After. `rowFaults`: becomes the key `errors` of the body, with texts in the
 * language of the client.
 */
export interface ErrorForm {
  extra?: Extra
  shape?: ErrorShape
  retryAfterS?: number
  rowFaults?: readonly RowFault[]
}

export const notFound = (what: string) =>
  new AppError(404, 'RESOURCE_NOT_FOUND', ERROR_TEXTS.RECORD_NOT_FOUND({ what }))
export const conflict = (code: string, content: Message, extra: Extra = {}) =>
  new AppError(409, code, content, { extra })
export const unprocessable = (code: string, content: Message, extra: Extra = {}) =>
  new AppError(422, code, content, { extra })
/**
 * The error for a reference in the body that does not exist or belongs to another tenant: the two are
 * indistinguishable.
 */
export const invalidReference = (field: string) =>
  unprocessable('INVALID_REFERENCE', ERROR_TEXTS.REFERENCE_NOT_FOUND({ field }), { field })

/** Returns the row or throws 404: another tenant's record and a missing record are indistinguishable. */
export function found<T>(what: string, row: T | undefined): T {
  if (row === undefined) throw notFound(what)
  return row
}
