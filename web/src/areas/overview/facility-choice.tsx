import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ChangeEvent, useId, useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useText } from '../../kernel/text.tsx'
import { OVERVIEW_TEXTS } from './texts.ts'

/** Facilities that are offered while a name is typed. */
const OFFERED_MAX = 50

/**
 * The facility of the page. The field offers the facilities whose name contains what was typed; an empty field is all
 * of them. The list of the browser is searched by its own keys.
 */
export function FacilityChoice() {
  const t = useText()
  const id = useId()
  const { facility } = useSearch({ from: '/signed-in/overview' })
  const navigate = useNavigate({ from: '/overview' })
  const [typed, setTyped] = useState<string>()
  const chosen = useGet(
    '/api/mahsuplasma/facilities/{id}',
    { path: { id: facility ?? '' } },
    { enabled: facility !== undefined },
  )
  const offered = useGet('/api/mahsuplasma/facilities', {
    query: { limit: OFFERED_MAX, ...(typed ? { search: typed } : {}) },
  })
  const change = ({ target: { value } }: ChangeEvent<HTMLInputElement>) => {
    setTyped(value)
    const found = offered.data?.find(({ name }) => name === value)
    if (found || value === '') void navigate({ search: found ? { facility: found.id } : {}, replace: true })
  }
  const name = facility === undefined ? '' : (chosen.data?.name ?? '')
  return (
    <div className="field">
      <label htmlFor={id}>{t(OVERVIEW_TEXTS.OVERVIEW_FACILITY())}</label>
      <input
        id={id}
        className="input"
        type="search"
        list={`${id}-offered`}
        placeholder={t(OVERVIEW_TEXTS.OVERVIEW_EVERY_FACILITY())}
        value={typed ?? name}
        onChange={change}
      />
      <datalist id={`${id}-offered`}>
        {offered.data?.map((one) => (
          <option key={one.id} value={one.name} />
        ))}
      </datalist>
    </div>
  )
}
