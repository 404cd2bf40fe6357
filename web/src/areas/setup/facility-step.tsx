import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { monthOf } from '../../kernel/dates.ts'
import { useText } from '../../kernel/text.tsx'
import { DEVICE } from '../../records/plant-resources.ts'
import { RecordPicker } from '../../records/record-picker.tsx'
import { Notice, Select, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { RecordSelect } from './record-select.tsx'
import { SETUP_TEXTS } from './texts.ts'
import { typedDecimal } from './typed-decimal.ts'

type Role = 'main_production' | 'main_consumption'

interface Draft {
  readonly name: string
  readonly siteId: string
  readonly deviceId: string
  readonly role: Role
  readonly voltage: 'AG' | 'OG' | 'YG'
  readonly power: string
}
const EMPTY: Draft = {
  name: '',
  siteId: '',
  deviceId: '',
  role: 'main_consumption',
  voltage: 'AG',
  power: '',
}

/** A facility with its main meter. Facilities begin with the current month, the first one that can be netted. */
export function FacilityStep() {
  const t = useText()
  const [draft, setDraft] = useState(EMPTY)
  const create = useCreateFacility()
  const sites = useGet('/api/subregions', { query: { limit: 200, sort_by: 'name', sort_order: 'asc' } })
  const facilities = useGet('/api/mahsuplasma/facilities', { query: { limit: 200 } })
  const change = (part: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...part }))
  const submit = async () => {
    await create(draft)
    setDraft({ ...EMPTY, siteId: draft.siteId })
  }
  const existing = facilities.data ?? []
  return (
    <>
      <h2>{t(SETUP_TEXTS.SETUP_FACILITY())}</h2>
      <p>{t(SETUP_TEXTS.SETUP_FACILITY_PURPOSE())}</p>
      {existing.length > 0 && (
        <p>
          {t(
            SETUP_TEXTS.SETUP_EXISTING({
              count: existing.length,
              names: existing.map(({ name }) => name).join(', '),
            }),
          )}
        </p>
      )}
      <Form submitText={t(SETUP_TEXTS.SETUP_CREATE_FACILITY())} onSubmit={submit}>
        <TextField
          label={t(SETUP_TEXTS.SETUP_FACILITY_NAME())}
          value={draft.name}
          onChange={(name) => change({ name })}
          isRequired
        />
        <RecordSelect
          label={t(SETUP_TEXTS.SETUP_SITE())}
          value={draft.siteId}
          onChange={(siteId) => change({ siteId })}
          records={sites.data?.items ?? []}
        />
        <RecordPicker
          label={t(SETUP_TEXTS.SETUP_MAIN_METER())}
          value={draft.deviceId}
          reference={DEVICE}
          isRequired
          onChange={(deviceId) => change({ deviceId })}
        />
        <Select
          label={t(SETUP_TEXTS.SETUP_ROLE())}
          value={draft.role}
          onChange={(role) => change({ role })}
          options={[
            { value: 'main_consumption', text: t(SETUP_TEXTS.SETUP_CONSUMPTION()) },
            { value: 'main_production', text: t(SETUP_TEXTS.SETUP_PRODUCTION()) },
          ]}
        />
        <Select
          label={t(SETUP_TEXTS.SETUP_VOLTAGE())}
          value={draft.voltage}
          onChange={(voltage) => change({ voltage })}
          options={[
            { value: 'AG', text: t(SETUP_TEXTS.SETUP_LOW_VOLTAGE()) },
            { value: 'OG', text: t(SETUP_TEXTS.SETUP_MEDIUM_VOLTAGE()) },
            { value: 'YG', text: t(SETUP_TEXTS.SETUP_HIGH_VOLTAGE()) },
          ]}
        />
        {draft.role === 'main_production' && (
          <TextField
            label={t(SETUP_TEXTS.SETUP_INSTALLED_POWER())}
            value={draft.power}
            onChange={(power) => change({ power })}
            inputMode="numeric"
            isRequired
          />
        )}
      </Form>
      <Notice>{t(SETUP_TEXTS.SETUP_FACILITY_DETAILS())}</Notice>
    </>
  )
}

function useCreateFacility() {
  const { api } = useClient()
  const queries = useQueryClient()
  return async ({ name, siteId, deviceId, role, voltage, power }: Draft): Promise<void> => {
    const from = `${monthOf(Date.now())}-01`
    const isPlant = role === 'main_production'
    const { data: facility } = await api.post('/api/mahsuplasma/facilities', {
      body: {
        subregion_id: siteId,
        name,
        valid_from: from,
        voltage_level: voltage,
        ...(isPlant
          ? { source_type: 'solar', installed_power_kw: typedDecimal(power) }
          : { abone_grubu: 'sanayi', tariff_supply_type: 'regulated' }),
      },
    })
    try {
      await api.post('/api/mahsuplasma/meters/assign', {
        body: {
          subregion_id: siteId,
          device_id: deviceId,
          facility_id: facility.id,
          measurement_role: role,
          valid_from: from,
        },
      })
    } catch (error) {
      await api.delete('/api/mahsuplasma/facilities/{id}', { path: { id: facility.id } })
      throw error
    } finally {
      await queries.invalidateQueries()
    }
  }
}
