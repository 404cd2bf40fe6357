import type { Deps } from '../../../platform/runtime/deps.ts'

/** An incident of a device, as the bus events carry it. */
export interface IncidentSummary {
  readonly id: string
  readonly policyId: string
  readonly deviceId: string
  readonly severity: string
  readonly message: string
}

interface IncidentsChanged {
  readonly tenantId: number
  readonly incidents: readonly IncidentSummary[]
}

declare module '../../../platform/messaging/bus.ts' {
  interface BusEvents {
    /**
     * Incidents of devices that were opened, including those that are over already. Emitted after the commit.
     */
    incidents_opened: IncidentsChanged
    /** Incidents of devices that the service closed. Emitted after the commit. */
    incidents_closed: IncidentsChanged
  }
}

/** The incidents that a transaction opened and closed. */
export interface ChangedIncidents {
  readonly opened: IncidentSummary[]
  readonly closed: IncidentSummary[]
}

/**
 * Announces changes on the bus. Call it after the commit. The bus guarantees nothing; notifications read the
 * trail instead.
 */
export function publishChanges(
  { bus }: Pick<Deps, 'bus'>,
  tenantId: number,
  { opened, closed }: ChangedIncidents,
): void {
  if (opened.length > 0) bus.emit('incidents_opened', { tenantId, incidents: opened })
  if (closed.length > 0) bus.emit('incidents_closed', { tenantId, incidents: closed })
}
