import { Type } from 'typebox'
import { described, Id, Nullable, Word } from '../../../platform/http/fields.ts'
import { CERTAINTIES } from './field-sources.ts'
import { LINE_TEXTS_MAX } from './limits.ts'

const certainty = described(Word(CERTAINTIES), 'How sure it is: docs/understand/netting/invoice-check.md.')

const FieldSource = Type.Object({
  source: Type.String({ description: 'Header, or path of the element below its line.' }),
  row: Nullable(Type.Integer({ description: 'Row of the header; null: an element.' })),
  column: Nullable(Type.String({ description: 'What it is taken for; null: not used.' })),
  certainty,
  suggestion: Nullable(Type.String({ description: 'What its name resembles.' })),
  values: Type.Array(Type.String(), { description: 'First values.' }),
})

const LineText = Type.Object({
  text: Type.String({ description: 'Text of the line.' }),
  kind: Nullable(Type.String({ description: 'Charge that it is taken for; null: none.' })),
  certainty,
  count: Type.Integer({ description: 'Number of lines with it.' }),
})

/** How a file was read. */
export const Reading = Type.Object(
  {
    layout: Type.String({ description: 'Fingerprint of the headers or elements, for a field mapping.' }),
    mapping: Nullable(
      Type.Object(
        {
          id: described(Id, 'Mapping.'),
          supplier: Type.String({ description: 'Its supplier.' }),
          matched_by: described(
            Word(['layout', 'supplier']),
            'supplier: the latest one of the supplier, because the layout has none.',
          ),
        },
        { description: 'Field mapping that was used; null: none.' },
      ),
    ),
    fields: Type.Array(FieldSource, { description: 'Columns or elements, and what they are taken for.' }),
    line_texts: Type.Array(LineText, {
      description: `Texts of the lines and their charges; at most ${LINE_TEXTS_MAX}.`,
    }),
  },
  { description: 'How the file was read.' },
)
