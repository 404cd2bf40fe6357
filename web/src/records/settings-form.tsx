import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../clients/typescript/src/index.ts'
import type { Message } from '../../../src/kernel/messages.ts'
import { useCan } from '../api/session.tsx'
import type { Method } from '../forms/body-schema.ts'
import type { FieldValues } from '../forms/schema.ts'
import { FORM_TEXTS } from '../forms/texts.ts'
import type { Access } from '../kernel/access.ts'
import { useText } from '../kernel/text.tsx'
import { Notice } from '../ui/controls.tsx'
import { DetailList } from '../ui/detail-list.tsx'
import { Loaded } from '../ui/page.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { useAnyClient } from './any-client.ts'
import { fieldText } from './field-texts.ts'
import { FieldValue } from './field-value.tsx'
import { RecordForm } from './record-form.tsx'
import type { AnyRecord, Reference } from './resource.ts'

interface SettingsFormProps {
  readonly title: () => Message
  readonly note?: () => Message
  readonly path: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly method: Method
  /** What the change needs; without it the settings are shown only. */
  readonly permission?: Access
  readonly isReplacing?: boolean
  readonly references?: Readonly<Record<string, Reference>>
  /** Texts of the controls while there are no settings yet. */
  readonly initial?: FieldValues
  /** The fields of the form from the response, where they differ. */
  readonly recordOf?: (data: unknown) => Readonly<Record<string, unknown>>
  /** Fields that are shown where they cannot be changed. */
  readonly shown: readonly string[]
  /** What can be done with settings that exist. */
  readonly actions?: ReactNode
}

/** Settings of which there is one record: they are read, shown in a form, and stored. */
export function SettingsForm(props: SettingsFormProps) {
  const t = useText()
  const { title, note, path, parameters = {}, recordOf = (data) => data as AnyRecord } = props
  const { api, language } = useAnyClient()
  const read = async () => {
    try {
      const { data, etag } = await api.get(path, { path: parameters })
      return { record: recordOf(data) as AnyRecord, etag }
    } catch (error) {
      // Settings that do not exist yet are made by the first change.
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  }
  const query = useQuery({ queryKey: [path, parameters, 'settings', language], queryFn: read })
  return (
    <section className="card stack">
      <h2>{t(title())}</h2>
      {note && <p className="muted">{t(note())}</p>}
      <Loaded query={query}>
        {(original) => <LoadedSettings {...props} parameters={parameters} original={original} read={read} />}
      </Loaded>
    </section>
  )
}

interface Stored {
  readonly record: AnyRecord
  readonly etag: string | undefined
}
interface LoadedSettingsProps extends SettingsFormProps {
  readonly original: Stored | null
  readonly read: () => Promise<Stored | null>
}

function LoadedSettings(props: LoadedSettingsProps) {
  const t = useText()
  const can = useCan()
  const { original, read, permission, method, path, parameters = {}, shown, actions } = props
  const [saved, setSaved] = useState(0)
  if (permission !== undefined && !can(permission))
    return (
      <DetailList
        entries={shown.map((field) => [
          fieldText(field, t),
          <FieldValue key={field} field={field} value={original?.record[field]} />,
        ])}
      />
    )
  const readAgain = async () => (await read()) ?? { record: { id: '' }, etag: undefined }
  return (
    <>
      <RecordForm
        // After a change the form begins with what is stored now.
        key={`${saved} ${JSON.stringify(original?.record)}`}
        method={method}
        path={path}
        parameters={parameters}
        original={original ? { ...original, read: readAgain } : undefined}
        isReplacing={props.isReplacing}
        references={props.references}
        initial={props.initial}
        submitText={t(UI_TEXTS.UI_SAVE())}
        onDone={() => setSaved(saved + 1)}
      />
      {saved > 0 && <Notice tone="success">{t(FORM_TEXTS.FORM_SAVED())}</Notice>}
      {original && actions !== undefined && <div className="row">{actions}</div>}
    </>
  )
}
