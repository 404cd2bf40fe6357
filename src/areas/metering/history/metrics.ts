import { Counter, Gauge, type Registry } from 'prom-client'
import type { Metrics } from '../../../platform/observability/metrics.ts'

export interface CompressionMetrics {
  readonly chunks: Counter
  readonly samples: Counter
  readonly bytes: Counter
  readonly rowsDeleted: Counter
  readonly failures: Counter
  readonly lastError: Gauge
  readonly waitingDays: Gauge
}

/** The timetable can be made several times over one registry. */
const made = new WeakMap<Registry, CompressionMetrics>()

export function compressionMetrics({ registry }: Metrics): CompressionMetrics {
  const known = made.get(registry)
  if (known) return known
  const registers = [registry]
  const metrics = {
    chunks: new Counter({
      name: 'netsaat_compression_chunks_total',
      help: 'Device-days of samples that were published as a compressed chunk.',
      registers,
    }),
    samples: new Counter({
      name: 'netsaat_compression_samples_total',
      help: 'Samples in chunks that were published.',
      registers,
    }),
    bytes: new Counter({
      name: 'netsaat_compression_bytes_total',
      help: 'Bytes of chunks that were published.',
      registers,
    }),
    rowsDeleted: new Counter({
      name: 'netsaat_compression_rows_deleted_total',
      help: 'Rows of samples that were deleted, because a chunk has them.',
      registers,
    }),
    failures: new Counter({
      name: 'netsaat_compression_failures_total',
      help: 'Device-days that could not be compressed because of an error.',
      registers,
    }),
    lastError: new Gauge({
      name: 'netsaat_compression_last_error_timestamp_seconds',
      help: 'When a device-day could not be compressed last.',
      registers,
    }),
    waitingDays: new Gauge({
      name: 'netsaat_compression_waiting_days',
      help: 'Days by which the oldest samples that the last run found uncompressed are beyond the set age.',
      registers,
    }),
  }
  made.set(registry, metrics)
  return metrics
}
