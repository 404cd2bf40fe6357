import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable, OneOf, Text, Word } from '../../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../../platform/http/page.ts'
import { Origin, optional } from '../../shared/index.ts'

const DECLARATION_SOURCES = ['customer_declaration', 'official_document', 'lum_report', 'gts_report'] as const
export type DeclarationSource = (typeof DECLARATION_SOURCES)[number]

export const Scope = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Name, unique in the tenant.' }),
    external_party_ref: Nullable(Type.String({ description: 'Reference of the party in external systems.' })),
    notes: Nullable(Type.String({ description: 'Free text.' })),
    declaration_source: Nullable(
      described(Word(DECLARATION_SOURCES), 'Source of the declaration; null: not declared.'),
    ),
    declared_by: Nullable(described(Id, 'User who made the declaration.')),
    declared_at: Nullable(Instant),
    origin: Origin,
    created_at: Instant,
  },
  { title: 'NettingScope' },
)

export const CreateScope = Type.Object(
  {
    name: described(Text(200), 'Name, unique in the tenant.'),
    external_party_ref: optional(described(Text(200), 'Reference of the party in external systems.')),
    notes: optional(described(Text(5000), 'Free text.')),
  },
  { title: 'CreateNettingScope' },
)
/** Omitted fields are unchanged; null clears. */
export const UpdateScope = Type.Partial(CreateScope, { title: 'UpdateNettingScope' })

export const ScopeQuery = Type.Object({ ...ListQuery(), search: Search('name and external reference') })

const Source = described(
  OneOf(DECLARATION_SOURCES),
  'Strength: customer_declaration < official_document < lum_report = gts_report.',
)
export const Declaration = Type.Object(
  {
    declaration_source: Type.Optional(Source),
    source: Type.Optional(described(Source, 'Alias of declaration_source.')),
  },
  { title: 'ScopeDeclaration' },
)

export type CreateScope = Static<typeof CreateScope>
export type UpdateScope = Static<typeof UpdateScope>
export type ScopeQuery = Static<typeof ScopeQuery>
export type Declaration = Static<typeof Declaration>
