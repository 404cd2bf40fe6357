/** The dialogs that create, change and delete a record, and those of its further actions. */
import { type QueryKey, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Message } from '../../../src/kernel/messages.ts'
import { adviceOn } from '../forms/conflict.ts'
import { useText } from '../kernel/text.tsx'
import { Button, Notice } from '../ui/controls.tsx'
import { DetailList } from '../ui/detail-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded, useErrorText } from '../ui/page.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { type AnyClient, useAnyClient } from './any-client.ts'
import { fieldText } from './field-texts.ts'
import { FieldValue } from './field-value.tsx'
import { pageOf } from './read-records.ts'
import { RecordForm } from './record-form.tsx'
import { type AnyRecord, nameOfRecord, type RecordAction, type RecordChanges } from './resource.ts'
import { RECORD_TEXTS } from './texts.ts'

interface DialogProps {
  readonly resource: RecordChanges
  readonly onClose: () => void
}

/** Fields without a value are not sent. */
const hiddenFields = ({ hidden = [] }: RecordChanges) =>
  Object.fromEntries(hidden.map((name) => [name, undefined]))

interface CreateDialogProps extends DialogProps {
  readonly title: Message
  readonly parentId?: string | undefined
  readonly onCreated?: ((record: AnyRecord) => void) | undefined
}

export function CreateDialog({ title, resource, parentId, onClose, onCreated }: CreateDialogProps) {
  const t = useText()
  const { create, createNote, list, references, fixed, initial, isHidden, shown } = resource
  const [response, setResponse] = useState<AnyRecord>()
  const done = (data: unknown) => {
    const record = data as AnyRecord
    if (shown) setResponse(record)
    else onClose()
    onCreated?.(record)
  }
  return (
    <Dialog title={t(title)} onClose={onClose}>
      {response ? (
        <Shown fields={shown ?? []} response={response} onClose={onClose} />
      ) : (
        <>
          {createNote && <p>{t(createNote())}</p>}
          <RecordForm
            method="POST"
            path={create ?? list}
            parameters={parentId === undefined ? {} : { id: parentId }}
            fixed={{ ...hiddenFields(resource), ...fixed }}
            references={references}
            initial={initial}
            isHidden={isHidden}
            submitText={t(RECORD_TEXTS.RECORD_CREATE())}
            onDone={done}
            onCancel={onClose}
          />
        </>
      )}
    </Dialog>
  )
}

interface RecordDialogProps extends DialogProps {
  readonly record: AnyRecord
  readonly parentId?: string | undefined
}

/** The values of the path of one record. */
function parametersOf({ item, parent }: RecordChanges, record: AnyRecord, parentId: string | undefined) {
  const own = { [item?.parameter ?? 'id']: record.id }
  return parent && item?.parameter !== 'id' && item?.path.includes('{id}')
    ? { id: parentId ?? '', ...own }
    : own
}

async function readOriginal(api: AnyClient, path: string, parameters: Readonly<Record<string, string>>) {
  const { data, etag } = await api.get(path, { path: parameters })
  return { record: data as AnyRecord, etag }
}

export function EditDialog({ resource, record, parentId, onClose }: RecordDialogProps) {
  const t = useText()
  const { api } = useAnyClient()
  const { item, update = 'PUT', references, isHidden, label } = resource
  const path = item?.path ?? ''
  const parameters = parametersOf(resource, record, parentId)
  const isReadable = item?.isReadable ?? false
  const read = async () => {
    const original = await readOriginal(api, path, parameters)
    return item?.isLive ? { ...original, etag: undefined } : original
  }
  // Read when the dialog is opened: its version goes with the change.
  const query = useQuery({
    queryKey: ['edit', path, record.id],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => (isReadable ? read() : { record, etag: undefined }),
  })
  return (
    <Dialog title={t(RECORD_TEXTS.RECORD_EDIT_ONE({ name: nameOfRecord(record, label) }))} onClose={onClose}>
      <Loaded query={query}>
        {(original) => (
          <RecordForm
            method={update}
            path={path}
            parameters={parameters}
            original={{ ...original, ...(isReadable && { read }) }}
            fixed={hiddenFields(resource)}
            references={references}
            isHidden={isHidden && ((name, values) => isHidden(name, { ...record, ...values }))}
            submitText={t(UI_TEXTS.UI_SAVE())}
            onDone={onClose}
            onCancel={onClose}
          />
        )}
      </Loaded>
    </Dialog>
  )
}

interface ActionDialogProps {
  readonly action: RecordAction
  readonly record: AnyRecord
  /** Field that names the record; default `name`. */
  readonly nameField?: string | undefined
  readonly onClose: () => void
}

export function ActionDialog({ action, record, nameField, onClose }: ActionDialogProps) {
  const t = useText()
  const { title, note, method, path, fixed, references, shown, result } = action
  const [response, setResponse] = useState<AnyRecord>()
  const done = (data: unknown) => {
    if (shown ?? result) setResponse(data as AnyRecord)
    else onClose()
  }
  return (
    <Dialog title={`${t(title())}: ${nameOfRecord(record, nameField)}`} onClose={onClose}>
      {response ? (
        <Shown fields={shown ?? result ?? []} isSecret={!result} response={response} onClose={onClose} />
      ) : (
        <>
          {note && <p>{t(note())}</p>}
          <RecordForm
            method={method}
            path={path}
            parameters={path.includes('{id}') ? { id: record.id } : {}}
            fixed={fixed?.(record)}
            references={references}
            submitText={t(title())}
            onDone={done}
            onCancel={onClose}
          />
        </>
      )}
    </Dialog>
  )
}

