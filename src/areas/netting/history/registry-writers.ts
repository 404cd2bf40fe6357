import { dayStart, localDate } from '../../../kernel/time.ts'
import { createRegion, createSubregion } from '../../equipment/sites/index.ts'
import {
  CreateFacility,
  CreateGroup,
  CreateOrganization,
  CreateScope,
  createFacility,
  createGroup,
  createOrganization,
  createScope,
  declareSameParty,
  GROUP_STEPS,
  updateGroup,
} from '../registry/index.ts'
import { HISTORY_TEXTS } from './messages.ts'
import * as records from './record-store.ts'
import type { HistoryRow } from './rows.ts'
import {
  bodyCheck,
  missing,
  organizationOf,
  present,
  RowFault,
  referenceTo,
  requiredText,
  requireSame,
  textOf,
  type Writing,
  type Written,
} from './writing.ts'

const organizationBody = bodyCheck<CreateOrganization>(CreateOrganization)
const scopeBody = bodyCheck<CreateScope>(CreateScope)
const facilityBody = bodyCheck<CreateFacility>(CreateFacility)
const groupBody = bodyCheck<CreateGroup>(CreateGroup)

export async function writeOrganization({ tx }: Writing, row: HistoryRow): Promise<Written> {
  const body = organizationBody(row.values as unknown as CreateOrganization)
  const existing = (await records.organizationsNamed(tx, body.name)).find(
    ({ org_type }) => org_type === body.org_type,
  )
  if (existing) return { id: existing.id, result: 'unchanged' }
  return { id: (await createOrganization(tx, body)).id, result: 'created' }
}

export async function writeScope({ tx, context }: Writing, row: HistoryRow): Promise<Written> {
  const { declaration_source, declared_on, ...rest } = row.values
  const body = scopeBody(rest as unknown as CreateScope)
  const [existing] = await records.scopesNamed(tx, body.name)
  if (existing) {
    const stored = await records.findScope(tx, existing.id)
    const stored_on = stored.declared_at && localDate(stored.declared_at.getTime())
    requireSame({ ...stored, declared_on: stored_on }, { ...body, declaration_source, declared_on })
    return { id: existing.id, result: 'unchanged' }
  }
  if (declared_on !== undefined && declaration_source === undefined) throw missing('declaration_source')
  const { id } = await createScope(tx, body, context.history?.origin ?? null)
  if (declaration_source !== undefined) {
    const at = declared_on === undefined ? context.at : dayStart(String(declared_on))
    const source = { declaration_source } as Parameters<typeof declareSameParty>[2]
    await declareSameParty(tx, id, source, { by: context.by, at })
  }
  return { id, result: 'created' }
}

/** The organizations of a facility: the column, and the types that it prefers. */
const ORGANIZATIONS = {
  grid_operator: ['grid_operator', 'zone_operator', 'distribution_company'],
  distribution_company: ['distribution_company'],
  retail_or_zone_operator: ['zone_operator', 'retail_company'],
  meter_reading_org: ['meter_reading_org', 'distribution_company'],
  supplier: ['supplier', 'retail_company'],
} as const

/**
 * The subregion of a facility is created when it does not exist; its name is by default that of the facility. Its
 * city is that of the first row that names it.
 */
async function subregionOf({ tx }: Writing, row: HistoryRow): Promise<string> {
  const regionName = requiredText(row, 'region')
  const name = textOf(row, 'subregion') ?? requiredText(row, 'name')
  const city = textOf(row, 'city')
  const region =
    (await records.regionsNamed(tx, regionName))[0] ?? (await createRegion(tx, { name: regionName }))
  const existing = await records.findSubregion(tx, region.id, name)
  if (existing) {
    requireSame(existing, { city })
    return existing.id
  }
  const body = { region_id: region.id, name, city: city ?? null }
  return (await createSubregion(tx, body)).id
}

/** The id of an existing facility, and what its row says. */
interface Compared {
  readonly id: string
  readonly sent: Readonly<Record<string, unknown>>
}

async function requireSameFacility({ tx }: Writing, row: HistoryRow, pair: Compared): Promise<void> {
  const stored = await records.findFacility(tx, pair.id)
  requireSame(stored, pair.sent)
  requireSame(await records.findPlace(tx, stored.subregion_id), {
    region: textOf(row, 'region'),
    subregion: textOf(row, 'subregion'),
    city: textOf(row, 'city'),
  })
}

export async function writeFacility(writing: Writing, row: HistoryRow): Promise<Written> {
  const { tx, context } = writing
  const { region: _region, subregion: _subregion, city: _city, scope: _scope, ...rest } = row.values
  const values: Record<string, unknown> = { ...rest }
  const references: Record<string, string | undefined> = {
    scope_id: await referenceTo(writing, row, { column: 'scope', kind: 'scopes' }),
  }
  for (const [column, types] of Object.entries(ORGANIZATIONS)) {
    references[`${column}_id`] = await organizationOf(writing, row, {
      column,
      preferredTypes: types,
    })
    delete values[column]
  }
  const sent = present({ ...values, ...references })
  const name = requiredText(row, 'name')
  const [existing, second] = await records.facilitiesNamed(tx, name)
  if (second) throw new RowFault('name', HISTORY_TEXTS.HISTORY_REFERENCE_AMBIGUOUS({ column: 'name', name }))
  if (existing) {
    await requireSameFacility(writing, row, { id: existing.id, sent })
    return { id: existing.id, result: 'unchanged' }
  }
  const subregion_id = await subregionOf(writing, row)
  const body = facilityBody({ ...sent, subregion_id } as CreateFacility)
  return { id: (await createFacility(tx, body, context)).id, result: 'created' }
}

export async function writeGroup(writing: Writing, row: HistoryRow): Promise<Written> {
  const { tx, context } = writing
  const body = groupBody(
    present({
      name: requiredText(row, 'name'),
      scope_id: await referenceTo(writing, row, { column: 'scope', kind: 'scopes' }),
      responsible_supplier_id: await organizationOf(writing, row, {
        column: 'responsible_supplier',
        preferredTypes: ['supplier', 'retail_company'],
      }),
      notes: textOf(row, 'notes'),
    }) as CreateGroup,
  )
  const status = textOf(row, 'group_status')
  const [existing] = await records.groupsNamed(tx, body.name)
  if (existing) {
    requireSame(await records.findGroup(tx, existing.id), { ...body, group_status: status })
    return { id: existing.id, result: 'unchanged' }
  }
  const { id } = await createGroup(tx, body, context)
  // The status advances one step at a time, as through the API.
  const last = status === undefined ? -1 : (GROUP_STEPS as readonly string[]).indexOf(status)
  for (const group_status of GROUP_STEPS.slice(1, last + 1))
    await updateGroup(tx, id, { group_status }, context)
  return { id, result: 'created' }
}
