import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { NodeReads } from '../db/distribution/node-reads.ts'
import type { Database } from '../db/pool.ts'
import type { Replicas } from '../db/replicas.ts'
import { type ModbusMetrics, makeModbusMetrics } from '../modbus/metrics.ts'

/** The metrics of /metrics. A feature adds its own counters with `registers: [deps.metrics.registry]`. */
export interface Metrics {
  readonly registry: Registry
  /** Seconds from a request to the end of its answer, by method, route pattern and status. */
  readonly httpSeconds: Histogram<'method' | 'route' | 'status'>
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
  const certificateDays = new Gauge({
    name: 'netsaat_tls_certificate_expires_days',
    help: 'Days until the certificate of a TLS listener expires.',
    labelNames: ['listener'] as const,
    registers: [registry],
  })
  const modbus = makeModbusMetrics(registry)
  return { registry, httpSeconds, ...makeJobMetrics(registry), modbus, certificateDays }
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

/** Registers the lag of the read replicas, and where reads were sent. */
export function measureReplicas({ registry }: Metrics, replicas: Replicas): void {
  new Gauge({
    name: 'netsaat_replica_lag_seconds',
    help: 'Age of the data of a read replica; absent until it was compared with the primary.',
    labelNames: ['replica'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, lagMs } of replicas.states())
        if (lagMs !== undefined) this.set({ replica: name }, lagMs / 1000)
    },
  })
  new Gauge({
    name: 'netsaat_replica_usable',
    help: '1 for a read replica that is used, 0 for one that is late or broken.',
    labelNames: ['replica'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, isUsable } of replicas.states()) this.set({ replica: name }, isUsable ? 1 : 0)
    },
  })
  new Counter({
    name: 'netsaat_replica_reads_total',
    help: 'Reads that may use a replica: sent to a replica, sent to the primary, and statements that a replica failed.',
    labelNames: ['target'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [target, count] of Object.entries(replicas.counts)) this.inc({ target }, count)
    },
  })
}

/** Registers which nodes of a distributed database execute reads, and where reads were sent. */
export function measureNodeReads({ registry }: Metrics, nodeReads: NodeReads): void {
  new Gauge({
    name: 'netsaat_node_usable',
    help: '1 for a node of a distributed database that executes reads of its tenants, 0 for one that does not answer.',
    labelNames: ['node'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, isUsable } of nodeReads.states()) this.set({ node: name }, isUsable ? 1 : 0)
    },
  })
  new Counter({
    name: 'netsaat_node_reads_total',
    help: 'Reads of tenants: sent to their node, sent to the coordinator, and statements that a node failed.',
    labelNames: ['target'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [target, count] of Object.entries(nodeReads.counts)) this.inc({ target }, count)
    },
  })
}
