import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { RecordList } from './record-list.tsx'
import { SETUP_TEXTS } from './texts.ts'

/** A region with a subregion, the place that meters and facilities belong to. */
export function SiteStep() {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [city, setCity] = useState('')
  const sites = useGet('/api/subregions', { query: { limit: 100, sort_by: 'name', sort_order: 'asc' } })
  const regions = useGet('/api/regions', { query: { limit: 1 } })
  const submit = async () => {
    const region = regions.data?.items[0] ?? (await api.post('/api/regions', { body: { name } })).data
    await api.post('/api/subregions', {
      body: { region_id: region.id, name, ...(city !== '' && { city }) },
    })
    setName('')
    setCity('')
    await queries.invalidateQueries()
  }
  return (
    <>
      <h2>{t(SETUP_TEXTS.SETUP_SITE())}</h2>
      <p>{t(SETUP_TEXTS.SETUP_SITE_PURPOSE())}</p>
      <RecordList query={sites} />
      <Form submitText={t(SETUP_TEXTS.SETUP_CREATE_SITE())} onSubmit={submit}>
        <TextField label={t(SETUP_TEXTS.SETUP_NAME())} value={name} onChange={setName} isRequired />
        <TextField label={t(SETUP_TEXTS.SETUP_CITY())} value={city} onChange={setCity} />
      </Form>
    </>
  )
}
