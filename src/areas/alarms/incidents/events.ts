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
    /** Emitted after the commit for opened incidents of devices, including those that have already ended. */
    incidents_opened: IncidentsChanged
    /** Emitted after the commit for incidents of devices that the service closed. */
    incidents_closed: IncidentsChanged
  }
}

/** The incidents that a transaction opened and closed. */
export interface ChangedIncidents {
  readonly opened: IncidentSummary[]
  readonly closed: IncidentSummary[]
}

/**
 * Publishes changes on the bus. It must be called after the commit. The bus gives no delivery guarantee;
 * notifications read the audit trail instead.
 */
export function publishChanges(
  { bus }: Pick<Deps, 'bus'>,
  tenantId: number,
  { opened, closed }: ChangedIncidents,
): void {
  if (opened.length > 0) bus.emit('incidents_opened', { tenantId, incidents: opened })
  if (closed.length > 0) bus.emit('incidents_closed', { tenantId, incidents: closed })
}
