import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Notice, Select, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { RecordList } from './record-list.tsx'
import { RecordSelect } from './record-select.tsx'
import { SETUP_TEXTS } from './texts.ts'

type Credentials = ResponseOf<'POST', '/api/gateways/{id}/credentials'>
type Protocol = 'mqtt' | 'modbus'
/** Unit id of a single meter on a line, as most are delivered. */
const FIRST_SLAVE_ID = 1

interface Connection {
  readonly name: string
  readonly protocol: Protocol
  readonly host: string
  readonly templateId: string
}
const EMPTY: Connection = { name: '', protocol: 'mqtt', host: '', templateId: '' }

/** A meter with the gateway that it is read through. */
export function MeterStep() {
  const t = useText()
  const [connection, setConnection] = useState(EMPTY)
  const [login, setLogin] = useState<{ readonly meter: string; readonly credentials: Credentials }>()
  const create = useCreate()
  const devices = useGet('/api/devices', { query: { limit: 100, sort_by: 'name', sort_order: 'asc' } })
  const templates = useGet('/api/devices/device-templates', {
    query: { limit: 200, protocol: connection.protocol === 'mqtt' ? 'mqtt' : 'modbus_tcp' },
  })
  const change = (part: Partial<Connection>) => setConnection((previous) => ({ ...previous, ...part }))
  const submit = async () => {
    const credentials = await create(connection)
    setLogin(credentials && { meter: connection.name, credentials })
    setConnection(EMPTY)
  }
  return (
    <>
      <h2>{t(SETUP_TEXTS.SETUP_METER())}</h2>
      <p>{t(SETUP_TEXTS.SETUP_METER_PURPOSE())}</p>
      <RecordList query={devices} />
      {login && <Login {...login} />}
      <Form submitText={t(SETUP_TEXTS.SETUP_CREATE_METER())} onSubmit={submit}>
        <TextField
          label={t(SETUP_TEXTS.SETUP_METER_NAME())}
          value={connection.name}
          onChange={(name) => change({ name })}
          isRequired
        />
        <Select
          label={t(SETUP_TEXTS.SETUP_PROTOCOL())}
          value={connection.protocol}
          onChange={(protocol) => change({ protocol, templateId: '' })}
          options={[
            { value: 'mqtt', text: 'MQTT' },
            { value: 'modbus', text: 'Modbus TCP' },
          ]}
        />
        {connection.protocol === 'modbus' && (
          <TextField
            label={t(SETUP_TEXTS.SETUP_HOST())}
            value={connection.host}
            onChange={(host) => change({ host })}
            isRequired
          />
        )}
        <RecordSelect
          label={t(SETUP_TEXTS.SETUP_TEMPLATE())}
          value={connection.templateId}
          onChange={(templateId) => change({ templateId })}
          records={templates.data?.items ?? []}
        />
      </Form>
    </>
  )
}

/** Creates the gateway and the device; returns the login of a gateway that sends its values itself. */
function useCreate() {
  const { api } = useClient()
  const queries = useQueryClient()
  return async ({ name, protocol, host, templateId }: Connection): Promise<Credentials | undefined> => {
    const isModbus = protocol === 'modbus'
    const { data: gateway } = await api.post('/api/gateways', {
      body: { name, gateway_type: protocol, ...(isModbus && { host }) },
    })
    try {
      await api.post('/api/devices', {
        body: {
          name,
          device_type: 'energy_analyzer',
          ...(isModbus
            ? { device_source: 'modbus', gateway_id: gateway.id, slave_id: FIRST_SLAVE_ID }
            : { device_source: 'manual', mqtt_gateway_id: gateway.id }),
          ...(templateId !== '' && { template_id: templateId }),
        },
      })
    } catch (error) {
      await api.delete('/api/gateways/{id}', { path: { id: gateway.id } })
      throw error
    }
    const login = isModbus
      ? undefined
      : (await api.post('/api/gateways/{id}/credentials', { path: { id: gateway.id } })).data
    await queries.invalidateQueries()
    return login
  }
}

/** The login of a gateway, which the service shows once, with a first message. */
function Login({ meter, credentials }: { readonly meter: string; readonly credentials: Credentials }) {
  const t = useText()
  const message = JSON.stringify({
    devices: { [meter]: [{ v: { active_power: 12.3, import_active_energy: 1234.5 } }] },
  })
  return (
    <Notice tone="warning">
      <p>{t(SETUP_TEXTS.SETUP_LOGIN())}</p>
      <dl className="details">
        <dt>{t(SETUP_TEXTS.SETUP_USER_NAME())}</dt>
        <dd>
          <code>{credentials.username}</code>
        </dd>
        <dt>{t(SETUP_TEXTS.SETUP_PASSWORD())}</dt>
        <dd>
          <code>{credentials.password}</code>
        </dd>
      </dl>
      <p>{t(SETUP_TEXTS.SETUP_FIRST_MESSAGE())}</p>
      <pre className="command">
        {`mosquitto_pub -h ${location.hostname} -p 1883 -q 1 -u ${credentials.username} -P '${credentials.password}' -t telemetry -m '${message}'`}
      </pre>
    </Notice>
  )
}
