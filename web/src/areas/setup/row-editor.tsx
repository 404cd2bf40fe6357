import { useEffect, useState } from 'react'
import { useText } from '../../kernel/text.tsx'
import { TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { SETUP_TEXTS } from './texts.ts'

interface RowEditorProps {
  readonly file: File
  readonly errors: readonly { readonly row: number; readonly message: string }[]
  /** Called with the corrected file, of the same name. */
  readonly onSave: (file: File) => Promise<void> | void
}

/** The lines of a CSV file that have errors, to be corrected without opening the file in another program. */
export function RowEditor({ file, errors, onSave }: RowEditorProps) {
  const t = useText()
  const [lines, setLines] = useState<readonly string[]>()
  useEffect(() => {
    void file.text().then((text) => setLines(text.split(/\r?\n/)))
  }, [file])
  if (!lines) return null
  const rows = [...new Set(errors.map(({ row }) => row))].filter((row) => lines[row - 1] !== undefined)
  const change = (row: number, line: string) =>
    setLines(lines.map((previous, index) => (index === row - 1 ? line : previous)))
  const save = async () => onSave(new File([lines.join('\n')], file.name, { type: 'text/csv' }))
  return (
    <Form submitText={t(SETUP_TEXTS.SETUP_CHECK_AGAIN())} onSubmit={save}>
      <h3>{t(SETUP_TEXTS.SETUP_CORRECT_ROWS({ file: file.name }))}</h3>
      <p>
        <code>{lines[0]}</code>
      </p>
      {rows.map((row) => (
        <TextField
          key={row}
          label={t(SETUP_TEXTS.SETUP_LINE({ row }))}
          value={lines[row - 1] ?? ''}
          onChange={(line) => change(row, line)}
          error={errors.find((error) => error.row === row)?.message}
        />
      ))}
    </Form>
  )
}
