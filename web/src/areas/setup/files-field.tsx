import { useId } from 'react'

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
      <input
        id={id}
        className="input file"
        type="file"
        accept={accept}
        multiple
        onChange={({ target }) => onFiles([...(target.files ?? [])])}
      />
    </div>
  )
}
