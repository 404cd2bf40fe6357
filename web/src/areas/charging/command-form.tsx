import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/session.tsx'
import { bodyOf, type FieldValues, type JsonSchema, NotJsonError } from '../../forms/schema.ts'
import { SchemaFields } from '../../forms/schema-fields.tsx'
import { BASE_URL } from '../../kernel/base-url.ts'
import { useText } from '../../kernel/text.tsx'
import { Notice, Select } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/page.tsx'
import { CommandResult } from './command-table.tsx'
import { commandText } from './command-texts.ts'
import type { Command } from './states.ts'
import { CHARGING_TEXTS } from './texts.ts'

const COMMANDS = '/api/ocpp/chargers/{id}/commands'
/** How long the request waits for the response of the station, s. */
const WAIT_S = 5

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

/** The schemas of the commands by their actions, from the API document of the service. */
async function readCommands(): Promise<ReadonlyMap<string, JsonSchema>> {
  const response = await fetch(`${BASE_URL}/openapi.json`)
  const { paths } = (await response.json()) as ApiDocument
  const body = paths[COMMANDS]?.['post']?.requestBody.content['application/json']?.schema
  const commands = (body?.oneOf ?? []).map((command): [string, JsonSchema] => {
    const { action, ...properties } = command.properties ?? {}
    return [String(action?.enum?.[0]), { ...command, properties }]
  })
  return new Map(commands)
}

/** Sends any command of the API to a charger, with a form from the schema of the command. */
export function CommandForm({ chargerId }: { readonly chargerId: string }) {
  const t = useText()
  const query = useQuery({
    queryKey: ['command schemas'],
    queryFn: readCommands,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [selected, setSelected] = useState('trigger_message')
  return (
    <section className="card">
      <h2>{t(CHARGING_TEXTS.CHARGING_COMMAND())}</h2>
      <Loaded query={query}>
        {(commands) => {
          const schema = commands.get(selected)
          return (
            <>
              <Select
                label={t(CHARGING_TEXTS.CHARGING_COMMAND())}
                value={selected}
                onChange={setSelected}
                options={[...commands.keys()].map((action) => ({
                  value: action,
                  text: commandText(action, t),
                }))}
              />
              {schema && <Fields key={selected} chargerId={chargerId} action={selected} schema={schema} />}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

interface FieldsProps {
  readonly chargerId: string
  readonly action: string
  readonly schema: JsonSchema
}

function Fields({ chargerId, action, schema }: FieldsProps) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [values, setValues] = useState<FieldValues>({})
  const [command, setCommand] = useState<Command>()
  const [notJson, setNotJson] = useState<string>()
  const send = async () => {
    setCommand(undefined)
    setNotJson(undefined)
    let parameters: Record<string, unknown>
    try {
      parameters = bodyOf(schema, values)
    } catch (error) {
      if (!(error instanceof NotJsonError)) throw error
      setNotJson(commandText(`FIELD_${error.field}`, t))
      return
    }
    // The body follows the schema of the running service, which checks it.
    const body = { action, ...parameters } as { action: 'clear_cache' }
    const { data } = await api.post(COMMANDS, { path: { id: chargerId }, query: { wait: WAIT_S }, body })
    setCommand(data)
    await queries.invalidateQueries({ queryKey: [COMMANDS] })
  }
  return (
    <>
      {notJson !== undefined && (
        <Notice tone="danger">{t(CHARGING_TEXTS.CHARGING_NOT_JSON({ field: notJson }))}</Notice>
      )}
      <Form submitText={t(CHARGING_TEXTS.CHARGING_SEND())} onSubmit={send}>
        <SchemaFields
          schema={schema}
          values={values}
          onChange={setValues}
          labelOf={(name) => commandText(`FIELD_${name}`, t)}
        />
      </Form>
      {command && <CommandResult command={command} />}
    </>
  )
}
