import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../clients/typescript/src/index.ts'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useClient } from '../../api/session.tsx'
import { formatCsv, parseCsv } from '../../kernel/csv.ts'
import { useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Notice } from '../../ui/controls.tsx'
import { saveFile } from '../../ui/file-download.ts'
import { Form } from '../../ui/form.tsx'
import { FileField } from '../../ui/inputs.tsx'
import { FaultyRows } from './faulty-rows.tsx'
import { TARIFF_PAGE_TEXTS } from './texts.ts'

const PRICES = '/api/v1/admin/regulated-tariffs/price-sets/{id}/prices'
const IMPORT = '/api/v1/admin/regulated-tariffs/price-sets/{id}/import-csv'
type Outcome = ResponseOf<'POST', typeof IMPORT>

interface PriceImportProps {
  readonly setId: string
  readonly month: string
}

/**
 * Imports prices from a file. The rows of a CSV file that have errors are corrected here, cell by cell, and the whole
 * file is sent again: the service imports all rows or none.
 */
export function PriceImport({ setId, month }: PriceImportProps) {
  const t = useText()
  const [file, setFile] = useState<File>()
  const [rows, setRows] = useState<readonly (readonly string[])[]>()
  const { send, outcome, forget } = useImport(setId)
  const submit = async () => {
    if (!file) return
    setRows(file.name.toLowerCase().endsWith('.csv') ? parseCsv(await file.text()) : undefined)
    await send(file)
  }
  const sendAgain = () => send(new File([formatCsv(rows ?? [])], 'prices.csv', { type: 'text/csv' }))
  return (
    <section className="card">
      <h2>{t(TARIFF_PAGE_TEXTS.TARIFFS_IMPORT())}</h2>
      <TemplateButtons month={month} />
      <Form submitText={t(TARIFF_PAGE_TEXTS.TARIFFS_IMPORT())} onSubmit={submit}>
        <FileField
          label={t(TARIFF_PAGE_TEXTS.TARIFFS_FILE())}
          accept=".csv,.xlsx"
          onFile={(next) => {
            setFile(next)
            forget()
          }}
        />
      </Form>
      {outcome && outcome.errors.length === 0 && (
        <Notice tone="success">{t(TARIFF_PAGE_TEXTS.TARIFFS_IMPORTED({ count: outcome.imported }))}</Notice>
      )}
      {outcome && outcome.errors.length > 0 && (
        <>
          <Notice tone="danger">
            {t(TARIFF_PAGE_TEXTS.TARIFFS_NOT_IMPORTED({ count: outcome.error_count }))}
          </Notice>
          <Form submitText={t(TARIFF_PAGE_TEXTS.TARIFFS_IMPORT_AGAIN())} onSubmit={sendAgain}>
            <FaultyRows rows={rows} errors={outcome.errors} onChange={setRows} />
          </Form>
        </>
      )}
    </section>
  )
}

/** Sends files; the errors of rows are an outcome, also where the API refuses the whole file because of them. */
function useImport(setId: string) {
  const { api } = useClient()
  const queries = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  const send = async (file: File) => {
    setOutcome(undefined)
    const body = new FormData()
    body.append('file', file)
    try {
      const { data } = await api.post(IMPORT, { path: { id: setId }, body })
      setOutcome(data)
    } catch (error) {
      const refused = outcomeOf(error)
      if (!refused) throw error
      setOutcome(refused)
    }
    await queries.invalidateQueries({ queryKey: [PRICES] })
  }
  return { send, outcome, forget: () => setOutcome(undefined) }
}

function outcomeOf(error: unknown): Outcome | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { detail } = (error.body ?? {}) as { readonly detail?: Partial<Outcome> }
  const { errors, imported = 0, error_count = errors?.length ?? 0 } = detail ?? {}
  return Array.isArray(errors) ? { errors, imported, error_count } : undefined
}

function TemplateButtons({ month }: { readonly month: string }) {
  const t = useText()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([])
  const download = (format: 'csv' | 'xlsx') =>
    run(async () => {
      const query = { format, billing_period: month }
      const { data } = await api.get('/api/v1/admin/regulated-tariffs/import-template', { query })
      await saveFile(data, `template.${format}`)
      return undefined
    })
  return (
    <div className="row">
      {(['csv', 'xlsx'] as const).map((format) => (
        <Button key={format} isDisabled={isRunning} onPress={() => void download(format)}>
          {t(TARIFF_PAGE_TEXTS.TARIFFS_TEMPLATE())} ({format.toUpperCase()})
        </Button>
      ))}
      {notice}
    </div>
  )
}
