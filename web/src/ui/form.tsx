import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { Button, Notice } from './controls.tsx'
import { useErrorText } from './page.tsx'

interface FormProps {
  readonly submitText: string
  readonly onSubmit: () => Promise<void>
  /** Whether something is missing that the browser does not check. */
  readonly isDisabled?: boolean
  readonly children: ReactNode
}

/** A form whose button is disabled while it is sent, and which shows the error of the API. */
export function Form({ submitText, onSubmit, isDisabled = false, children }: FormProps) {
  const errorText = useErrorText()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      await onSubmit()
    } catch (failure) {
      setError(failure)
    } finally {
      setSending(false)
    }
  }
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      {error !== undefined && <Notice tone="danger">{errorText(error)}</Notice>}
      {children}
      <Button type="submit" variant="primary" isDisabled={isSending || isDisabled}>
        {submitText}
      </Button>
    </form>
  )
}
