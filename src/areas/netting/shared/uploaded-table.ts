import { AppError, unprocessable } from '../../../kernel/errors.ts'
import { type Message, textOf } from '../../../kernel/messages.ts'
import { TableFault } from '../../../platform/tables/index.ts'

/**
 * The columns of an uploaded file are not the expected ones. The client receives 422 FILE_COLUMNS_UNKNOWN.
 */
export class ColumnsFault extends Error {
  readonly content: Message
  constructor(content: Message) {
    super(textOf(content))
    this.content = content
  }
}

/** Reads an uploaded file; a file that cannot be used as a whole becomes 413 or 422. */
export async function refusingUnreadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ColumnsFault) throw unprocessable('FILE_COLUMNS_UNKNOWN', error.content)
    if (!(error instanceof TableFault)) throw error
    switch (error.kind) {
      case 'tooLarge':
        throw new AppError(413, 'PAYLOAD_TOO_LARGE', error.content)
      case 'tooManyRows':
        throw unprocessable('FILE_TOO_MANY_ROWS', error.content)
      case 'unreadable':
      case 'encoding':
        throw unprocessable('FILE_NOT_READABLE', error.content)
    }
  }
}
