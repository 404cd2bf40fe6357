import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import type { Arguments } from '../../../clients/typescript/src/operations.ts'
import { useClient } from '../api/session.tsx'
import { useText } from '../kernel/text.tsx'
import { Button, Notice } from './controls.tsx'
import { nameOfFile, saveFile } from './file-download.ts'
import { useErrorText } from './page.tsx'
import { UI_TEXTS } from './texts.ts'

const LIST = '/api/reports/{list}'
export type ListName = Arguments<'GET', typeof LIST>[0]['path']['list']

/** The file of a table: the list of the API that it shows, and its filters and order. */
export interface TableReport {
  /** Name of the list, or the path of a report of its own. */
  readonly list: ListName | '/api/changes/report'
  /** Filters and order of the list, and the parameters of its path. A file has all rows. */
  readonly query?: object
}

const FORMATS = ['csv', 'xlsx', 'pdf'] as const
type Format = (typeof FORMATS)[number]

/** Making a PDF takes longer than other reads until its first byte. */
const TIMEOUT_MS = 120_000

/** The client without the types of the parameters of lists. */
interface FileClient {
  get(
    path: string,
    options: object,
  ): Promise<{ readonly data: ReadableStream<Uint8Array>; readonly headers: Headers }>
}

interface ExportMenuProps {
  /** The name of the table. */
  readonly caption: string
  readonly report: TableReport
}

/** The button above a table that offers it as a file, with its filters and its order. */
export function ExportMenu({ caption, report }: ExportMenuProps) {
  const t = useText()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { download, received, error } = useDownload(report)
  const errorText = useErrorText()
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // A window that loses the focus, for example to the dialog of a download, leaves the menu open.
    const isOutside = relatedTarget === null ? document.hasFocus() : !currentTarget.contains(relatedTarget)
    if (isOutside) setOpen(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in any of its controls closes the menu
    <div className="export-menu" onKeyDown={press} onBlur={leave}>
      <Button
        ref={button}
        variant="quiet"
        aria-label={t(UI_TEXTS.UI_EXPORT_OF({ table: caption }))}
        aria-expanded={isOpen}
        {...(isOpen && { 'aria-controls': id })}
        onPress={() => setOpen(!isOpen)}
      >
        {t(UI_TEXTS.UI_EXPORT())}
      </Button>
      {isOpen && (
        <div id={id} className="row">
          {FORMATS.map((format) => (
            <Button
              key={format}
              aria-label={t(UI_TEXTS.UI_EXPORT_AS({ format: format.toUpperCase(), table: caption }))}
              onPress={() => void download(format)}
            >
              {format.toUpperCase()}
            </Button>
          ))}
        </div>
      )}
      {received !== undefined && (
        <span role="status" className="muted">
          {t(UI_TEXTS.UI_EXPORT_PROGRESS({ size: Math.ceil(received / 1000) }))}
        </span>
      )}
      {error !== undefined && <Notice tone="danger">{errorText(error)}</Notice>}
    </div>
  )
}

/** Reads a report and stores it; `received` is the number of bytes while it is read. */
function useDownload({ list, query }: TableReport) {
  const { api, language } = useClient()
  const [received, setReceived] = useState<number>()
  const [error, setError] = useState<unknown>()
  const download = async (format: Format) => {
    // The buttons stay enabled, so that the focus stays on the one that was pressed.
    if (received !== undefined) return
    setError(undefined)
    setReceived(0)
    const isOwn = list.startsWith('/')
    const options = {
      query: { ...query, format, locale: language },
      timeoutMs: TIMEOUT_MS,
      ...(!isOwn && { path: { list } }),
    }
    try {
      const client = api as unknown as FileClient
      const { data, headers } = await client.get(isOwn ? list : LIST, options)
      const counted = data.pipeThrough(counter(setReceived))
      await saveFile(counted, nameOfFile(headers) ?? `${list}.${format}`)
    } catch (failure) {
      setError(failure)
    }
    setReceived(undefined)
  }
  return { download, received, error }
}

/** Time between two updates of the progress. */
const PROGRESS_MS = 250

function counter(onCount: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let shownAt = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      controller.enqueue(chunk)
      if (performance.now() - shownAt < PROGRESS_MS) return
      shownAt = performance.now()
      onCount(bytes)
    },
  })
}
