import { type ReactNode, useState } from 'react'
import { useCan } from '../api/session.tsx'
import { formatDay, formatInstant } from '../kernel/dates.ts'
import { formatDecimal } from '../kernel/decimal.ts'
import { useLanguage, useText } from '../kernel/text.tsx'
import { Button, TextField } from '../ui/controls.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Loaded } from '../ui/page.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { fieldText } from './field-texts.ts'
import { LIST_SIZE, useRecords, useReferred } from './read-records.ts'
import { CreateButton, RecordButtons } from './record-buttons.tsx'
import { RecordPicker } from './record-picker.tsx'
import { type AnyRecord, nameOfRecord, type Reference, type Resource } from './resource.ts'
import { RECORD_TEXTS } from './texts.ts'
import { valueText } from './value-texts.ts'

interface RecordListProps {
  readonly resource: Resource
  /** The first column as a link to the page of a record. */
  readonly linkOf?: (record: AnyRecord, text: string) => ReactNode
}

/** The records of a resource with their forms, where no page shows them in a way of its own. */
export function RecordList({ resource, linkOf }: RecordListProps) {
  const t = useText()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [parentId, setParentId] = useState('')
  const { parent } = resource
  const isReady = parent === undefined || parentId !== ''
  const query = useRecords({ resource, parentId: parent && isReady ? parentId : undefined, search, page })
  return (
    <section className="stack">
      <div className="row record-tools">
        {parent && (
          <RecordPicker
            label={t(parent.text())}
            value={parentId}
            onChange={setParentId}
            isRequired={false}
            reference={parent}
          />
        )}
        {resource.hasSearch && isReady && (
          <TextField
            label={t(UI_TEXTS.UI_SEARCH())}
            type="search"
            value={search}
            onChange={(next) => {
              setSearch(next)
              setPage(1)
            }}
          />
        )}
        {isReady && <CreateButton resource={resource} parentId={parent && parentId} />}
      </div>
      {isReady && (
        <Loaded query={query}>
          {({ items, total }) => {
            const hasNext = total === undefined ? items.length > LIST_SIZE : page * LIST_SIZE < total
            return (
              <>
                <RecordTable
                  linkOf={linkOf}
                  resource={resource}
                  items={items.slice(0, LIST_SIZE)}
                  parentId={parent && parentId}
                  search={search}
                />
                {(page > 1 || hasNext) && (
                  <div className="row">
                    <Button isDisabled={page === 1} onPress={() => setPage(page - 1)}>
                      {t(UI_TEXTS.UI_PREVIOUS())}
                    </Button>
                    <Button isDisabled={!hasNext} onPress={() => setPage(page + 1)}>
                      {t(UI_TEXTS.UI_NEXT())}
                    </Button>
                  </div>
                )}
              </>
            )
          }}
        </Loaded>
      )}
      {!isReady && <p className="muted">{t(RECORD_TEXTS.RECORD_CHOOSE_PARENT())}</p>}
    </section>
  )
}

interface RecordTableProps {
  readonly linkOf: RecordListProps['linkOf']
  readonly resource: Resource
  readonly items: readonly AnyRecord[]
  readonly parentId: string | undefined
  readonly search: string
}

function RecordTable({ resource, items, parentId, search, linkOf }: RecordTableProps) {
  const t = useText()
  const can = useCan()
  const { columns, references = {} } = resource
  const cells: Column<AnyRecord>[] = columns.map((field, index) => {
    const reference = references[field]
    return {
      id: field,
      title: fieldText(field, t),
      cell: (record: AnyRecord) => {
        if (linkOf && index === 0) return linkOf(record, nameOfRecord(record, resource.label))
        return reference ? (
          <ReferenceName reference={reference} id={record[field]} />
        ) : (
          <CellText field={field} value={record[field]} />
        )
      },
    }
  })
  const filters = {
    ...resource.query,
    ...(parentId !== undefined && { id: parentId }),
    ...(search !== '' && { search }),
  }
  const mayChange =
    can(resource.permission) || (resource.actions ?? []).some(({ permission }) => can(permission))
  return (
    <DataTable
      report={{ list: resource.report, query: filters }}
      caption={t(resource.title())}
      rows={items}
      keyOf={({ id }) => id}
      empty={t(resource.empty())}
      columns={[
        ...cells,
        ...(mayChange
          ? [
              {
                id: 'actions',
                title: t(UI_TEXTS.UI_ACTIONS()),
                cell: (record: AnyRecord) => (
                  <RecordButtons resource={resource} record={record} parentId={parentId} />
                ),
              },
            ]
          : []),
      ]}
    />
  )
}

/** The name of a record by its id, or the beginning of the id. */
function ReferenceName({ reference, id }: { readonly reference: Reference; readonly id: unknown }) {
  const { data = [] } = useReferred(reference)
  if (typeof id !== 'string') return '—'
  const record = data.find((one) => one.id === id)
  return record ? nameOfRecord(record, reference.label) : id.slice(0, 8)
}

const DAY = /^\d{4}-\d\d-\d\d$/
const INSTANT = /^\d{4}-\d\d-\d\dT/

/** Fields that hold decimals. */
const DECIMAL_FIELD = /_kwh?$|^multiplier$/
const DECIMAL = /^-?\d+(?:\.(\d+))?$/

function CellText({ field, value }: { readonly field: string; readonly value: unknown }) {
  const t = useText()
  const { language } = useLanguage()
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return t(value ? UI_TEXTS.UI_YES() : UI_TEXTS.UI_NO())
  const decimal = DECIMAL_FIELD.test(field) ? DECIMAL.exec(String(value)) : null
  if (decimal) return formatDecimal(String(value), decimal[1]?.length ?? 0, language)
  if (typeof value === 'number') return value.toLocaleString(language, { useGrouping: false })
  if (Array.isArray(value)) return value.map((one) => valueText(String(one), t)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (DAY.test(value)) return formatDay(value, language)
  return INSTANT.test(value) ? formatInstant(value, 'dateTime', language) : valueText(value, t)
}
