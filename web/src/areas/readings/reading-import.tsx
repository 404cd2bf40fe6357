import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useClient } from '../../api/session.tsx'
import { upload } from '../../api/upload.ts'
import { useText } from '../../kernel/text.tsx'
import { INSTALLATIONS } from '../../records/netting-resources.ts'
import { RecordPicker } from '../../records/record-picker.tsx'
import { Notice, Select } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Form } from '../../ui/form.tsx'
import { Checkbox, FileField } from '../../ui/inputs.tsx'
import { type States, StateTag } from '../../ui/states.tsx'
import { RowEditor } from '../setup/row-editor.tsx'
import { READING_TEXTS } from './texts.ts'

type Report = ResponseOf<'POST', '/api/osos/readings/import'>
type Row = Report['rows'][number]

const ROW_STATES: States<Row['status']> = {
  accepted: { text: READING_TEXTS.READINGS_ACCEPTED, tone: 'success' },
  unchanged: { text: READING_TEXTS.READINGS_UNCHANGED },
  corrected: { text: READING_TEXTS.READINGS_CORRECTED, tone: 'success' },
  suspect: { text: READING_TEXTS.READINGS_SUSPECT, tone: 'warning' },
  rejected: { text: READING_TEXTS.READINGS_REJECTED, tone: 'danger' },
}

type Label = 'hour_ending' | 'hour_starting'

/** Imports a file of readings. The rejected rows of a CSV file are corrected here, and the file is sent again. */
export function ReadingImport() {
  const t = useText()
  const { send, share, report } = useImport()
  const [file, setFile] = useState<File>()
  const [installation, setInstallation] = useState('')
  const [label, setLabel] = useState<Label>('hour_ending')
  const [isMultiplied, setMultiplied] = useState(true)
  const sendFile = (next: File) => send({ file: next, installation, label, isMultiplied })
  const rejected = (report?.rows ?? []).filter(({ status }) => status === 'rejected')
  return (
    <section className="card">
      <h2>{t(READING_TEXTS.READINGS_IMPORT())}</h2>
      <p className="muted">{t(READING_TEXTS.READINGS_NOTE())}</p>
      <Form
        submitText={t(READING_TEXTS.READINGS_IMPORT())}
        onSubmit={async () => {
          if (file) await sendFile(file)
        }}
        isDisabled={!file}
      >
        <RecordPicker
          label={t(READING_TEXTS.READINGS_INSTALLATION())}
          value={installation}
          onChange={setInstallation}
          isRequired={false}
          reference={{ list: INSTALLATIONS.list, hasSearch: true, label: 'installation_no' }}
        />
        <Select<Label>
          label={t(READING_TEXTS.READINGS_LABEL())}
          value={label}
          onChange={setLabel}
          options={[
            { value: 'hour_ending', text: t(READING_TEXTS.READINGS_ENDING()) },
            { value: 'hour_starting', text: t(READING_TEXTS.READINGS_STARTING()) },
          ]}
        />
        <Checkbox
          label={t(READING_TEXTS.READINGS_MULTIPLIED())}
          isChecked={isMultiplied}
          onChange={setMultiplied}
        />
        <FileField label={t(READING_TEXTS.READINGS_FILE())} accept=".csv,.xlsx" onFile={setFile} />
        {share !== undefined && (
          <div role="status">
            <progress className="progress" value={share} aria-label={t(READING_TEXTS.READINGS_PROGRESS())} />
            {share === 1 && t(READING_TEXTS.READINGS_PROCESSING())}
          </div>
        )}
      </Form>
      {report && <Outcome report={report} />}
      {file && rejected.length > 0 && /\.csv$/i.test(file.name) && (
        <RowEditor
          key={`${file.lastModified} ${file.size}`}
          file={file}
          errors={rejected.map(({ row, message }) => ({ row, message: message ?? '' }))}
          onSave={(saved) => {
            setFile(saved)
            return sendFile(saved)
          }}
        />
      )}
      {file && rejected.length > 0 && !/\.csv$/i.test(file.name) && (
        <p>{t(READING_TEXTS.READINGS_WORKBOOK())}</p>
      )}
    </section>
  )
}

interface ImportOptions {
  readonly file: File
  /** Empty when each row names its installation. */
  readonly installation: string
  readonly label: Label
  readonly isMultiplied: boolean
}

function useImport() {
  const { language } = useClient()
  const queries = useQueryClient()
  const [share, setShare] = useState<number>()
  const [report, setReport] = useState<Report>()
  const send = async ({ file, installation, label, isMultiplied }: ImportOptions) => {
    const body = new FormData()
    body.append('label', label)
    body.append('multiplied', String(isMultiplied))
    body.append('file', file, file.name)
    const path =
      installation === ''
        ? '/api/osos/readings/import'
        : `/api/osos/installations/${installation}/readings/import`
    setReport(undefined)
    setShare(0)
    try {
      setReport((await upload({ path, body, language, onProgress: setShare })) as Report)
      await queries.invalidateQueries()
    } finally {
      setShare(undefined)
    }
  }
  return { send, share, report }
}

function Outcome({ report }: { readonly report: Report }) {
  const t = useText()
  const { rows_read, accepted, corrected, unchanged, suspect, rejected, facts_written } = report
  const text = READING_TEXTS.READINGS_OUTCOME({
    ...{ read: rows_read, accepted, corrected, unchanged, suspect, rejected },
    facts: facts_written,
  })
  return (
    <>
      <Notice tone={rejected > 0 ? 'warning' : 'success'}>
        <p>{t(text)}</p>
        {report.ignored_columns.length > 0 && (
          <p>{t(READING_TEXTS.READINGS_IGNORED({ names: report.ignored_columns }))}</p>
        )}
        {report.short_days_total > 0 && (
          <p>{t(READING_TEXTS.READINGS_SHORT_DAYS({ count: report.short_days_total }))}</p>
        )}
      </Notice>
      {report.rows.length > 0 && (
        <DataTable
          report={null}
          caption={t(READING_TEXTS.READINGS_ROWS())}
          rows={report.rows}
          keyOf={({ row, status }) => `${row} ${status}`}
          empty=""
          columns={[
            { id: 'row', title: t(READING_TEXTS.READINGS_ROW()), cell: ({ row }) => row },
            {
              id: 'state',
              title: t(READING_TEXTS.READINGS_STATE()),
              cell: ({ status }) => <StateTag states={ROW_STATES} value={status} />,
            },
            {
              id: 'reason',
              title: t(READING_TEXTS.READINGS_REASON()),
              cell: ({ message }) => message ?? '',
            },
          ]}
        />
      )}
    </>
  )
}
