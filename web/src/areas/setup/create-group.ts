import type { NetsaatClient } from '../../../../clients/typescript/src/index.ts'
import { monthOf } from '../../kernel/dates.ts'
import { typedDecimal } from './typed-decimal.ts'

export interface Member {
  readonly id: string
  readonly isPlant: boolean
  /** Limit of the year in kWh as it was typed; empty for a plant, and where there is an account already. */
  readonly limit: string
}

interface NewGroup {
  readonly name: string
  /** The official party that owns all members (the scope of rule R001). */
  readonly party: string
  readonly members: readonly Member[]
}

/**
 * Creates what the rules R001 and R007 ask of a group: the declared party of all members, and the limit accounts of the
 * consumers; then the group with its members. Each request can be repeated after an error: what exists is used.
 */
export async function createGroup(api: NetsaatClient, { name, party, members }: NewGroup): Promise<void> {
  const scopeId = await declareParty(api, party)
  const year = Number(monthOf(Date.now()).slice(0, 4))
  for (const { id, limit } of members) {
    await api.patch('/api/mahsuplasma/facilities/{id}', { path: { id }, body: { scope_id: scopeId } })
    if (limit.trim() !== '') await ensureLimit(api, { facilityId: id, year, limit })
  }
  const { data: groups } = await api.get('/api/mahsuplasma/groups', { query: { limit: 200 } })
  const group =
    groups.find((one) => one.name === name) ??
    (await api.post('/api/mahsuplasma/groups', { body: { name, scope_id: scopeId } })).data
  const path = { id: group.id }
  const { data: existing } = await api.get('/api/mahsuplasma/groups/{id}/members', { path })
  for (const { id, isPlant } of members)
    if (!existing.some(({ facility_id }) => facility_id === id))
      await api.post('/api/mahsuplasma/groups/{id}/members', {
        path,
        body: {
          facility_id: id,
          member_role: isPlant ? 'production' : 'consumption',
          valid_from: `${monthOf(Date.now())}-01`,
        },
      })
}

async function declareParty(api: NetsaatClient, party: string): Promise<string> {
  const { data: found } = await api.get('/api/mahsuplasma/scopes', { query: { search: party, limit: 200 } })
  const scope =
    found.find(({ name }) => name === party) ??
    (await api.post('/api/mahsuplasma/scopes', { body: { name: party } })).data
  if (scope.declaration_source === null)
    await api.post('/api/mahsuplasma/scopes/{id}/declare-same-official-party', {
      path: { id: scope.id },
      body: { declaration_source: 'customer_declaration' },
    })
  return scope.id
}

interface NewLimit {
  readonly facilityId: string
  readonly year: number
  readonly limit: string
}

async function ensureLimit(api: NetsaatClient, { facilityId, year, limit }: NewLimit): Promise<void> {
  const query = { facility_id: facilityId, year, limit: 1 }
  const { data: accounts } = await api.get('/api/mahsuplasma/limits/accounts', { query })
  if (accounts.length > 0) return
  await api.post('/api/mahsuplasma/limits/accounts', {
    body: {
      facility_id: facilityId,
      year,
      initial_limit_kwh: typedDecimal(limit),
      limit_source: 'previous_year_consumption',
    },
  })
}
