import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useId, useState } from 'react'
import type { ResponseOf } from '../../../../../clients/typescript/src/operations.ts'
import { useClient } from '../../../api/session.tsx'
import { formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Notice } from '../../../ui/controls.tsx'
import { DownloadButton } from '../../../ui/download.tsx'
import { FileInput } from '../../../ui/inputs.tsx'
import { useErrorText } from '../../../ui/page.tsx'
import { useGroupMonth } from '../group-month.ts'
import { Report } from './report.tsx'
import { RECONCILE_TEXTS } from './texts.ts'

const PATH = '/api/mahsuplasma/groups/{id}/reconcile'
const OBJECTION = '/api/mahsuplasma/groups/{id}/objection'
export type ReconcileReport = ResponseOf<'POST', typeof PATH>

/** Compares a file of a supplier or of the market operator with the results of the month. */
export function ReconcilePage() {
  const t = useText()
  const errorText = useErrorText()
  const { language } = useLanguage()
  const { api } = useClient()
  const { path, month, period } = useGroupMonth()
  const comparison = useMutation({
    mutationFn: async (file: File) => {
      const body = new FormData()
      body.append('file', file)
      const { data } = await api.post(PATH, { path, query: { billing_period: period }, body })
      return { data, file }
    },
  })
  return (
    <>
      <section className="card">
        <h2>{t(RECONCILE_TEXTS.RECONCILE())}</h2>
        <p className="muted">{t(RECONCILE_TEXTS.RECONCILE_HELP({ month: formatMonth(month, language) }))}</p>
        <FileField isDisabled={comparison.isPending} onFile={(file) => comparison.mutate(file)} />
        {comparison.isPending && (
          <p role="status">{t(RECONCILE_TEXTS.RECONCILE_RUNNING({ name: comparison.variables.name }))}</p>
        )}
        {comparison.error && <Notice tone="danger">{errorText(comparison.error)}</Notice>}
      </section>
      {comparison.data && !comparison.isPending && (
        <>
          <Report report={comparison.data.data} name={comparison.data.file.name} />
          {comparison.data.data.line_counts.differing > 0 && <Objection file={comparison.data.file} />}
        </>
      )}
    </>
  )
}

/** The objection to the lines of the file that differ, as a PDF for the supplier. */
function Objection({ file }: { readonly file: File }) {
  const t = useText()
  const { api } = useClient()
  const { path, month, period } = useGroupMonth()
  const read = () => {
    const body = new FormData()
    body.append('file', file)
    return api.post(OBJECTION, { path, query: { billing_period: period }, body })
  }
  return (
    <section className="card stack">
      <h2>{t(RECONCILE_TEXTS.RECONCILE_OBJECTION())}</h2>
      <p className="muted">{t(RECONCILE_TEXTS.RECONCILE_OBJECTION_HELP())}</p>
      <DownloadButton
        label={t(RECONCILE_TEXTS.RECONCILE_OBJECTION_DOWNLOAD())}
        name={`netsaat-objection-${month}.pdf`}
        read={read}
      />
    </section>
  )
}

interface FileFieldProps {
  readonly isDisabled: boolean
  readonly onFile: (file: File) => void
}

/** A file by the dialog of the browser, or dropped on the field. */
function FileField({ isDisabled, onFile }: FileFieldProps) {
  const t = useText()
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !isDisabled) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition to the field inside
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <span>{t(RECONCILE_TEXTS.RECONCILE_DROP())}</span>
      <label className="visually-hidden" htmlFor={id}>
        {t(RECONCILE_TEXTS.RECONCILE_FILE())}
      </label>
      <FileInput
        id={id}
        accept=".csv,.xlsx,.xml,.pdf,text/csv,application/pdf"
        isDisabled={isDisabled}
        onFiles={([file]) => {
          if (file) onFile(file)
        }}
      />
    </div>
  )
}
