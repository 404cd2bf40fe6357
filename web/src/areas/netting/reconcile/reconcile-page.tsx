import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useId, useState } from 'react'
import type { ResponseOf } from '../../../../../clients/typescript/src/operations.ts'
import { useCan, useClient } from '../../../api/session.tsx'
import { formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button, Notice } from '../../../ui/controls.tsx'
import { DownloadButton } from '../../../ui/download.tsx'
import { FileInput } from '../../../ui/inputs.tsx'
import { useErrorText } from '../../../ui/page.tsx'
import { useGroupMonth } from '../group-month.ts'
import { CHECKS, CheckList } from './check-list.tsx'
import { CHECK_TEXTS } from './check-texts.ts'
import { CheckView } from './check-view.tsx'
import { MappingEditor } from './mapping-editor.tsx'
import { Report } from './report.tsx'
import { RECONCILE_TEXTS } from './texts.ts'

const PATH = '/api/mahsuplasma/groups/{id}/reconcile'
const OBJECTION = '/api/mahsuplasma/groups/{id}/objection'
const CHECK = '/api/mahsuplasma/groups/{id}/invoice-checks'
export type ReconcileReport = ResponseOf<'POST', typeof PATH>

/**
 * Compares a file of a supplier or of the market operator with the results of the month. The check is stored where the
 * user may store it.
 */
export function ReconcilePage() {
  const t = useText()
  const errorText = useErrorText()
  const { language } = useLanguage()
  const { api } = useClient()
  const can = useCan()
  const queries = useQueryClient()
  const { path, month, period } = useGroupMonth()
  const [checkId, setCheckId] = useState<string>()
  const [edited, setEdited] = useState<File>()
  const comparison = useMutation({
    mutationFn: async (file: File) => {
      const body = new FormData()
      body.append('file', file)
      const options = { path, query: { billing_period: period }, body }
      setEdited(undefined)
      if (!can('manage:netting')) return { report: (await api.post(PATH, options)).data, file }
      setCheckId(undefined)
      const { data } = await api.post(CHECK, options)
      await queries.invalidateQueries({ queryKey: [CHECKS] })
      setCheckId(data.id)
      return { report: undefined, file }
    },
  })
  const { variables: file, isPending, data, error } = comparison
  return (
    <>
      <section className="card">
        <h2>{t(RECONCILE_TEXTS.RECONCILE())}</h2>
        <p className="muted">
          {t(
            can('manage:netting')
              ? RECONCILE_TEXTS.RECONCILE_STORED_HELP({ month: formatMonth(month, language) })
              : RECONCILE_TEXTS.RECONCILE_HELP({ month: formatMonth(month, language) }),
          )}
        </p>
        <FileField isDisabled={isPending} onFile={(chosen) => comparison.mutate(chosen)} />
        {isPending && file && (
          <p role="status">{t(RECONCILE_TEXTS.RECONCILE_RUNNING({ name: file.name }))}</p>
        )}
        {error && <Notice tone="danger">{errorText(error)}</Notice>}
        {file && !isPending && can('manage:netting') && (
          <Button onPress={() => setEdited(file)}>{t(CHECK_TEXTS.FIELDS_CORRECT())}</Button>
        )}
      </section>
      {edited && <MappingEditor file={edited} period={period} onSaved={() => comparison.mutate(edited)} />}
      {data?.report && !isPending && (
        <>
          <Report report={data.report} name={data.file.name} />
          {data.report.line_counts.differing > 0 && <Objection file={data.file} />}
        </>
      )}
      {checkId !== undefined && (
        <CheckView key={checkId} id={checkId} onOpen={setCheckId} onClose={() => setCheckId(undefined)} />
      )}
      <CheckList onOpen={setCheckId} />
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
