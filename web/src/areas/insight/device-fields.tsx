/** Fields for devices, of which a tenant may have thousands: they are found by their names. */
import { useId, useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useText } from '../../kernel/text.tsx'
import { TextField } from '../../ui/controls.tsx'
import { Checkbox } from '../../ui/inputs.tsx'
import { INSIGHT_TEXTS } from './texts.ts'

/** Devices that are offered for a search text. */
const DEVICES_OFFERED = 20

function useDevices(search: string) {
  const { data } = useGet('/api/devices', {
    query: { limit: DEVICES_OFFERED, sort_by: 'name', sort_order: 'asc', search },
  })
  return data?.items ?? []
}

/** The name of a selected device, which need not be among those found. */
function useDeviceName(id: string): string | undefined {
  const { data } = useGet('/api/devices/{id}', { path: { id } }, { enabled: id !== '' })
  return data?.id === id ? data.name : undefined
}

interface DeviceFieldProps {
  readonly label: string
  readonly value: string
  readonly isRequired: boolean
  readonly onChange: (id: string) => void
}

/** One device. */
export function DeviceField({ label, value, isRequired, onChange }: DeviceFieldProps) {
  const t = useText()
  const id = useId()
  const [search, setSearch] = useState('')
  const devices = useDevices(search)
  const name = useDeviceName(value)
  const isFound = devices.some((device) => device.id === value)
  return (
    <>
      <TextField
        label={t(INSIGHT_TEXTS.INSIGHT_FIND_DEVICE({ label }))}
        type="search"
        value={search}
        onChange={setSearch}
      />
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <select
          id={id}
          className="input"
          value={value}
          required={isRequired}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{t(INSIGHT_TEXTS.INSIGHT_SELECT())}</option>
          {value !== '' && !isFound && <option value={value}>{name ?? value}</option>}
          {devices.map((device) => (
            <option key={device.id} value={device.id}>
              {device.name}
            </option>
          ))}
        </select>
      </div>
    </>
  )
}

interface DevicesFieldProps {
  readonly label: string
  readonly selected: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** Several devices: those that are selected, and those that are found. */
export function DevicesField({ label, selected, onChange }: DevicesFieldProps) {
  const t = useText()
  const [search, setSearch] = useState('')
  const found = useDevices(search).filter(({ id }) => !selected.includes(id))
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      <TextField
        label={t(INSIGHT_TEXTS.INSIGHT_FIND_DEVICE({ label }))}
        type="search"
        value={search}
        onChange={setSearch}
      />
      {selected.map((id) => (
        <SelectedDevice key={id} id={id} onRemove={() => onChange(selected.filter((one) => one !== id))} />
      ))}
      {found.map(({ id, name }) => (
        <Checkbox key={id} label={name} isChecked={false} onChange={() => onChange([...selected, id])} />
      ))}
    </fieldset>
  )
}

function SelectedDevice({ id, onRemove }: { readonly id: string; readonly onRemove: () => void }) {
  const name = useDeviceName(id)
  return <Checkbox label={name ?? id} isChecked onChange={onRemove} />
}
