import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan, useClient } from '../../api/session.tsx'
import { leaveFrom } from '../../forms/unsaved.ts'
import { useText } from '../../kernel/text.tsx'
import { fieldText } from '../../records/field-texts.ts'
import { Button, Notice, Select } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { FileField, NativeField } from '../../ui/inputs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { TEMPLATE_PAGE_TEXTS } from './texts.ts'

type Format = 'sunspec' | 'zigbee2mqtt'
interface Note {
  readonly key: string | null
  readonly note: string
}
interface Imported {
  readonly id: string
  readonly notes: readonly Note[]
}

/** Creates a template from a SunSpec model or a zigbee2mqtt definition; nothing without the permission. */
export function TemplateImport() {
  const t = useText()
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  if (!can('manage:device')) return null
  return (
    <>
      <Button onPress={() => setOpen(true)}>{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_IMPORT())}</Button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText()
  const navigate = useNavigate()
  const [imported, setImported] = useState<Imported>()
  const open = (id: string) => navigate({ to: '/templates/$templateId', params: { templateId: id } })
  return (
    <Dialog title={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_IMPORT())} onClose={onClose}>
      {imported ? (
        <>
          <Notice tone="success">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_IMPORTED())}</Notice>
          {imported.notes.length > 0 && (
            <ul>
              {imported.notes.map(({ key, note }) => (
                <li key={`${key} ${note}`}>{key === null ? note : `${key}: ${note}`}</li>
              ))}
            </ul>
          )}
          <div className="row">
            <Button variant="primary" onPress={() => void open(imported.id)}>
              {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_OPEN())}
            </Button>
            <Button onPress={onClose}>{t(UI_TEXTS.UI_CLOSE())}</Button>
          </div>
        </>
      ) : (
        <ImportForm onImported={setImported} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface ImportFormProps {
  readonly onImported: (imported: Imported) => void
  readonly onClose: () => void
}

/** A text that is no JSON has its own message: the service sees the document only. */
class NoJsonFileError extends Error {}

async function documentOf(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text()) as unknown
  } catch {
    throw new NoJsonFileError(file.name)
  }
}

function ImportForm({ onImported, onClose }: ImportFormProps) {
  const t = useText()
  const { api } = useClient()
  const [format, setFormat] = useState<Format>('sunspec')
  const [fields, setFields] = useState({ name: '', device_type: '', vendor: '', model: '', base_address: '' })
  const [file, setFile] = useState<File>()
  const [isNoJson, setNoJson] = useState(false)
  const send = async () => {
    if (!file) return
    setNoJson(false)
    const { name, device_type, vendor, model, base_address } = fields
    try {
      const body = {
        name,
        device_type,
        ...(vendor !== '' && { vendor }),
        ...(model !== '' && { model }),
        ...(base_address !== '' && format === 'sunspec' && { base_address: Number(base_address) }),
        document: await documentOf(file),
      }
      const { data } = await api.post('/api/devices/device-templates/import', { query: { format }, body })
      onImported(data)
    } catch (error) {
      if (!(error instanceof NoJsonFileError)) throw error
      setNoJson(true)
    }
  }
  const field = (name: keyof typeof fields, isRequired: boolean) => (
    <NativeField
      type={name === 'base_address' ? 'number' : 'text'}
      label={fieldText(name, t)}
      value={fields[name]}
      isRequired={isRequired}
      onChange={(value) => setFields({ ...fields, [name]: value })}
    />
  )
  return (
    <>
      <p>{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_IMPORT_NOTE())}</p>
      {isNoJson && <Notice tone="danger">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_NO_JSON())}</Notice>}
      <Form submitText={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_IMPORT())} onSubmit={send} isDisabled={!file}>
        <Select<Format>
          label={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_FORMAT())}
          value={format}
          onChange={setFormat}
          options={[
            { value: 'sunspec', text: t(TEMPLATE_PAGE_TEXTS.TEMPLATES_SUNSPEC()) },
            { value: 'zigbee2mqtt', text: t(TEMPLATE_PAGE_TEXTS.TEMPLATES_ZIGBEE2MQTT()) },
          ]}
        />
        <FileField label={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_FILE())} accept=".json" onFile={setFile} />
        {field('name', true)}
        {field('device_type', true)}
        {field('vendor', false)}
        {field('model', false)}
        {format === 'sunspec' && field('base_address', false)}
      </Form>
      <div>
        <Button onPress={(event) => leaveFrom(event, onClose)}>{t(UI_TEXTS.UI_CANCEL())}</Button>
      </div>
    </>
  )
}
