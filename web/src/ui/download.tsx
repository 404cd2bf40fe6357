import { useState } from 'react'
import { Button, Notice } from './controls.tsx'
import { nameOfFile, saveFile } from './file-download.ts'
import { useErrorText } from './page.tsx'

export interface FileResponse {
  readonly data: unknown
  readonly headers: Headers
}

interface DownloadButtonProps {
  readonly label: string
  /** The name if the response has none. */
  readonly name: string
  readonly read: () => Promise<FileResponse>
}

/** A button that reads one file, stored under the name that the response gives it. */
export function DownloadButton({ label, name, read }: DownloadButtonProps) {
  const errorText = useErrorText()
  const [isReading, setIsReading] = useState(false)
  const [error, setError] = useState<unknown>()
  const download = async () => {
    setIsReading(true)
    setError(undefined)
    try {
      const { data, headers } = await read()
      await saveFile(data, nameOfFile(headers) ?? name)
    } catch (failure) {
      setError(failure)
    }
    setIsReading(false)
  }
  return (
    <div className="stack">
      <div>
        <Button onPress={() => void download()} isDisabled={isReading}>
          {label}
        </Button>
      </div>
      {error !== undefined && <Notice tone="danger">{errorText(error)}</Notice>}
    </div>
  )
}
