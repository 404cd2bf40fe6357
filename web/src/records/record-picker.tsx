import { useEffect, useId, useState } from 'react'
import type { ControlProps } from '../forms/control.ts'
import { FORM_TEXTS } from '../forms/texts.ts'
import { useText } from '../kernel/text.tsx'
import { Button } from '../ui/controls.tsx'
import { describedBy, useFieldError } from '../ui/field-error.ts'
import { useReferred } from './read-records.ts'
import { type AnyRecord, nameOfRecord, type Reference } from './resource.ts'

interface RecordPickerProps extends ControlProps {
  readonly reference: Reference
  /** What no choice means. */
  readonly placeholder?: string
}

/** A text of its own for each record: names that occur more than once have the beginning of the id. */
function textsOf(
  records: readonly AnyRecord[],
  { label, owner }: Reference,
  owners: readonly AnyRecord[],
): ReadonlyMap<string, string> {
  const names = records.map((record) => {
    const found = owner && owners.find(({ id }) => id === record[owner.field])
    const name = nameOfRecord(record, label)
    return found ? `${nameOfRecord(found, owner.reference.label)} · ${name}` : name
  })
  return new Map(
    records.map((record, index) => {
      const name = names[index] ?? ''
      const isUnique = names.indexOf(name) === names.lastIndexOf(name)
      return [record.id, isUnique ? name : `${name} (${record.id.slice(0, 8)})`]
    }),
  )
}

const idOf = (texts: ReadonlyMap<string, string>, text: string): string =>
  [...texts].find(([, one]) => one === text)?.[0] ?? ''

/** A choice among the records of a list by typing: the suggestions of the browser, read again for what is typed. */
export function RecordPicker(props: RecordPickerProps) {
  const { label, value, onChange, isRequired, reference, placeholder } = props
  const t = useText()
  const id = useId()
  const errorId = useFieldError()
  const [typed, setTyped] = useState<string>()
  const [sent, setSent] = useState(value)
  // A value that was changed elsewhere, such as that of a form that was opened again, replaces what was typed.
  if (value !== sent) {
    setSent(value)
    setTyped(undefined)
  }
  const all = useReferred(reference)
  const found = useReferred(reference, typed ?? '')
  const owners = useReferred(reference.owner?.reference ?? reference)
  const listed = [...(all.data ?? []), ...(found.data ?? []), ...(reference.others ?? [])]
  const texts = textsOf(
    [...new Map(listed.map((one) => [one.id, one])).values()],
    reference,
    owners.data ?? [],
  )
  const chosen = texts.get(value) ?? (value === '' ? '' : value)
  const text = typed ?? chosen
  const isUnknown = typed !== undefined && typed !== '' && value === ''
  // What was typed may be the name of a record that is read only now.
  const late = isUnknown ? idOf(texts, typed) : ''
  useEffect(() => {
    if (late !== '') onChange(late)
  })
  const change = (next: string) => {
    const chosenId = idOf(texts, next)
    setTyped(next)
    setSent(chosenId)
    onChange(chosenId)
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        list={`${id}-records`}
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        required={isRequired}
        aria-invalid={isUnknown || errorId !== undefined}
        data-invalid={isUnknown || undefined}
        aria-describedby={describedBy(isUnknown && `${id}-unknown`, errorId)}
        onChange={(event) => change(event.target.value)}
        // A text that names no record must not be sent as if the field were empty.
        ref={(input) => input?.setCustomValidity(isUnknown ? t(FORM_TEXTS.FORM_NOT_CHOSEN()) : '')}
      />
      <datalist id={`${id}-records`}>
        {[...texts].map(([recordId, one]) => (
          <option key={recordId} value={one} />
        ))}
      </datalist>
      {isUnknown && (
        <span className="field-error" id={`${id}-unknown`}>
          {t(FORM_TEXTS.FORM_NOT_CHOSEN())}
        </span>
      )}
    </div>
  )
}

/** Any number of records: each is added by the control of one, and can be removed. */
export function RecordsPicker({ label, value, onChange, reference }: RecordPickerProps) {
  const t = useText()
  const all = useReferred(reference)
  const owners = useReferred(reference.owner?.reference ?? reference)
  const [adding, setAdding] = useState(0)
  const ids = value.split(', ').filter((one) => one !== '')
  const texts = textsOf(all.data ?? [], reference, owners.data ?? [])
  const add = (id: string) => {
    if (id === '') return
    onChange([...new Set([...ids, id])].join(', '))
    setAdding(adding + 1)
  }
  return (
    <div className="stack">
      <RecordPicker
        key={adding}
        label={label}
        value=""
        onChange={add}
        isRequired={false}
        reference={reference}
      />
      {ids.length > 0 && (
        <div className="row">
          {ids.map((id) => (
            <Button
              key={id}
              aria-label={t(FORM_TEXTS.FORM_REMOVE({ name: texts.get(id) ?? id }))}
              onPress={() => onChange(ids.filter((one) => one !== id).join(', '))}
            >
              {texts.get(id) ?? id} ×
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
