import { conflict, found } from '../../../../kernel/errors.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import type { Actor } from '../../shared/index.ts'
import { NETTING_ERRORS } from '../../shared/index.ts'
import type { Declaration, DeclarationSource } from './schema.ts'
import * as scopes from './store.ts'

const STRENGTH: Readonly<Record<DeclarationSource, number>> = {
  customer_declaration: 1,
  official_document: 2,
  lum_report: 3,
  gts_report: 3,
}

function sourceOf({ declaration_source, source }: Declaration): DeclarationSource {
  const sent = declaration_source ?? source
  if (!sent) throw invalidInput(['body', 'declaration_source'], 'is required')
  if (source && source !== sent) throw invalidInput(['body', 'source'], 'must equal declaration_source')
  return sent
}

/**
 * Records the declaration that all facilities of the scope belong to one official party. A source of equal or
 * higher strength may declare again; a weaker one is refused with 409 PROVENANCE_DOWNGRADE.
 */
export async function declareSameParty(tx: TenantTx, id: string, body: Declaration, actor: Actor) {
  const source = sourceOf(body)
  const { declaration_source: before } = found('scope', await scopes.lock(tx, id))
  if (before !== null && STRENGTH[source] < STRENGTH[before as DeclarationSource]) {
    const text = NETTING_ERRORS.DECLARATION_DOWNGRADE({ before, source })
    throw conflict('PROVENANCE_DOWNGRADE', text)
  }
  return scopes.declare(tx, id, source, actor)
}
