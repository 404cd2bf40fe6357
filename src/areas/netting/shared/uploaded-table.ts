import { AppError, unprocessable } from '../../../kernel/errors.ts'
import { TableFault } from '../../../platform/tables/index.ts'
import { FILE_TEXTS } from './messages.ts'

/**
 * The columns of an uploaded file are not the expected ones. The client receives 422 FILE_COLUMNS_UNKNOWN.
 */
export class ColumnsFault extends Error {}

const detailOf = ({ message }: Error) => ({ detail: message })

/** Reads an uploaded file; a file that cannot be used as a whole becomes 413 or 422. */
export async function refusingUnreadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ColumnsFault)
      throw unprocessable('FILE_COLUMNS_UNKNOWN', FILE_TEXTS.FILE_COLUMNS(detailOf(error)))
    if (!(error instanceof TableFault)) throw error
    switch (error.kind) {
      case 'tooLarge':
        throw new AppError(413, 'PAYLOAD_TOO_LARGE', FILE_TEXTS.FILE_TOO_LARGE(detailOf(error)))
      case 'tooManyRows':
        throw unprocessable('FILE_TOO_MANY_ROWS', FILE_TEXTS.FILE_WITH_TOO_MANY_ROWS(detailOf(error)))
      case 'unreadable':
        throw unprocessable('FILE_NOT_READABLE', FILE_TEXTS.FILE_UNREADABLE(detailOf(error)))
      case 'encoding':
        throw unprocessable('FILE_NOT_READABLE', FILE_TEXTS.FILE_ENCODING(detailOf(error)))
    }
  }
}
