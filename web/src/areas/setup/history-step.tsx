import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Notice } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Form } from '../../ui/form.tsx'
import { useErrorText } from '../../ui/page.tsx'
import { FilesField } from './files-field.tsx'
import { HistoryProgress } from './history-progress.tsx'
import { RowEditor } from './row-editor.tsx'
import { SETUP_TEXTS } from './texts.ts'

type Report = ResponseOf<'POST', '/api/mahsuplasma/history'>

/** The import of past records: check of the files, correction of errors in place, import, and calculation. */
export function HistoryStep() {
  const t = useText()
  const errorText = useErrorText()
  const { send, report, error, isSending } = useImport()
  const [files, setFiles] = useState<readonly File[]>([])
  const check = async (next: readonly File[]) => {
    setFiles(next)
    if (next.length > 0) await send(next, true)
  }
  const errors = report?.errors ?? []
  const faulty = files.filter(({ name }) => /\.csv$/i.test(name) && errors.some(({ file }) => file === name))
  return (
    <>
      <h2>{t(SETUP_TEXTS.SETUP_HISTORY())}</h2>
      <p>{t(SETUP_TEXTS.SETUP_HISTORY_PURPOSE())}</p>
      <FilesField
        label={t(SETUP_TEXTS.SETUP_FILES())}
        accept=".xlsx,.csv"
        onFiles={(chosen) => void check(chosen)}
      />
      {error !== undefined && <Notice tone="danger">{errorText(error)}</Notice>}
      {isSending && <p role="status">{t(SETUP_TEXTS.SETUP_CHECKING())}</p>}
      {report && <Outcome report={report} />}
      {faulty.map((file) => (
        <RowEditor
          key={`${file.name} ${file.lastModified}`}
          file={file}
          errors={errors.filter((one) => one.file === file.name)}
          onSave={(saved) => void check(files.map((one) => (one === file ? saved : one)))}
        />
      ))}
      {report?.dry_run && report.error_count === 0 && (
        <Form submitText={t(SETUP_TEXTS.SETUP_IMPORT())} onSubmit={() => send(files, false)}>
          <p>{t(SETUP_TEXTS.SETUP_NO_ERRORS())}</p>
        </Form>
      )}
      {report?.calculation && <HistoryProgress jobId={report.calculation.id} />}
    </>
  )
}

function useImport() {
  const { api } = useClient()
  const queries = useQueryClient()
  const [report, setReport] = useState<Report>()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const send = async (files: readonly File[], isDryRun: boolean) => {
    const body = new FormData()
    body.append('dry_run', String(isDryRun))
    body.append('calculate', String(!isDryRun))
    for (const file of files) body.append('file', file, file.name)
    setSending(true)
    setError(undefined)
    try {
      const { data } = await api.post('/api/mahsuplasma/history', { body })
      setReport(data)
      if (!isDryRun) await queries.invalidateQueries()
    } catch (failure) {
      setReport(undefined)
      setError(failure)
    } finally {
      setSending(false)
    }
  }
  return { send, report, error, isSending }
}

function Outcome({ report }: { readonly report: Report }) {
  const t = useText()
  const { created, unchanged, error_count, errors, applied } = report
  return (
    <>
      <Notice tone={error_count > 0 ? 'danger' : 'success'}>
        {t(
          applied
            ? SETUP_TEXTS.SETUP_IMPORTED({ created, unchanged })
            : SETUP_TEXTS.SETUP_CHECKED({ created, unchanged, errors: error_count }),
        )}
      </Notice>
      {errors.length > 0 && (
        <DataTable
          report={null}
          caption={t(SETUP_TEXTS.SETUP_ERRORS())}
          rows={errors}
          keyOf={({ sheet, row, column, code }) => [sheet, row, column, code].join(' ')}
          empty=""
          columns={[
            {
              id: 'at',
              title: t(SETUP_TEXTS.SETUP_ROW()),
              cell: ({ file, sheet, row }) => `${sheet ?? file}, ${row}`,
            },
            { id: 'column', title: t(SETUP_TEXTS.SETUP_COLUMN()), cell: ({ column }) => column ?? '' },
            { id: 'message', title: t(SETUP_TEXTS.SETUP_ERROR()), cell: ({ message }) => message },
          ]}
        />
      )}
    </>
  )
}
