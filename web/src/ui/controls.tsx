/** Controls: those of react-aria-components with the classes of our styles. */
import { type ReactNode, type RefObject, useId } from 'react'
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
} from 'react-aria-components'
import { useFieldError } from './field-error.ts'

export interface ButtonProps extends Omit<AriaButtonProps, 'className'> {
  readonly variant?: 'normal' | 'primary' | 'quiet'
  readonly ref?: RefObject<HTMLButtonElement | null>
}

export function Button({ variant = 'normal', ...props }: ButtonProps) {
  return <AriaButton {...props} className="button" data-variant={variant} />
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email' | 'password' | 'search'
  readonly description?: string
  readonly error?: string | undefined
  readonly autoComplete?: string
  readonly isRequired?: boolean
  readonly inputMode?: 'numeric' | 'text'
  readonly maxLength?: number
}

export function TextField({ label, description, error, inputMode, autoComplete, ...props }: TextFieldProps) {
  return (
    // With the native behaviour a field with an error would keep its form from being sent again.
    <AriaTextField
      {...props}
      className="field"
      isInvalid={error !== undefined}
      validationBehavior={error === undefined ? 'native' : 'aria'}
    >
      <Label>{label}</Label>
      <Input className="input" inputMode={inputMode} autoComplete={autoComplete} />
      {description !== undefined && (
        <Text slot="description" className="description">
          {description}
        </Text>
      )}
      <FieldError className="error">{error}</FieldError>
    </AriaTextField>
  )
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: readonly { readonly value: Value; readonly text: string }[]
}

/** A choice among a few values: the control of the browser, which is the best one on a phone and costs no script. */
export function Select<Value extends string>({ label, value, onChange, options }: SelectProps<Value>) {
  const id = useId()
  const errorId = useFieldError()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="input"
        value={value}
        aria-invalid={errorId !== undefined}
        aria-describedby={errorId}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  )
}

export type Tone = 'neutral' | 'success' | 'warning' | 'danger'

export function Tag({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className="tag" data-tone={tone}>
      {children}
    </span>
  )
}

/** A message that belongs to a page or a form. Errors are announced by screen readers. */
export function Notice({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone
  readonly children: ReactNode
}) {
  return (
    <div className="notice" data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
