import { useState } from 'react'
import { useCan } from '../api/session.tsx'
import { useText } from '../kernel/text.tsx'
import { Button } from '../ui/controls.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { ActionDialog, CreateDialog, DeleteDialog, EditDialog } from './record-dialogs.tsx'
import {
  type AnyRecord,
  nameOfRecord,
  type RecordAction,
  type RecordChanges,
  type Resource,
} from './resource.ts'
import { RECORD_TEXTS } from './texts.ts'

interface CreateButtonProps {
  readonly resource: Resource
  readonly parentId?: string | undefined
  readonly onCreated?: (record: AnyRecord) => void
}

/** A button that opens the form of a new record; nothing without the permission. */
export function CreateButton({ resource, parentId, onCreated }: CreateButtonProps) {
  const t = useText()
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  const { createTitle } = resource
  if (!createTitle || !can(resource.permission)) return null
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        {t(createTitle())}
      </Button>
      {isOpen && (
        <CreateDialog
          title={createTitle()}
          resource={resource}
          parentId={parentId}
          onCreated={onCreated}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface RecordButtonsProps {
  readonly resource: RecordChanges
  readonly record: AnyRecord
  readonly parentId?: string | undefined
  readonly onDeleted?: () => void
}

type Open = 'edit' | 'delete' | undefined

/** The buttons that change a record: those that the user may use, and that its state allows. */
export function RecordButtons({ resource, record, parentId, onDeleted }: RecordButtonsProps) {
  const t = useText()
  const can = useCan()
  const [open, setOpen] = useState<Open>()
  const { permission, update, isDeletable, deletePermission = permission, isOwn = () => true } = resource
  const name = nameOfRecord(record, resource.label)
  const isEditable = update !== undefined && can(permission) && isOwn(record)
  const close = () => setOpen(undefined)
  const common = { resource, record, parentId, onClose: close }
  return (
    <span className="row">
      {isEditable && (
        <Button aria-label={t(RECORD_TEXTS.RECORD_EDIT_ONE({ name }))} onPress={() => setOpen('edit')}>
          {t(RECORD_TEXTS.RECORD_EDIT())}
        </Button>
      )}
      <ActionButtons record={record} nameField={resource.label} actions={resource.actions ?? []} />
      {isDeletable && can(deletePermission) && isOwn(record) && (
        <Button aria-label={t(RECORD_TEXTS.RECORD_DELETE_ONE({ name }))} onPress={() => setOpen('delete')}>
          {t(UI_TEXTS.UI_DELETE())}
        </Button>
      )}
      {open === 'edit' && <EditDialog {...common} />}
      {open === 'delete' && <DeleteDialog {...common} onDeleted={onDeleted} />}
    </span>
  )
}

interface ActionButtonsProps {
  readonly record: AnyRecord
  /** Field that names the record; default `name`. */
  readonly nameField?: string | undefined
  readonly actions: readonly RecordAction[]
}

/** The further actions of a record: those that the user may use, and that its state allows. */
export function ActionButtons({ record, nameField, actions }: ActionButtonsProps) {
  const t = useText()
  const can = useCan()
  const [open, setOpen] = useState<RecordAction>()
  const name = nameOfRecord(record, nameField)
  return (
    <>
      {actions
        .filter(({ permission, isOffered = () => true }) => can(permission) && isOffered(record))
        .map((action) => (
          <Button
            key={action.name}
            aria-label={`${t(action.title())}: ${name}`}
            onPress={() => setOpen(action)}
          >
            {t(action.title())}
          </Button>
        ))}
      {open && (
        <ActionDialog
          record={record}
          nameField={nameField}
          action={open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
