/** Controls for which the browser has its own: their keys and their look on phones are the best there are. */
import { type ChangeEvent, useId } from 'react'

interface InputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isRequired?: boolean
  readonly description?: string | undefined
}

export interface NativeFieldProps extends InputProps {
  readonly type: 'date' | 'month' | 'datetime-local' | 'number' | 'password' | 'text'
  readonly min?: number | string
  readonly max?: number | string
  readonly step?: number | 'any'
}

export function NativeField({ label, value, onChange, isRequired, description, ...input }: NativeFieldProps) {
  const id = useId()
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
        aria-describedby={description === undefined ? undefined : `${id}-description`}
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
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        rows={4}
        value={value}
        required={isRequired}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
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

interface FileFieldProps {
  readonly label: string
  readonly accept: string
  readonly onFile: (file: File | undefined) => void
}

export function FileField({ label, accept, onFile }: FileFieldProps) {
  const id = useId()
  const change = (event: ChangeEvent<HTMLInputElement>) => onFile(event.target.files?.[0])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="input file" type="file" accept={accept} onChange={change} />
    </div>
  )
}