interface ShownProps {
  readonly fields: readonly string[]
  /** Whether only this response contains the values, such as a password. */
  readonly isSecret?: boolean
  readonly response: AnyRecord
  readonly onClose: () => void
}

/** The values of a response: those that are not shown again, or the result of an action. */
function Shown({ fields, isSecret = true, response, onClose }: ShownProps) {
  const t = useText()
  return (
    <>
      {isSecret && <Notice tone="warning">{t(RECORD_TEXTS.RECORD_SHOWN_ONCE())}</Notice>}
      {response['ok'] === false && <Notice tone="danger">{t(RECORD_TEXTS.RECORD_FAILED())}</Notice>}
      {response['ok'] === true && <Notice tone="success">{t(RECORD_TEXTS.RECORD_SUCCEEDED())}</Notice>}
      <DetailList
        entries={fields.map((field) => [
          fieldText(field, t),
          isSecret ? (
            <code key={field}>{String(response[field])}</code>
          ) : (
            <FieldValue key={field} field={field} value={response[field]} />
          ),
        ])}
      />
      <div className="row">
        <Button variant="primary" onPress={onClose}>
          {t(UI_TEXTS.UI_CLOSE())}
        </Button>
      </div>
    </>
  )
}

/** Whether one of the parameters of a read is the id. */
const isAbout = (queryKey: QueryKey, id: unknown) => JSON.stringify(queryKey).includes(`"${id}"`)

interface DeleteDialogProps extends RecordDialogProps {
  readonly onDeleted?: (() => void) | undefined
}

/** Asks for confirmation, and names the records that refer to the one that is to be deleted. */
export function DeleteDialog({ resource, record, parentId, onClose, onDeleted }: DeleteDialogProps) {
  const t = useText()
  const errorText = useErrorText()
  const queries = useQueryClient()
  const { api } = useAnyClient()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const name = nameOfRecord(record, resource.label)
  const advice = adviceOn(error)
  const remove = async () => {
    setSending(true)
    setError(undefined)
    try {
      await api.delete(resource.item?.path ?? '', { path: parametersOf(resource, record, parentId) })
      onDeleted?.()
      onClose()
      // The page of the record may still be mounted: reading the deleted record again would give 404.
      await queries.invalidateQueries({ predicate: ({ queryKey }) => !isAbout(queryKey, record.id) })
    } catch (failure) {
      setError(failure)
    } finally {
      setSending(false)
    }
  }
  return (
    <Dialog title={t(RECORD_TEXTS.RECORD_DELETE_ONE({ name }))} onClose={onClose}>
      <p>{t(RECORD_TEXTS.RECORD_DELETE_QUESTION({ name }))}</p>
      <Dependents resource={resource} record={record} />
      {error !== undefined && (
        <Notice tone="danger">
          <p>{errorText(error)}</p>
          {advice && <p>{t(advice)}</p>}
        </Notice>
      )}
      <div className="row">
        <Button variant="primary" isDisabled={isSending} onPress={() => void remove()}>
          {t(UI_TEXTS.UI_DELETE())}
        </Button>
        <Button onPress={onClose}>{t(UI_TEXTS.UI_CANCEL())}</Button>
      </div>
    </Dialog>
  )
}

/** Records of a kind that are named; further ones are counted. */
const NAMED = 5

function Dependents({ resource, record }: Pick<RecordDialogProps, 'resource' | 'record'>) {
  const t = useText()
  const { api } = useAnyClient()
  const { dependents = [] } = resource
  const reads = useQueries({
    queries: dependents.map(({ list, parameter }) => ({
      queryKey: [list, 'dependents', parameter, record.id],
      gcTime: 0,
      queryFn: async () =>
        pageOf((await api.get(list, { query: { [parameter]: record.id, limit: NAMED + 1 } })).data),
    })),
  })
  if (dependents.length === 0) return null
  if (reads.some(({ isLoading }) => isLoading)) return <p role="status">{t(UI_TEXTS.UI_LOADING())}</p>
  const lines = dependents.flatMap(({ text, label }, index) => {
    const { items = [], total = items.length } = reads[index]?.data ?? {}
    if (items.length === 0) return []
    const names = items.slice(0, NAMED).map((item) => nameOfRecord(item, label))
    const more = total > names.length ? [t(RECORD_TEXTS.RECORD_MORE())] : []
    return [`${t(text())}: ${[...names, ...more].join(', ')}`]
  })
  if (lines.length === 0) return <p className="muted">{t(RECORD_TEXTS.RECORD_NO_DEPENDENTS())}</p>
  return (
    <Notice tone="warning">
      <p>{t(RECORD_TEXTS.RECORD_DEPENDENTS())}</p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  )
}
