import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Arguments, ResponseOf } from '../../../../../clients/typescript/src/operations.ts'
import type { Message } from '../../../../../src/kernel/messages.ts'
import { useClient } from '../../../api/session.tsx'
import { useText } from '../../../kernel/text.tsx'
import { Button, Notice, Select, TextField } from '../../../ui/controls.tsx'
import { Form } from '../../../ui/form.tsx'
import { useErrorText } from '../../../ui/page.tsx'
import { CHECK_TEXTS as TEXTS } from './check-texts.ts'
import { COLUMN_WORDS, KIND_WORDS } from './field-words.ts'

const PREVIEW = '/api/mahsuplasma/invoice-preview'
const MAPPINGS = '/api/mahsuplasma/invoice-mappings'
type Preview = ResponseOf<'POST', typeof PREVIEW>
type SaveMapping = Arguments<'POST', typeof MAPPINGS>[0]['body']

/** The value of a selection for null. */
const UNUSED = ''

interface MappingEditorProps {
  readonly file: File
  readonly period: string
  /** Called after the corrections were stored. */
  readonly onSaved: () => void
}

/** Shows how a file is read, with its first rows, and stores what each column and line text means. */
export function MappingEditor({ file, period, onSaved }: MappingEditorProps) {
  const errorText = useErrorText()
  const { api } = useClient()
  const { mutate, data, error } = useMutation({
    mutationFn: async (shown: File) => {
      const body = new FormData()
      body.append('file', shown)
      return (await api.post(PREVIEW, { query: { billing_period: period }, body })).data
    },
  })
  useEffect(() => mutate(file), [mutate, file])
  if (error) return <Notice tone="danger">{errorText(error)}</Notice>
  return data ? <Fields key={file.name} name={file.name} preview={data} onSaved={onSaved} /> : null
}

interface FieldsProps {
  readonly name: string
  readonly preview: Preview
  readonly onSaved: () => void
}

function Fields({ name, preview, onSaved }: FieldsProps) {
  const t = useText()
  const { api } = useClient()
  const { reading, invoice, rows } = preview
  const { fields, line_texts: texts, mapping, layout } = reading
  const [supplier, setSupplier] = useState(
    mapping?.supplier ?? invoice.supplier_tax_id ?? invoice.supplier ?? '',
  )
  const [columns, setColumns] = useState<Readonly<Record<string, string>>>({})
  const [kinds, setKinds] = useState<Readonly<Record<string, string>>>({})
  const columnOf = ({ source, column, suggestion }: (typeof fields)[number]) =>
    columns[source] ?? column ?? suggestion ?? UNUSED
  const save = async () => {
    const corrected = fields.filter(
      (field) => field.certainty === 'corrected' || columnOf(field) !== (field.column ?? UNUSED),
    )
    const lines = texts.filter(
      ({ text, certainty }) => certainty === 'corrected' || kinds[text] !== undefined,
    )
    const body = {
      ...{ supplier, layout },
      columns: corrected.map((field) => ({ source: field.source, column: columnOf(field) || null })),
      lines: lines.map(({ text, kind }) => ({ text, kind: (kinds[text] ?? kind ?? UNUSED) || null })),
    } as SaveMapping
    if (mapping?.matched_by === 'layout')
      await api.put(`${MAPPINGS}/{id}`, { path: { id: mapping.id }, body })
    else await api.post(MAPPINGS, { body })
    onSaved()
  }
  const remove = async () => {
    if (mapping) await api.delete(`${MAPPINGS}/{id}`, { path: { id: mapping.id } })
    onSaved()
  }
  return (
    <section className="card" aria-label={t(TEXTS.FIELDS({ name }))}>
      <h2>{t(TEXTS.FIELDS({ name }))}</h2>
      <p className="muted">{t(TEXTS.FIELDS_HELP())}</p>
      {rows.length > 0 && (
        <details>
          <summary>{t(TEXTS.FIELDS_ROWS())}</summary>
          <pre>{rows.map(({ row, cells }) => `${row}: ${cells.join(' | ')}`).join('\n')}</pre>
        </details>
      )}
      <Form submitText={t(TEXTS.FIELDS_SAVE())} onSubmit={save} isDisabled={supplier.trim() === ''}>
        <TextField label={t(TEXTS.FIELDS_SUPPLIER())} value={supplier} onChange={setSupplier} isRequired />
        {fields.map((field) => (
          <div key={`${field.row} ${field.source}`}>
            <WordSelect
              label={t(TEXTS.FIELDS_COLUMN({ name: field.source }))}
              words={COLUMN_WORDS}
              value={columnOf(field)}
              onChange={(value) => setColumns({ ...columns, [field.source]: value })}
            />
            <span className="description">
              <Certainty field={field} /> · {field.values.join(' · ')}
            </span>
          </div>
        ))}
        {texts
          .filter(({ certainty, count }) => certainty !== 'known' || count === 1)
          .map(({ text, kind }) => (
            <WordSelect
              key={text}
              label={t(TEXTS.FIELDS_LINE({ name: text }))}
              words={KIND_WORDS}
              value={kinds[text] ?? kind ?? UNUSED}
              onChange={(value) => setKinds({ ...kinds, [text]: value })}
            />
          ))}
      </Form>
      {mapping && <Button onPress={() => void remove()}>{t(TEXTS.FIELDS_DELETE())}</Button>}
    </section>
  )
}

interface WordSelectProps {
  readonly label: string
  readonly words: Readonly<Record<string, Message>>
  readonly value: string
  readonly onChange: (value: string) => void
}

function WordSelect({ label, words, value, onChange }: WordSelectProps) {
  const t = useText()
  const options = Object.entries(words).map(([name, word]) => ({ value: name, text: t(word) }))
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      options={[{ value: UNUSED, text: t(TEXTS.FIELDS_UNUSED()) }, ...options]}
    />
  )
}

function Certainty({
  field: { certainty, suggestion },
}: {
  readonly field: Preview['reading']['fields'][number]
}) {
  const t = useText()
  if (certainty === 'corrected') return <>{t(TEXTS.FIELDS_CORRECTED())}</>
  if (certainty === 'known') return <>{t(TEXTS.FIELDS_KNOWN())}</>
  if (certainty === 'unknown' || suggestion === null) return <>{t(TEXTS.FIELDS_UNKNOWN())}</>
  const word = (COLUMN_WORDS as Readonly<Record<string, Message>>)[suggestion]
  return <>{t(TEXTS.FIELDS_SIMILAR({ name: word ? t(word) : suggestion }))}</>
}
