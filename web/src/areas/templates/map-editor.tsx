import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../../clients/typescript/src/index.ts'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { useBodySchema } from '../../forms/api-document.ts'
import { NotJsonError } from '../../forms/schema.ts'
import { FORM_TEXTS } from '../../forms/texts.ts'
import { useUnsavedChanges } from '../../forms/unsaved.ts'
import { useText } from '../../kernel/text.tsx'
import { fieldText } from '../../records/field-texts.ts'
import { Button, Notice } from '../../ui/controls.tsx'
import { Loaded, useErrorText } from '../../ui/page.tsx'
import { Frames } from './frames.tsx'
import {
  documentOf,
  draftOf,
  EMPTY_MAP,
  faultsOfIssues,
  headOf,
  type MapDraft,
  type MapFaults,
  type MapSchemas,
  NO_FAULTS,
} from './map-draft.ts'
import { MapHead } from './map-head.tsx'
import { RegisterGrid } from './register-grid.tsx'
import type { Template } from './template-page.tsx'
import { TEMPLATE_PAGE_TEXTS } from './texts.ts'

const RUN = '/api/devices/device-templates/run-frames'
const MAP = '/api/devices/device-templates/{id}/register-map'
const FILE = '/api/devices/device-templates/{id}/register-map/download'
export type Decoded = ResponseOf<'POST', typeof RUN>

/** The map with its version, as the service stores it. */
function useStoredMap({ id, register_map }: Template) {
  const { api } = useClient()
  return useQuery({
    queryKey: [FILE, id, register_map],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      if (register_map === null) return { document: EMPTY_MAP, etag: undefined }
      const { data, etag } = await api.get(FILE, { path: { id }, query: { format: 'json' } })
      return { document: data as Readonly<Record<string, unknown>>, etag }
    },
  })
}

export function MapEditor({ template }: { readonly template: Template }) {
  const t = useText()
  const schema = useBodySchema('POST', RUN)
  const stored = useStoredMap(template)
  // The editor begins again with each stored version, and the result of saving remains.
  const [message, setMessage] = useState<Message>()
  return (
    <Loaded query={schema}>
      {(map) => (
        <Loaded query={stored}>
          {({ document, etag }) =>
            document['format'] === EMPTY_MAP['format'] ? (
              <LoadedEditor
                key={etag}
                template={template}
                document={document}
                etag={etag}
                message={message}
                onMessage={setMessage}
                schemas={{
                  head: headOf(map),
                  register: map.properties?.['registers']?.items ?? {},
                  frame: map.properties?.['tests']?.items ?? {},
                }}
              />
            ) : (
              <Notice tone="warning">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_OTHER_FORMAT())}</Notice>
            )
          }
        </Loaded>
      )}
    </Loaded>
  )
}

interface LoadedEditorProps {
  readonly template: Template
  readonly document: Readonly<Record<string, unknown>>
  readonly etag: string | undefined
  readonly schemas: MapSchemas
  readonly message: Message | undefined
  readonly onMessage: (message: Message | undefined) => void
}

function LoadedEditor({ template, document, etag, schemas, message, onMessage }: LoadedEditorProps) {
  const t = useText()
  const can = useCan()
  const isReadOnly = template.is_system || !can('manage:device')
  const [draft, setDraft] = useState(() => draftOf(document, schemas))
  const [isChanged, setChanged] = useState(false)
  const section = useRef<HTMLElement>(null)
  useUnsavedChanges(section, isChanged && !isReadOnly)
  const { send, isRunning, decoded, faults, forget } = useMapRequests({
    id: template.id,
    etag,
    schemas,
    setMessage: onMessage,
  })
  const change = (part: Partial<MapDraft>) => {
    setDraft((before) => ({ ...before, ...part }))
    setChanged(true)
    forget()
  }
  return (
    <section ref={section} className="stack">
      <MapHead
        schema={schemas.head}
        values={draft.head}
        faults={faults.head}
        isReadOnly={isReadOnly}
        onChange={(head) => change({ head })}
      />
      <RegisterGrid
        schema={schemas.register}
        rows={draft.registers}
        faults={faults.cells}
        isReadOnly={isReadOnly}
        onChange={(registers) => change({ registers })}
      />
      <Frames
        schema={schemas.frame}
        frames={draft.frames}
        faults={faults.cells}
        decoded={decoded}
        onChange={(frames) => change({ frames })}
      />
      {message && <Notice tone={message.tone}>{message.text}</Notice>}
      {faults.others.length > 0 && (
        <Notice tone="danger">
          <ul>
            {faults.others.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="row">
        <Button variant="primary" isDisabled={isRunning} onPress={() => void send('run', draft)}>
          {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_RUN())}
        </Button>
        {!isReadOnly && (
          <Button isDisabled={isRunning || !isChanged} onPress={() => void send('save', draft)}>
            {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_SAVE())}
          </Button>
        )}
        {isChanged && !isReadOnly && (
          <span className="muted">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_UNSAVED())}</span>
        )}
      </div>
    </section>
  )
}

interface Message {
  readonly tone: 'success' | 'warning' | 'danger'
  readonly text: string
}

interface MapRequestOptions {
  readonly id: string
  readonly etag: string | undefined
  readonly schemas: MapSchemas
  readonly setMessage: (message: Message | undefined) => void
}

/** Runs the frames of a draft, or stores it; the faults of both are at their cells. */
function useMapRequests({ id, etag, schemas, setMessage }: MapRequestOptions) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [isRunning, setRunning] = useState(false)
  const [decoded, setDecoded] = useState<Decoded>()
  const [faults, setFaults] = useState<MapFaults>(NO_FAULTS)
  const fail = (error: unknown) => {
    if (error instanceof NotJsonError) {
      const text = `${fieldText(error.field, t)}: ${t(FORM_TEXTS.FORM_NOT_JSON())}`
      return setMessage({ tone: 'danger', text })
    }
    if (error instanceof ApiError && error.issues.length > 0) {
      setFaults(faultsOfIssues(error.issues))
      return setMessage({ tone: 'danger', text: t(TEMPLATE_PAGE_TEXTS.TEMPLATES_FAULTS()) })
    }
    const isOutdated = error instanceof ApiError && error.status === 412
    setMessage({
      tone: 'danger',
      text: isOutdated ? t(TEMPLATE_PAGE_TEXTS.TEMPLATES_CHANGED()) : errorText(error),
    })
  }
  const run = async (body: object) => {
    const { data } = await api.post(RUN, { body: body as never })
    setDecoded(data)
    const { matched, differing } = data
    setMessage({
      tone: differing === 0 ? 'success' : 'warning',
      text: t(TEMPLATE_PAGE_TEXTS.TEMPLATES_RUN_RESULT({ matched, differing })),
    })
  }
  const save = async (body: object) => {
    const { data } = await api.put(MAP, { path: { id }, body: body as never, ifMatch: etag })
    const notes = data.notes.map(({ key, note }) => (key === null ? note : `${key}: ${note}`))
    setMessage({ tone: 'success', text: [t(TEMPLATE_PAGE_TEXTS.TEMPLATES_SAVED()), ...notes].join(' ') })
    await queries.invalidateQueries()
  }
  const forget = () => {
    setDecoded(undefined)
    setFaults(NO_FAULTS)
    setMessage(undefined)
  }
  const send = async (kind: 'run' | 'save', draft: MapDraft) => {
    forget()
    setRunning(true)
    try {
      await (kind === 'run' ? run : save)(documentOf(draft, schemas))
    } catch (error) {
      fail(error)
    } finally {
      setRunning(false)
    }
  }
  return { send, isRunning, decoded, faults, forget }
}
