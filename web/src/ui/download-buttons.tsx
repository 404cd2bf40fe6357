import { useAction } from './action.tsx'
import { Button } from './controls.tsx'
import { saveFile } from './file-download.ts'

export type FileFormat = 'csv' | 'xlsx' | 'pdf'
const FORMATS: readonly FileFormat[] = ['csv', 'xlsx', 'pdf']

interface DownloadButtonsProps {
  /** Name of the files without its extension. */
  readonly name: string
  readonly read: (format: FileFormat) => Promise<ReadableStream<Uint8Array>>
}

/** The buttons that offer a table as a file. */
export function DownloadButtons({ name, read }: DownloadButtonsProps) {
  const { run, isRunning, notice } = useAction([])
  const download = (format: FileFormat) =>
    run(async () => {
      await saveFile(await read(format), `${name}.${format}`)
      return undefined
    })
  return (
    <>
      <div className="row">
        {FORMATS.map((format) => (
          <Button key={format} isDisabled={isRunning} onPress={() => void download(format)}>
            {format.toUpperCase()}
          </Button>
        ))}
      </div>
      {notice}
    </>
  )
}
