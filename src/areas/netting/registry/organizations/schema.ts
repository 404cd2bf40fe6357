import { type Static, Type } from 'typebox'
import { described, Id, Instant, OneOf, Text, Word } from '../../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../../platform/http/page.ts'

export const ORG_TYPES = [
  'grid_operator',
  'distribution_company',
  'retail_company',
  'zone_operator',
  'meter_reading_org',
  'supplier',
] as const

export const Organization = Type.Object(
  {
    id: Id,
    org_type: described(
      Word(ORG_TYPES),
      'Type of the organization; zone_operator: operator of an industrial zone (OSB, EB).',
    ),
    name: Type.String({ description: 'Name, unique in the tenant and org_type.' }),
    is_active: Type.Boolean({
      description: 'Whether the organization is active; lists omit inactive organizations by default.',
    }),
    is_system: Type.Boolean({
      description:
        'Whether the organization is visible in every tenant; such an organization cannot be changed ' +
        'through the API.',
    }),
    created_at: Instant,
  },
  { title: 'Organization' },
)

export const CreateOrganization = Type.Object(
  {
    org_type: OneOf(ORG_TYPES),
    name: described(Text(200), 'Name, unique in the tenant and org_type.'),
    is_active: Type.Optional(
      Type.Boolean({ description: 'Whether the organization is active. Default: true.' }),
    ),
  },
  { title: 'CreateOrganization' },
)
/** Omitted fields are unchanged. */
export const UpdateOrganization = Type.Partial(CreateOrganization, { title: 'UpdateOrganization' })

export const OrganizationQuery = Type.Object({
  ...ListQuery(),
  search: Search('name'),
  org_type: Type.Optional(OneOf(ORG_TYPES)),
  include_inactive: Type.Boolean({ default: false, description: 'true: also inactive organizations.' }),
})

export type OrgType = (typeof ORG_TYPES)[number]
export type CreateOrganization = Static<typeof CreateOrganization>
export type UpdateOrganization = Static<typeof UpdateOrganization>
export type OrganizationQuery = Static<typeof OrganizationQuery>
