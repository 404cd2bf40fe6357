import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react'
import { hasUnsaved, leave } from '../forms/unsaved.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog of the browser: it keeps the focus, and Escape closes it, after a question if entries would be lost. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const cancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    const element = event.currentTarget
    // A file control sends the event too, when no file was chosen.
    if (event.target !== element || !hasUnsaved(element)) return
    event.preventDefault()
    leave(element, onClose)
  }
  const close = ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
    // Browsers close a dialog at the second Escape without asking it.
    if (hasUnsaved(currentTarget)) currentTarget.showModal()
    leave(currentTarget, onClose)
  }
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onCancel={cancel} onClose={close}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
