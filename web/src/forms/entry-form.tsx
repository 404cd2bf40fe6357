import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react'
import { registerEntries } from './unsaved.ts'

interface EntryFormProps {
  readonly className: string
  readonly id?: string
  /** Resolves to whether the entries are stored, so that nothing is lost when the form is left. */
  readonly onSubmit: () => Promise<boolean>
  readonly children: ReactNode
}

/**
 * A form whose changed entries are not lost without a question. They are compared with those that it had before the
 * user touched it: values that arrive later, such as the names of records, are no changes.
 */
export function EntryForm({ className, id, onSubmit, children }: EntryFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const state = useRef({ before: '', isTouched: false, isSending: false })
  const remember = () => {
    if (form.current && !state.current.isTouched) state.current.before = entriesOf(form.current)
  }
  const touch = () => {
    state.current.isTouched = true
  }
  useEffect(() => {
    const element = form.current
    if (element) state.current.before = entriesOf(element)
    return registerEntries({
      element: () => element,
      isChanged() {
        const { before, isTouched, isSending } = state.current
        // A form that was sent may navigate away by itself.
        return element !== null && isTouched && !isSending && entriesOf(element) !== before
      },
      discard() {
        state.current.isTouched = false
      },
    })
  }, [])
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    state.current.isSending = true
    try {
      if (await onSubmit()) state.current.isTouched = false
    } finally {
      state.current.isSending = false
    }
  }
  return (
    <form
      ref={form}
      className={className}
      id={id}
      onFocus={remember}
      onPointerDownCapture={remember}
      onInput={touch}
      onChange={touch}
      onClickCapture={({ target }) => {
        // Buttons add and remove rows.
        if (target instanceof Element && target.closest('button')) touch()
      }}
      onSubmit={(event) => void submit(event)}
    >
      {children}
    </form>
  )
}

/** The values of the controls of a form as one text. */
function entriesOf({ elements }: HTMLFormElement): string {
  const values: (string | boolean)[] = []
  for (const control of elements) {
    if (control instanceof HTMLInputElement)
      values.push(control.type === 'checkbox' || control.type === 'radio' ? control.checked : control.value)
    else if (control instanceof HTMLSelectElement || control instanceof HTMLTextAreaElement)
      values.push(control.value)
  }
  return JSON.stringify(values)
}
