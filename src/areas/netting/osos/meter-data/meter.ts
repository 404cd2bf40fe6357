import { randomUUID } from 'node:crypto'
import type { ImportedSource } from '../../../../core/netting/official-meters.ts'
import { invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { requireReferences } from '../../../../platform/db/references.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import * as installations from '../store.ts'
import type { MainRole } from './columns.ts'
import { FORM_TEXTS } from './messages.ts'

/** The meter of an import: an installation, or the meter that the customer declares for a facility. */
export interface ImportedMeter {
  readonly id: string
  readonly facilityId: string | null
  readonly role: MainRole
  readonly source: ImportedSource
  /** The number under which a declared meter is created; undefined for an existing installation. */
  readonly newNumber: string | undefined
}

export interface MeterFields {
  readonly facility_id?: string
  readonly measurement_role?: MainRole
  readonly installation_id?: string
}

/** Throws 422 for an unknown facility or installation, and for fields that contradict each other. */
export async function meterOf(db: TenantDb, fields: MeterFields): Promise<ImportedMeter> {
  const { facility_id: facilityId, measurement_role: role, installation_id: installationId } = fields
  if (installationId !== undefined) {
    if (facilityId !== undefined || role !== undefined) {
      throw refuse('installation_id', FORM_TEXTS.FORM_INSTALLATION_EXCLUDES_FACILITY())
    }
    return installationMeter(db, installationId)
  }
  if (facilityId === undefined) throw refuse('facility_id', FORM_TEXTS.FORM_METER_NEEDED())
  if (role === undefined) throw refuse('measurement_role', FORM_TEXTS.FORM_ROLE_NEEDED())
  await requireReferences(db, [['facility_id', 'facility', facilityId]])
  // Facility and role identify a declared meter, so that a second file continues the first one.
  const number = `declared/${facilityId.toLowerCase()}/${role}`
  const [known] = await installations.findByNumbers(db, [number])
  return {
    id: known?.id ?? randomUUID(),
    facilityId: facilityId.toLowerCase(),
    role,
    source: 'customer_declared',
    newNumber: known ? undefined : number,
  }
}

async function installationMeter(db: TenantDb, id: string): Promise<ImportedMeter> {
  const found = await installations.find(db, id)
  if (!found) throw invalidReference('installation_id')
  if (found.measurement_role === null) {
    throw refuse('installation_id', FORM_TEXTS.FORM_INSTALLATION_WITHOUT_ROLE())
  }
  return {
    id: found.id,
    facilityId: found.facility_id,
    role: found.measurement_role as MainRole,
    source: found.fact_source as ImportedSource,
    newNumber: undefined,
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of a facility that is given by its id or its name. Throws for an unknown name and an ambiguous one. */
export async function facilityIdOf(db: TenantDb, text: string): Promise<string> {
  if (UUID.test(text)) return text
  const [found, second] = await installations.facilitiesNamed(db, text)
  if (!found) throw new Error(`There is no facility "${text}"`)
  if (second) throw new Error(`Several facilities have the name "${text}": name the id`)
  return found.id
}

/** The id of an installation that is given by its id or its number. Throws for an unknown number. */
export async function installationIdOf(db: TenantDb, text: string): Promise<string> {
  if (UUID.test(text)) return text
  const [found] = await installations.findByNumbers(db, [text])
  if (!found) throw new Error(`There is no installation ${text}`)
  return found.id
}

const refuse = (field: string, message: Message) =>
  unprocessable('BUSINESS_RULE_VIOLATION', message, { field })
