/** Records of the API that have forms: where they are read and written, who may do it, and what refers to them. */
import type { Message } from '../../../src/kernel/messages.ts'
import type { Method } from '../forms/body-schema.ts'
import type { FieldValues } from '../forms/schema.ts'
import type { Access } from '../kernel/access.ts'
import type { ListName } from '../ui/export-menu.tsx'

export interface AnyRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** A field that holds the id of another record. */
export interface Reference {
  readonly list: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** Whether the list can be searched; others are read once. */
  readonly hasSearch?: boolean
  /** Field that names a record; default `name`. */
  readonly label?: string
  /** The record whose name comes first, such as the facility of an account. */
  readonly owner?: { readonly field: string; readonly reference: Reference }
  /** Records that may be chosen besides those of the list. */
  readonly others?: readonly AnyRecord[]
}

/** Records that refer to a record, read before it is deleted. */
interface Dependent {
  readonly text: () => Message
  readonly list: string
  /** Parameter of the list that has the id of the record. */
  readonly parameter: string
  readonly label?: string
}

/** A request about one record besides changing and deleting it. */
export interface RecordAction {
  readonly name: string
  readonly title: () => Message
  readonly method: Method
  /** With `{id}` for the record. */
  readonly path: string
  readonly permission: Access
  /** What the action does, shown above its form. */
  readonly note?: () => Message
  readonly isOffered?: (record: AnyRecord) => boolean
  /** Fields of the body that the record determines. */
  readonly fixed?: (record: AnyRecord) => Readonly<Record<string, unknown>>
  readonly references?: Readonly<Record<string, Reference>>
  /** Fields of the response that are shown, because only this response has them. */
  readonly shown?: readonly string[]
  /** Fields of the response that are shown as the result, such as that of a test. */
  readonly result?: readonly string[]
}

export interface Resource {
  readonly name: string
  readonly permission: Access
  readonly title: () => Message
  readonly empty: () => Message
  /** Title of the form that creates a record, unless records are created in another way. */
  readonly createTitle?: () => Message
  /** What a new record is, shown above its form. */
  readonly createNote?: () => Message
  /** The list as a file, where it has one. */
  readonly report?: ListName
  /** Path of the list, with `{id}` for the parent if there is one. */
  readonly list: string
  /** How the list is divided: `skip` with a total, or `offset` without one. */
  readonly paging: 'skip' | 'offset' | 'none'
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly hasSearch?: boolean
  /** The records to which those of the list belong. */
  readonly parent?: Reference & { readonly text: () => Message }
  /** Path of POST where it is not that of the list. */
  readonly create?: string
  /** Path of one record, and its parameter for the id. */
  readonly item?: {
    readonly path: string
    readonly parameter: string
    readonly isReadable?: boolean
    /** Whether the record also contains live values: its version changes by itself and is not sent with a change. */
    readonly isLive?: boolean
  }
  readonly update?: 'PUT' | 'PATCH'
  readonly isDeletable?: boolean
  /** Permission of a deletion where it is another one. */
  readonly deletePermission?: Access
  /** Field that identifies a record; default `id`. */
  readonly key?: string
  /** Field that names a record; default `name`. */
  readonly label?: string
  readonly columns: readonly string[]
  readonly references?: Readonly<Record<string, Reference>>
  /** Columns that hold the first day of a month. */
  readonly months?: readonly string[]
  /** Whether the service is still working on a record; the list is read again until none is. */
  readonly isWaiting?: (record: AnyRecord) => boolean
  readonly dependents?: readonly Dependent[]
  readonly actions?: readonly RecordAction[]
  /** Fields of the response to a creation that are shown, because only this response has them. */
  readonly shown?: readonly string[]
  /** Fields of a new record that are sent as they are and have no control. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Fields of the forms that have a page of their own. */
  readonly hidden?: readonly string[]
  /** Texts of the controls of a new record, besides the defaults of the schema. */
  readonly initial?: FieldValues
  /** Fields that do not apply, by the present values of the others, which include those of the record. */
  readonly isHidden?: (name: string, values: Readonly<Record<string, unknown>>) => boolean
  /** Whether a record may be changed or deleted; others belong to the service. */
  readonly isOwn?: (record: AnyRecord) => boolean
}

/** How one record is changed; a kind whose list has a page of its own needs no more. */
export type RecordChanges = Omit<Resource, 'name' | 'title' | 'empty' | 'paging' | 'columns'>

export const nameOfRecord = (record: AnyRecord, label = 'name'): string => {
  const value = record[label]
  return value === null || value === undefined || value === '' ? record.id.slice(0, 8) : String(value)
}
