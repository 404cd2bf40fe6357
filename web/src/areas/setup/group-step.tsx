import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useClient, useProfile } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Notice, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { Checkbox } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/page.tsx'
import { createGroup, type Member } from './create-group.ts'
import { SETUP_TEXTS } from './texts.ts'

/** A group of one party with its members and their limits, from the current month. */
export function GroupStep() {
  const t = useText()
  const groups = useGet('/api/mahsuplasma/groups', { query: { limit: 200 } })
  const facilities = useGet('/api/mahsuplasma/facilities', { query: { limit: 200 } })
  return (
    <>
      <h2>{t(SETUP_TEXTS.SETUP_GROUP())}</h2>
      <p>{t(SETUP_TEXTS.SETUP_GROUP_PURPOSE())}</p>
      <Loaded query={groups}>
        {(existing) => (
          <ul>
            {existing.map((group) => (
              <li key={group.id}>
                <Link to="/netting/groups/$groupId" params={{ groupId: group.id }}>
                  {group.name}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Loaded query={facilities}>
        {(list) =>
          list.length === 0 ? (
            <Notice>{t(SETUP_TEXTS.SETUP_NO_FACILITIES())}</Notice>
          ) : (
            <NewGroup facilities={list} />
          )
        }
      </Loaded>
    </>
  )
}

interface NewGroupProps {
  readonly facilities: readonly {
    readonly id: string
    readonly name: string
    readonly source_type: string | null
  }[]
}

function NewGroup({ facilities }: NewGroupProps) {
  const t = useText()
  const { api } = useClient()
  const { tenant } = useProfile()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [party, setParty] = useState(tenant.name)
  const [isDeclared, setDeclared] = useState(false)
  /** The limits of the selected facilities by their ids; that of a plant stays empty. */
  const [selected, setSelected] = useState<Readonly<Record<string, string>>>({})
  const members = facilities
    .filter(({ id }) => selected[id] !== undefined)
    .map(({ id, source_type }): Member => ({ id, isPlant: source_type !== null, limit: selected[id] ?? '' }))
  const submit = async () => {
    try {
      await createGroup(api, { name, party, members })
      setName('')
      setSelected({})
      setDeclared(false)
    } finally {
      await queries.invalidateQueries()
    }
  }
  const toggle = (id: string, isChecked: boolean) =>
    setSelected(({ [id]: _, ...others }) => (isChecked ? { ...others, [id]: '' } : others))
  return (
    <Form
      submitText={t(SETUP_TEXTS.SETUP_CREATE_GROUP())}
      onSubmit={submit}
      isDisabled={!isDeclared || members.length === 0}
    >
      <TextField label={t(SETUP_TEXTS.SETUP_NAME())} value={name} onChange={setName} isRequired />
      <TextField label={t(SETUP_TEXTS.SETUP_PARTY())} value={party} onChange={setParty} isRequired />
      <fieldset className="field">
        <legend>{t(SETUP_TEXTS.SETUP_MEMBERS())}</legend>
        {facilities.map((facility) => (
          <Checkbox
            key={facility.id}
            label={facility.name}
            isChecked={selected[facility.id] !== undefined}
            onChange={(isChecked) => toggle(facility.id, isChecked)}
          />
        ))}
      </fieldset>
      {facilities
        .filter(({ id, source_type }) => selected[id] !== undefined && source_type === null)
        .map(({ id, name: facility }) => (
          <TextField
            key={id}
            label={t(SETUP_TEXTS.SETUP_LIMIT({ facility }))}
            description={t(SETUP_TEXTS.SETUP_LIMIT_HELP())}
            value={selected[id] ?? ''}
            onChange={(limit) => setSelected((previous) => ({ ...previous, [id]: limit }))}
            inputMode="numeric"
          />
        ))}
      <Checkbox
        label={t(SETUP_TEXTS.SETUP_DECLARATION({ party }))}
        isChecked={isDeclared}
        onChange={setDeclared}
      />
    </Form>
  )
}
