import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/session.tsx'
import { useBodySchema } from '../../forms/api-document.ts'
import { bodyOf, type FieldValues, type JsonSchema, NotJsonError } from '../../forms/schema.ts'
import { SchemaFields } from '../../forms/schema-fields.tsx'
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

/** The schemas of the commands by their actions. */
const commandsOf = ({ oneOf = [] }: JsonSchema): ReadonlyMap<string, JsonSchema> =>
  new Map(
    oneOf.map((command): [string, JsonSchema] => {
      const { action, ...properties } = command.properties ?? {}
      return [String(action?.enum?.[0]), { ...command, properties }]
    }),
  )

/** Sends any command of the API to a charger, with a form from the schema of the command. */
export function CommandForm({ chargerId }: { readonly chargerId: string }) {
  const t = useText()
  const query = useBodySchema('POST', COMMANDS)
  const [selected, setSelected] = useState('trigger_message')
  return (
    <section className="card">
      <h2>{t(CHARGING_TEXTS.CHARGING_COMMAND())}</h2>
      <Loaded query={query}>
        {(body) => {
          const commands = commandsOf(body)
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
