import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import type { Message } from '../../../../src/kernel/messages.ts'
import { useClient } from '../../api/session.tsx'
import { upload } from '../../api/upload.ts'
import { useBodySchema } from '../../forms/api-document.ts'
import type { ControlProps } from '../../forms/control.ts'
import { PartsField } from '../../forms/parts-field.tsx'
import type { FieldValues, JsonSchema } from '../../forms/schema.ts'
import { SchemaFields } from '../../forms/schema-fields.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { fieldText } from '../../records/field-texts.ts'
import { FACILITY, INSTALLATIONS } from '../../records/netting-resources.ts'
import { RecordPicker } from '../../records/record-picker.tsx'
import { valueText } from '../../records/value-texts.ts'
import { Notice } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Form } from '../../ui/form.tsx'
import { Checkbox, FileField } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { RowEditor } from '../setup/row-editor.tsx'
import { METER_DATA_TEXTS } from './meter-data-texts.ts'
import { READING_TEXTS } from './texts.ts'

const IMPORT = '/api/mahsuplasma/meter-data/import'
type Report = ResponseOf<'POST', typeof IMPORT>

const INSTALLATION = { list: INSTALLATIONS.list, hasSearch: true, label: 'installation_no' }
const FIRST: FieldValues = {
  value_kind: 'interval',
  unit: 'kWh',
  label: 'hour_ending',
  interval_minutes: '60',
}

type Texts = Readonly<Record<string, Message>>

/** Texts of this form by field and by value; others have the same text as elsewhere. */
const FIELDS: Texts = {
  installation_id: METER_DATA_TEXTS.METER_DATA_installation_id(),
  facility_id: METER_DATA_TEXTS.METER_DATA_facility_id(),
  value_kind: METER_DATA_TEXTS.METER_DATA_value_kind(),
  interval_minutes: METER_DATA_TEXTS.METER_DATA_interval_minutes(),
  utc_offset: METER_DATA_TEXTS.METER_DATA_utc_offset(),
  decimal_mark: METER_DATA_TEXTS.METER_DATA_decimal_mark(),
  columns: METER_DATA_TEXTS.METER_DATA_columns(),
}
const VALUES: Texts = {
  register: METER_DATA_TEXTS.METER_DATA_VALUE_register(),
  interval: METER_DATA_TEXTS.METER_DATA_VALUE_interval(),
  hour_ending: METER_DATA_TEXTS.METER_DATA_VALUE_hour_ending(),
  hour_starting: METER_DATA_TEXTS.METER_DATA_VALUE_hour_starting(),
  comma: METER_DATA_TEXTS.METER_DATA_VALUE_comma(),
  point: METER_DATA_TEXTS.METER_DATA_VALUE_point(),
}

/** The columns of a file whose headers can be named; the service takes them as a JSON object. */
const HEADERS: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    ['date', 'time', 'import', 'export', 'value'].map((name) => [name, { type: 'string', maxLength: 200 }]),
  ),
}
const HEADER_TEXTS: Texts = {
  date: METER_DATA_TEXTS.METER_DATA_HEADER_date(),
  time: METER_DATA_TEXTS.METER_DATA_HEADER_time(),
  import: METER_DATA_TEXTS.METER_DATA_HEADER_import(),
  export: METER_DATA_TEXTS.METER_DATA_HEADER_export(),
  value: METER_DATA_TEXTS.METER_DATA_HEADER_value(),
}

/** The headers that a file has instead of the known ones, by column. */
function HeadersField(props: ControlProps) {
  const t = useText()
  return (
    <PartsField
      {...props}
      schema={HEADERS}
      errors={{}}
      fieldsOf={(part) => (
        <SchemaFields {...part} labelOf={(name) => (HEADER_TEXTS[name] ? t(HEADER_TEXTS[name]) : name)} />
      )}
    />
  )
}

/** The fields in the order in which they are entered: the meter first, as an installation or a facility. */
function ordered({ properties = {}, ...schema }: JsonSchema): JsonSchema {
  const { installation_id = {}, ...others } = properties
  return { ...schema, properties: { installation_id, ...others } }
}

/** Fields that are not entered here, or do not apply to the other values. */
const isHidden = (name: string, values: FieldValues): boolean =>
  name === 'file' ||
  name === 'dry_run' ||
  (name === 'label' && values['value_kind'] === 'register') ||
  (name === 'facility_id' && (values['installation_id'] ?? '') !== '') ||
  (name === 'installation_id' && (values['facility_id'] ?? '') !== '') ||
  (name === 'measurement_role' && (values['facility_id'] ?? '') === '')

/** Imports a file of one meter. Rows with errors of a CSV file are corrected here, and the file is sent again. */
export function MeterDataImport() {
  const t = useText()
  const schema = useBodySchema('POST', IMPORT)
  return (
    <section className="card">
      <h2>{t(METER_DATA_TEXTS.METER_DATA())}</h2>
      <p className="muted">{t(METER_DATA_TEXTS.METER_DATA_NOTE())}</p>
      <Loaded query={schema}>{(body) => <ImportForm schema={ordered(body)} />}</Loaded>
    </section>
  )
}

