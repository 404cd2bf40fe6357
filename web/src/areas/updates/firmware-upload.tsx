import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useClient } from '../../api/session.tsx'
import { upload } from '../../api/upload.ts'
import { useText } from '../../kernel/text.tsx'
import { fieldText } from '../../records/field-texts.ts'
import { Button, Notice, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { FileField, TextArea } from '../../ui/inputs.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { UPDATE_TEXTS } from './texts.ts'

const VERSIONS = '/api/firmware/versions'
const EMPTY = { version: '', device_model: '', release_notes: '', signature: '' }

/** A new draft: its file is sent with progress, and the upload can be cancelled. */
export function FirmwareUpload() {
  const t = useText()
  const { language } = useClient()
  const queries = useQueryClient()
  const [values, setValues] = useState(EMPTY)
  const [file, setFile] = useState<File>()
  const [share, setShare] = useState<number>()
  const [stored, setStored] = useState<string>()
  const cancel = useRef<AbortController>(undefined)
  const change = (part: Partial<typeof EMPTY>) => setValues((before) => ({ ...before, ...part }))
  const submit = async () => {
    if (!file) return
    setStored(undefined)
    const body = new FormData()
    for (const [name, value] of Object.entries(values))
      if (value.trim() !== '') body.append(name, value.trim())
    // The file comes last: the service reads the fields before it.
    body.append('file', file)
    cancel.current = new AbortController()
    setShare(0)
    try {
      await upload({ path: VERSIONS, body, language, onProgress: setShare, signal: cancel.current.signal })
      setStored(values.version)
      setValues(EMPTY)
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
    } finally {
      setShare(undefined)
      await queries.invalidateQueries({ queryKey: [VERSIONS] })
    }
  }
  return (
    <details className="card">
      <summary>{t(UPDATE_TEXTS.UPDATES_UPLOAD())}</summary>
      <Form submitText={t(UPDATE_TEXTS.UPDATES_UPLOAD())} onSubmit={submit} isDisabled={!file}>
        {(['version', 'device_model'] as const).map((name) => (
          <TextField
            key={name}
            label={fieldText(name, t)}
            value={values[name]}
            onChange={(value) => change({ [name]: value })}
            isRequired
          />
        ))}
        <TextArea
          label={fieldText('release_notes', t)}
          value={values.release_notes}
          onChange={(release_notes) => change({ release_notes })}
        />
        <TextField
          label={fieldText('signature', t)}
          value={values.signature}
          onChange={(signature) => change({ signature })}
        />
        <FileField label={fieldText('file', t)} accept="" onFile={setFile} />
        {share !== undefined && (
          <div className="stack">
            <progress className="progress" value={share} aria-label={t(UPDATE_TEXTS.UPDATES_UPLOADING())} />
            <div>
              <Button onPress={() => cancel.current?.abort()}>{t(UI_TEXTS.UI_CANCEL())}</Button>
            </div>
          </div>
        )}
      </Form>
      {stored !== undefined && (
        <Notice tone="success">{t(UPDATE_TEXTS.UPDATES_UPLOADED({ version: stored }))}</Notice>
      )}
    </details>
  )
}
