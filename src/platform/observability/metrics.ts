import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/pool.ts'
import { type ModbusMetrics, makeModbusMetrics } from '../modbus/metrics.ts'

/** The metrics of /metrics. A feature adds its own counters with `registers: [deps.metrics.registry]`. */
export interface Metrics {
  readonly registry: Registry
  /** Seconds from a request to the end of its answer, by method, route pattern and status. */
  readonly httpSeconds: Histogram<'method' | 'route' | 'status'>
  /** 1 for each role of the process. */
  readonly processRole: Gauge<'role'>
  /** The last success of each scheduled job; empty in a process without the role jobs. */
  readonly jobLastSuccess: Gauge<'job'>
  readonly jobLag: Gauge<'job'>
  readonly jobFailures: Counter<'job'>
  readonly modbus: ModbusMetrics
  /** Days until the certificate of a TLS listener expires; empty without such a listener. */
  readonly certificateDays: Gauge<'listener'>
}

/** Each service has a registry of its own, so that several can live in one process. */
export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const httpSeconds = new Histogram({
    name: 'netsaat_http_request_seconds',
    help: 'Duration of HTTP requests by route pattern.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const processRole = new Gauge({
    name: 'netsaat_process_role',
    help: 'The roles of this process: 1 for each.',
    labelNames: ['role'] as const,
    registers: [registry],
  })
  const certificateDays = new Gauge({
    name: 'netsaat_tls_certificate_expires_days',
    help: 'Days until the certificate of a TLS listener expires.',
    labelNames: ['listener'] as const,
    registers: [registry],
  })
  const modbus = makeModbusMetrics(registry)
  return { registry, httpSeconds, processRole, ...makeJobMetrics(registry), modbus, certificateDays }
}

function makeJobMetrics(registry: Registry) {
  const common = { labelNames: ['job'] as const, registers: [registry] }
  return {
    jobLastSuccess: new Gauge({
      ...common,
      name: 'netsaat_job_last_success_timestamp_seconds',
      help: 'When the last slot of a job was finished.',
    }),
    jobLag: new Gauge({
      ...common,
      name: 'netsaat_job_lag_seconds',
      help: 'How long the next slot of a job has been waiting beyond its time.',
    }),
    jobFailures: new Counter({
      ...common,
      name: 'netsaat_job_failures_total',
      help: 'Slots of a job that failed, or in which a part of the work did.',
    }),
  }
}

/** Measures the connections of the pool at each scrape. */
export function measurePool({ registry }: Metrics, { pool }: Database): void {
  new Gauge({
    name: 'netsaat_db_connections',
    help: 'Database connections of the pool by state, and requests waiting for one.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}
