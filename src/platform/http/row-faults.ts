import { Type } from 'typebox'
import type { RowFault } from '../../kernel/errors.ts'
import { type Language, textOf } from '../../kernel/messages.ts'

export const RowFaultBody = Type.Object(
  {
    row: Type.Integer({
      description: 'Row number as in a spreadsheet: the headers are row 1, blank rows are counted.',
    }),
    message: Type.String({ description: 'Description of the error, with the column.' }),
    message_code: Type.String({ description: 'Code of the message.' }),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'Parameters of the message.' }),
  },
  { title: 'RowFault' },
)

/** The faults as a response contains them, with texts in a language. */
export const rowFaultBodies = (faults: readonly RowFault[], language: Language) =>
  faults.map(({ row, content }) => ({
    row,
    message: textOf(content, language),
    message_code: content.code,
    parameters: content.parameters,
  }))
