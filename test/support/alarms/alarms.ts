import type { Deps } from '../../../src/platform/runtime/deps.ts'

type Db = Pick<Deps, 'database'>
type Owner = { readonly id: number }

export interface Incident {
  readonly id: string
  readonly policy: string
  readonly cause: string
  readonly severity: string
  readonly status: string
  readonly message: string
  readonly last_value: string | null
  readonly device_id: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly triggered_at: Date
  readonly closed_at: Date | null
}

/** Incidents of a tenant in the order in which they were raised; `about` is the id of a group or facility. */
export async function incidents({ database }: Db, { id }: Owner, about?: string): Promise<Incident[]> {
  const { rows } = await database.pool.query<Incident>(
    `select i.id, p.name as policy, i.cause, i.severity, i.status, i.message, i.last_value, i.device_id,
       i.payload, i.triggered_at, i.closed_at
     from alarm_incident i join alarm_policy p on (p.tenant_id, p.id) = (i.tenant_id, i.policy_id)
     where i.tenant_id = $1 and ($2::text is null or position($2 in i.cause) > 0)
     order by (select min(seq) from alarm_event e where e.tenant_id = $1 and e.incident_id = i.id)`,
    [id, about ?? null],
  )
  return rows
}

/** The policies of the open incidents, sorted. */
export const openPolicies = async (db: Db, tenant: Owner, about?: string): Promise<string[]> =>
  (await incidents(db, tenant, about))
    .filter(({ status }) => status !== 'closed')
    .map(({ policy }) => policy)
    .sort()

/** The event types of an incident in order. */
export async function trail({ database }: Db, incidentId: string | undefined): Promise<string[]> {
  const { rows } = await database.pool.query<{ event_type: string }>(
    'select event_type from alarm_event where incident_id = $1 order by seq',
    [incidentId],
  )
  return rows.map((row) => row.event_type)
}
