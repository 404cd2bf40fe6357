import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Select } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { CommandResult } from './command-table.tsx'
import type { Charger, Command } from './states.ts'
import { CHARGING_TEXTS } from './texts.ts'

/** How long the request waits for the response of the station, s. */
const WAIT_S = 10

/** Starts charging with a tag at a connector. */
export function StartForm({ charger: { id, connectors } }: { readonly charger: Charger }) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [tag, setTag] = useState('')
  const [connector, setConnector] = useState('')
  const [command, setCommand] = useState<Command>()
  const start = async () => {
    setCommand(undefined)
    const { data } = await api.post('/api/ocpp/chargers/{id}/commands', {
      path: { id },
      query: { wait: WAIT_S },
      body: {
        action: 'remote_start',
        id_tag: tag,
        ...(connector !== '' && { connector_id: Number(connector) }),
      },
    })
    setCommand(data)
    await queries.invalidateQueries({ queryKey: ['/api/ocpp/sessions'] })
  }
  return (
    <section className="card">
      <h2>{t(CHARGING_TEXTS.CHARGING_START())}</h2>
      <Form submitText={t(CHARGING_TEXTS.CHARGING_START())} onSubmit={start}>
        <TagField value={tag} onChange={setTag} />
        <Select
          label={t(CHARGING_TEXTS.CHARGING_CONNECTOR_COLUMN())}
          value={connector}
          onChange={setConnector}
          options={[
            { value: '', text: t(CHARGING_TEXTS.CHARGING_ANY_CONNECTOR()) },
            ...connectors.map(({ connector_id }) => ({
              value: String(connector_id),
              text: t(CHARGING_TEXTS.CHARGING_CONNECTOR({ id: connector_id })),
            })),
          ]}
        />
      </Form>
      {command && <CommandResult command={command} />}
    </section>
  )
}

const TAGS_OFFERED = 50

interface TagFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A tag, by its beginning or by the name of its owner; the list of the browser offers the ones that match. */
function TagField({ value, onChange }: TagFieldProps) {
  const t = useText()
  const id = useId()
  const tags = useGet('/api/ocpp/id-tags', {
    query: { status: 'accepted', limit: TAGS_OFFERED, search: value },
  })
  return (
    <div className="field">
      <label htmlFor={id}>{t(CHARGING_TEXTS.CHARGING_ID_TAG())}</label>
      <input
        id={id}
        className="input"
        list={`${id}-tags`}
        value={value}
        required
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-tags`}>
        {tags.data?.items.map(({ id: tagId, tag, name }) => (
          <option key={tagId} value={tag}>
            {name ?? tag}
          </option>
        ))}
      </datalist>
    </div>
  )
}
