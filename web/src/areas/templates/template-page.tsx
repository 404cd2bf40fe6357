import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { upload } from '../../api/upload.ts'
import { useText } from '../../kernel/text.tsx'
import { fieldText } from '../../records/field-texts.ts'
import { TEMPLATES } from '../../records/plant-resources.ts'
import { RecordButtons } from '../../records/record-buttons.tsx'
import { valueText } from '../../records/value-texts.ts'
import { useAction } from '../../ui/action.tsx'
import { Button, Tag } from '../../ui/controls.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { DownloadButton } from '../../ui/download.tsx'
import { FileField } from '../../ui/inputs.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { MapEditor } from './map-editor.tsx'
import { TEMPLATE_PAGE_TEXTS } from './texts.ts'

const TEMPLATE = '/api/devices/device-templates/{id}'
export type Template = NonNullable<ReturnType<typeof useGet<typeof TEMPLATE>>['data']>

/** One template: what it is for, and its register map, which is edited here and run against recorded frames. */
export function TemplatePage() {
  const t = useText()
  const { templateId } = useParams({ from: '/signed-in/templates/$templateId' })
  const navigate = useNavigate()
  const query = useGet(TEMPLATE, { path: { id: templateId } })
  return (
    <Page
      title={query.data?.name ?? t(TEMPLATE_PAGE_TEXTS.TEMPLATES_TEMPLATE())}
      actions={
        query.data && (
          <>
            <CopyButton template={query.data} />
            <RecordButtons
              resource={TEMPLATES}
              record={{ ...query.data }}
              onDeleted={() => void navigate({ to: '/templates' })}
            />
          </>
        )
      }
    >
      <Loaded query={query}>
        {(template) => (
          <>
            <TemplateState template={template} />
            <MapFiles template={template} />
            <MapEditor key={template.id} template={template} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function TemplateState({ template }: { readonly template: Template }) {
  const t = useText()
  const { vendor, model, device_type, protocols, is_system } = template
  return (
    <section className="card">
      {is_system && (
        <div className="row">
          <Tag>{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_SYSTEM())}</Tag>
        </div>
      )}
      <DetailList
        entries={[
          [fieldText('vendor', t), vendor],
          [fieldText('model', t), model],
          [fieldText('device_type', t), valueText(device_type, t)],
          [fieldText('protocols', t), protocols.map((one) => valueText(one, t)).join(', ')],
        ]}
      />
    </section>
  )
}

/** Creates an own template with the same map, and opens it. */
function CopyButton({ template }: { readonly template: Template }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const navigate = useNavigate()
  const { run, isRunning, notice } = useAction([])
  if (!can('manage:device')) return null
  const copy = async () => {
    const { vendor, model, device_type, register_map } = template
    const name = t(TEMPLATE_PAGE_TEXTS.TEMPLATES_COPY_NAME({ name: template.name }))
    const map = register_map as Record<string, unknown> | null
    const body = { name, vendor, model, device_type, ...(map && { register_map: map }) }
    const { data } = await api.post('/api/devices/device-templates', { body })
    await navigate({ to: '/templates/$templateId', params: { templateId: data.id } })
    return undefined
  }
  return (
    <>
      <Button isDisabled={isRunning} onPress={() => void run(copy)}>
        {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_COPY())}
      </Button>
      {notice}
    </>
  )
}

/** The map as a file, and from one. An upload is checked as a whole and replaces the map. */
function MapFiles({ template: { id, name, is_system, register_map } }: { readonly template: Template }) {
  const t = useText()
  const can = useCan()
  const { api, language } = useClient()
  const queries = useQueryClient()
  const { run, notice } = useAction([])
  const send = async (file: File) => {
    const contentType = /\.csv$/i.test(file.name) ? 'text/csv' : 'application/json'
    const path = `/api/devices/device-templates/${id}/register-map`
    await upload({ method: 'PUT', path, body: await file.text(), contentType, language })
    await queries.invalidateQueries()
    return t(TEMPLATE_PAGE_TEXTS.TEMPLATES_SAVED())
  }
  return (
    <section className="row record-tools">
      {register_map !== null &&
        (['json', 'csv'] as const).map((format) => (
          <DownloadButton
            key={format}
            label={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_DOWNLOAD({ format: format.toUpperCase() }))}
            name={`${name}.${format}`}
            read={async () => {
              const path = '/api/devices/device-templates/{id}/register-map/download'
              const { data, headers } = await api.get(path, { path: { id }, query: { format } })
              return { data: format === 'json' ? JSON.stringify(data, null, 2) : data, headers }
            }}
          />
        ))}
      {can('manage:device') && !is_system && (
        <FileField
          label={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_UPLOAD())}
          accept=".json,.csv"
          onFile={(file) => file && void run(() => send(file))}
        />
      )}
      {notice}
    </section>
  )
}
