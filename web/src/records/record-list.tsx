import { type ReactNode, useState } from 'react'
import { useCan } from '../api/session.tsx'
import { formatMonth } from '../kernel/dates.ts'
import { useLanguage, useText } from '../kernel/text.tsx'
import { TextField } from '../ui/controls.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Loaded } from '../ui/page.tsx'
import { PageButtons } from '../ui/pager.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { fieldText } from './field-texts.ts'
import { FieldValue } from './field-value.tsx'
import { LIST_SIZE, useRecords, useReferred } from './read-records.ts'
import { CreateButton, RecordButtons } from './record-buttons.tsx'
import { RecordPicker } from './record-picker.tsx'
import { type AnyRecord, nameOfRecord, type Reference, type Resource } from './resource.ts'
import { RECORD_TEXTS } from './texts.ts'

interface RecordListProps {
  readonly resource: Resource
  /** The parent of the records, where the page is about one; otherwise it is chosen. */
  readonly parentId?: string
  /** The first column as a link to the page of a record. */
  readonly linkOf?: (record: AnyRecord, text: string) => ReactNode
  /** Further buttons of a record. */
  readonly more?: (record: AnyRecord) => ReactNode
}

/** The records of a resource with their forms, where no page shows them in a way of its own. */
export function RecordList({ resource, parentId: given, linkOf, more }: RecordListProps) {
  const t = useText()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [chosen, setParentId] = useState('')
  const parentId = given ?? chosen
  const { parent } = resource
  const isReady = parent === undefined || parentId !== ''
  const query = useRecords({ resource, parentId: parent && isReady ? parentId : undefined, search, page })
  return (
    <section className="stack">
      <div className="row record-tools">
        {parent && given === undefined && (
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
                  more={more}
                  resource={resource}
                  items={items.slice(0, LIST_SIZE)}
                  parentId={parent && parentId}
                  search={search}
                />
                <PageButtons page={page} hasNext={hasNext} onPage={setPage} />
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
  readonly more: RecordListProps['more']
  readonly resource: Resource
  readonly items: readonly AnyRecord[]
  readonly parentId: string | undefined
  readonly search: string
}

function RecordTable({ resource, items, parentId, search, linkOf, more }: RecordTableProps) {
  const t = useText()
  const can = useCan()
  const { language } = useLanguage()
  const { columns, references = {}, months = [] } = resource
  const cells: Column<AnyRecord>[] = columns.map((field, index) => {
    const reference = references[field]
    return {
      id: field,
      title: fieldText(field, t),
      cell: (record: AnyRecord) => {
        if (linkOf && index === 0) return linkOf(record, nameOfRecord(record, resource.label))
        if (months.includes(field)) return formatMonth(String(record[field]), language)
        return reference ? (
          <ReferenceNames reference={reference} ids={[record[field] ?? []].flat()} />
        ) : (
          <FieldValue field={field} value={record[field]} />
        )
      },
    }
  })
  const filters = {
    ...resource.query,
    ...(parentId !== undefined && { id: parentId }),
    ...(search !== '' && { search }),
  }
  const { permission, update, isDeletable, deletePermission = permission, actions = [] } = resource
  const mayChange =
    more !== undefined ||
    (update !== undefined && can(permission)) ||
    (isDeletable === true && can(deletePermission)) ||
    actions.some((action) => can(action.permission))
  return (
    <DataTable
      report={resource.report === undefined ? null : { list: resource.report, query: filters }}
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
                  <span className="row">
                    <RecordButtons resource={resource} record={record} parentId={parentId} />
                    {more?.(record)}
                  </span>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}

interface ReferenceNamesProps {
  readonly reference: Reference
  readonly ids: readonly unknown[]
}

/** The names of records by their ids, or the beginnings of the ids. */
function ReferenceNames({ reference, ids }: ReferenceNamesProps) {
  const { data = [] } = useReferred(reference)
  if (ids.length === 0) return '—'
  const nameOf = (id: string) => {
    const record = data.find((one) => one.id === id)
    return record ? nameOfRecord(record, reference.label) : id.slice(0, 8)
  }
  return ids.map((id) => nameOf(String(id))).join(', ')
}
