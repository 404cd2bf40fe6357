import { useId } from 'react'
import { FileInput } from '../../ui/inputs.tsx'

interface FilesFieldProps {
  readonly label: string
  readonly accept: string
  readonly onFiles: (files: readonly File[]) => void
}

/** A choice of one or more files. */
export function FilesField({ label, accept, onFiles }: FilesFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <FileInput id={id} accept={accept} isMultiple onFiles={onFiles} />
    </div>
  )
}
