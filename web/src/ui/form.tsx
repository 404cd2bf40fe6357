import { type ReactNode, useState } from 'react'
import { EntryForm } from '../forms/entry-form.tsx'
import { Button, Notice } from './controls.tsx'
import { useErrorText } from './page.tsx'

interface FormProps {
  readonly submitText: string
  readonly onSubmit: () => Promise<void>
  /** Whether something is missing that the browser does not check. */
  readonly isDisabled?: boolean
  /** Whether sending stores the entries; otherwise they are still lost when the form is left. */
  readonly isStoring?: boolean
  readonly children: ReactNode
}

/** A form whose button is disabled while it is sent, and which shows the error of the API. */
export function Form({ submitText, onSubmit, isDisabled = false, isStoring = true, children }: FormProps) {
  const errorText = useErrorText()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setSending(true)
    setError(undefined)
    try {
      await onSubmit()
      return isStoring
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setSending(false)
    }
  }
  return (
    <EntryForm className="form" onSubmit={submit}>
      {error !== undefined && <Notice tone="danger">{errorText(error)}</Notice>}
      {children}
      <Button type="submit" variant="primary" isDisabled={isSending || isDisabled}>
        {submitText}
      </Button>
    </EntryForm>
  )
}