function ImportForm({ schema }: { readonly schema: JsonSchema }) {
  const t = useText()
  const [file, setFile] = useState<File>()
  const [values, setValues] = useState(FIRST)
  const [isCheck, setCheck] = useState(false)
  const { send, report, share } = useImport()
  const sendFile = (next: File) => send(next, shownValues(schema, values), isCheck)
  return (
    <>
      <Form
        submitText={t(isCheck ? METER_DATA_TEXTS.METER_DATA_CHECK() : METER_DATA_TEXTS.METER_DATA_SEND())}
        onSubmit={async () => {
          if (file) await sendFile(file)
        }}
        isStoring={!isCheck}
        isDisabled={!file}
      >
        <SchemaFields
          schema={schema}
          values={values}
          onChange={setValues}
          labelOf={(name) => (FIELDS[name] ? t(FIELDS[name]) : fieldText(name, t))}
          choiceText={(value) => (VALUES[value] ? t(VALUES[value]) : valueText(value, t))}
          controls={{
            installation_id: (props: ControlProps) => <RecordPicker {...props} reference={INSTALLATION} />,
            facility_id: (props: ControlProps) => <RecordPicker {...props} reference={FACILITY} />,
            columns: (props: ControlProps) => <HeadersField {...props} />,
          }}
          isHidden={isHidden}
        />
        <FileField label={t(READING_TEXTS.READINGS_FILE())} accept=".csv,.xlsx" onFile={setFile} />
        <Checkbox label={t(METER_DATA_TEXTS.METER_DATA_CHECK())} isChecked={isCheck} onChange={setCheck} />
        {share !== undefined && (
          <progress className="progress" value={share} aria-label={t(READING_TEXTS.READINGS_PROGRESS())} />
        )}
      </Form>
      {report && <Outcome report={report} />}
      {file && report && report.error_count > 0 && (
        <Correction
          file={file}
          errors={report.errors}
          onSave={(saved) => {
            setFile(saved)
            return sendFile(saved)
          }}
        />
      )}
    </>
  )
}

/** The values of the fields that are shown; a decimal comma is accepted. */
const shownValues = ({ properties = {} }: JsonSchema, values: FieldValues) =>
  Object.keys(properties).flatMap((name) => {
    const value = (values[name] ?? '').trim()
    if (value === '' || isHidden(name, values)) return []
    return [[name, name === 'multiplier' ? value.replace(',', '.') : value] as const]
  })

function useImport() {
  const { language } = useClient()
  const queries = useQueryClient()
  const [share, setShare] = useState<number>()
  const [report, setReport] = useState<Report>()
  const send = async (file: File, fields: readonly (readonly [string, string])[], isCheck: boolean) => {
    const body = new FormData()
    for (const [name, value] of fields) body.append(name, value)
    body.append('dry_run', String(isCheck))
    body.append('file', file, file.name)
    setReport(undefined)
    setShare(0)
    try {
      setReport((await upload({ path: IMPORT, body, language, onProgress: setShare })) as Report)
      if (!isCheck) await queries.invalidateQueries()
    } finally {
      setShare(undefined)
    }
  }
  return { send, share, report }
}

function Outcome({ report }: { readonly report: Report }) {
  const t = useText()
  const { language } = useLanguage()
  const { rows_read, hours_read, accepted, corrected, unchanged, suspect, missing_hours, error_count } =
    report
  const figures = { read: rows_read, hours: hours_read, accepted, corrected, unchanged, suspect }
  return (
    <>
      <Notice tone={error_count > 0 ? 'warning' : 'success'}>
        {error_count > 0 ? (
          <p>{t(METER_DATA_TEXTS.METER_DATA_ERRORS({ count: error_count }))}</p>
        ) : (
          <p>{t(METER_DATA_TEXTS.METER_DATA_STORED({ ...figures, missing: missing_hours }))}</p>
        )}
        {error_count === 0 && !report.is_stored && <p>{t(METER_DATA_TEXTS.METER_DATA_CHECKED())}</p>}
        {report.ignored_columns.length > 0 && (
          <p>{t(READING_TEXTS.READINGS_IGNORED({ names: report.ignored_columns }))}</p>
        )}
      </Notice>
      {report.gaps.length > 0 && (
        <DataTable
          report={null}
          caption={t(METER_DATA_TEXTS.METER_DATA_GAPS())}
          rows={report.gaps}
          keyOf={({ from_hour }) => from_hour}
          empty=""
          columns={[
            {
              id: 'from',
              title: t(UI_TEXTS.UI_FROM()),
              cell: ({ from_hour }) => formatInstant(from_hour, 'dateTime', language),
            },
            {
              id: 'to',
              title: t(UI_TEXTS.UI_TO()),
              cell: ({ to_hour }) => formatInstant(to_hour, 'dateTime', language),
            },
            {
              id: 'hours',
              title: t(METER_DATA_TEXTS.METER_DATA_COUNT()),
              isNumber: true,
              cell: ({ hours }) => hours.toLocaleString(language),
            },
          ]}
        />
      )}
    </>
  )
}

interface CorrectionProps {
  readonly file: File
  readonly errors: Report['errors']
  readonly onSave: (file: File) => Promise<void>
}

/** The rows with errors: those of a CSV file can be changed here. */
function Correction({ file, errors, onSave }: CorrectionProps) {
  const t = useText()
  if (/\.csv$/i.test(file.name))
    return <RowEditor key={`${file.lastModified} ${file.size}`} file={file} errors={errors} onSave={onSave} />
  return (
    <>
      <p>{t(METER_DATA_TEXTS.METER_DATA_WORKBOOK())}</p>
      <DataTable
        report={null}
        caption={t(READING_TEXTS.READINGS_ROWS())}
        rows={errors}
        keyOf={({ row, code }) => `${row} ${code}`}
        empty=""
        columns={[
          { id: 'row', title: t(READING_TEXTS.READINGS_ROW()), cell: ({ row }) => row },
          { id: 'reason', title: t(READING_TEXTS.READINGS_REASON()), cell: ({ message }) => message },
        ]}
      />
    </>
  )
}
