/**
 * Controls for which the browser has its own: their keys and their look on phones are the best there are. Dates are not
 * among them (date-field.tsx): browsers write them in their own language.
 */
import { type ChangeEvent, useId, useState } from 'react'
import { useText } from '../kernel/text.tsx'
import { describedBy, useFieldError } from './field-error.ts'
import { UI_TEXTS } from './texts.ts'

interface InputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isRequired?: boolean
  readonly description?: string | undefined
}

export interface NativeFieldProps extends InputProps {
  readonly type: 'number' | 'password' | 'text'
  readonly min?: number
  readonly max?: number
  readonly step?: number | 'any'
}

export function NativeField({ label, value, onChange, isRequired, description, ...input }: NativeFieldProps) {
  const id = useId()
  const errorId = useFieldError()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="input"
        value={value}
        required={isRequired}
        // A browser must not offer the password of the user for a secret of a record.
        autoComplete={input.type === 'password' ? 'new-password' : undefined}
        aria-invalid={errorId !== undefined}
        aria-describedby={describedBy(description !== undefined && `${id}-description`, errorId)}
        onChange={(event) => onChange(event.target.value)}
      />
      {description !== undefined && (
        <span className="description" id={`${id}-description`}>
          {description}
        </span>
      )}
    </div>
  )
}

export function TextArea({ label, value, onChange, isRequired, description }: InputProps) {
  const id = useId()
  const errorId = useFieldError()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        rows={4}
        value={value}
        required={isRequired}
        aria-invalid={errorId !== undefined}
        aria-describedby={describedBy(description !== undefined && `${id}-description`, errorId)}
        onChange={(event) => onChange(event.target.value)}
      />
      {description !== undefined && (
        <span className="description" id={`${id}-description`}>
          {description}
        </span>
      )}
    </div>
  )
}

interface CheckboxProps {
  readonly label: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

export function Checkbox({ label, isChecked, onChange }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}

interface FileInputProps {
  readonly id: string
  readonly accept: string
  readonly isMultiple?: boolean
  readonly isDisabled?: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/**
 * A choice of files that shows the names of the chosen ones. The control of the browser lies above it without being
 * drawn, because its words are those of the browser, which may have another language; files can be dropped on it too.
 */
export function FileInput({ id, accept, isMultiple, isDisabled, onFiles }: FileInputProps) {
  const t = useText()
  const [names, setNames] = useState('')
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    setNames(files.map(({ name }) => name).join(', '))
    onFiles(files)
  }
  return (
    <div className="file-input">
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={isMultiple}
        disabled={isDisabled}
        // The same file may be chosen again after it was changed.
        onClick={({ currentTarget }) => {
          currentTarget.value = ''
        }}
        onChange={change}
      />
      <span className="button" aria-hidden="true">
        {t(UI_TEXTS.UI_CHOOSE_FILE())}
      </span>
      <span className="file-names">{names === '' ? t(UI_TEXTS.UI_NO_FILE()) : names}</span>
    </div>
  )
}

interface FileFieldProps {
  readonly label: string
  readonly accept: string
  readonly onFile: (file: File | undefined) => void
}

export function FileField({ label, accept, onFile }: FileFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <FileInput id={id} accept={accept} onFiles={([file]) => onFile(file)} />
    </div>
  )
}
