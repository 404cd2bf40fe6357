/**
 * The document of the capacity model: what ten million meters need on nodes of Citus, computed from measured processor
 * times (`npm run bench -- scale`) and stated assumptions. `npm run capacity` writes it.
 */

/** Milliseconds of processor time of plain PostgreSQL, of the run of 24 November 2026 (2 cores AMD EPYC, load 10). */
const PLAIN_MS = {
  'a batch of 48 samples': 2.08,
  'a chart of three weeks read': 2.45,
  'a month of a group of 10 facilities calculated': 99.04,
} as const

type Work = keyof typeof PLAIN_MS
const WORKS = Object.keys(PLAIN_MS) as Work[]

/**
 * Processor time of one node, and of a coordinator and its two workers, against plain PostgreSQL in the same run: two
 * runs of 28 November 2026 with the corrected plan cache, of which only the ratios are used, because that
 * machine is slower.
 */
const RATIOS = {
  'a batch of 48 samples': { oneNode: 1.59, coordinator: 0.72, workers: 1.25 },
  'a chart of three weeks read': { oneNode: 2.05, coordinator: 0.004, workers: 2.09 },
  'a month of a group of 10 facilities calculated': { oneNode: 1.22, coordinator: 0.26, workers: 1.11 },
} as const

interface Times {
  readonly plain: number
  readonly oneNode: number
  readonly coordinator: number
  readonly workers: number
}

function timesOf(work: Work): Times {
  const plain = PLAIN_MS[work]
  const { oneNode, coordinator, workers } = RATIOS[work]
  return { plain, oneNode: plain * oneNode, coordinator: plain * coordinator, workers: plain * workers }
}

const METERS = 10_000_000
/** Minutes between the samples of a meter, of 12 values. */
const INTERVAL_MINUTES = 15
const BATCH_SAMPLES = 48
/** Of a stored sample of 12 values with its index, and of a compressed one (`docs/operate/performance.md`). */
const ROW_BYTES = 199
const CHUNK_BYTES = 10
const ROW_DAYS = 7
const HISTORY_YEARS = 5
/** Each group is calculated once an hour, as if every time a whole month. */
const METERS_OF_GROUP = 10
const CHARTS_PER_METER_AND_DAY = 0.5
/** Roll-up and compression, as a part of the time of storing: an allowance, not measured on Citus. */
const BACKGROUND_PART = 1
const CORES_OF_NODE = 16
/** The part of the cores that is planned, so that a peak and the loss of a node find room. */
const UTILIZATION = 0.5
const EUR_PER_CORE_MONTH = 20
const EUR_PER_GB_MONTH = 0.1
const NODES = [1, 4, 16, 64]

const DAY_S = 86_400
const batchesPerS = METERS / (INTERVAL_MINUTES * 60) / BATCH_SAMPLES
const RATES = {
  'a batch of 48 samples': batchesPerS * (1 + BACKGROUND_PART),
  'a chart of three weeks read': (METERS * CHARTS_PER_METER_AND_DAY) / DAY_S,
  'a month of a group of 10 facilities calculated': METERS / METERS_OF_GROUP / 3600,
} as const

/** Cores that are busy all the time. */
const cores = (work: Work, timeOf: (times: Times) => number): number =>
  (RATES[work] * timeOf(timesOf(work))) / 1000
const sum = (timeOf: (times: Times) => number): number =>
  WORKS.reduce((total, work) => total + cores(work, timeOf), 0)

const ofWorkers = ({ workers }: Times): number => workers
const ofCoordinator = ({ coordinator }: Times): number => coordinator

const samplesPerDay = (METERS * DAY_S) / (INTERVAL_MINUTES * 60)
const STORAGE_GB = (samplesPerDay * (ROW_BYTES * ROW_DAYS + CHUNK_BYTES * 365 * HISTORY_YEARS)) / 1e9

const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
const million = (meters: number): string => number(meters / 1e6, 1)
/** The largest number of meters for which the planned part of the cores of a number of nodes is enough. */
const metersOf = (nodes: number, busyCores: number): number =>
  (METERS * nodes * CORES_OF_NODE * UTILIZATION) / busyCores

function nodeRow(nodes: number): string {
  const isAlone = nodes === 1
  const busy = isAlone ? sum(({ oneNode }) => oneNode) : sum(ofWorkers)
  const byWorkers = metersOf(nodes, busy)
  const byCoordinator = isAlone ? byWorkers : metersOf(1, sum(ofCoordinator))
  const servers = isAlone ? 1 : nodes + 1
  const price = servers * CORES_OF_NODE * EUR_PER_CORE_MONTH + STORAGE_GB * EUR_PER_GB_MONTH
  const cells = [
    number(nodes),
    number(busy / nodes, 1),
    million(byWorkers),
    isAlone ? '' : million(byCoordinator),
    million(Math.min(byWorkers, byCoordinator)),
    number(STORAGE_GB / nodes),
    number(price),
  ]
  return `| ${cells.join(' | ')} |`
}

const workRow = (work: Work): string => {
  const { plain, oneNode, coordinator, workers } = timesOf(work)
  const times = [plain, oneNode, coordinator, workers].map((time) => number(time, 2))
  const busy = [cores(work, ofWorkers), cores(work, ofCoordinator)].map((value) => number(value, 1))
  return `| ${[work, ...times, number(RATES[work]), ...busy].join(' | ')} |`
}

export const capacityDocument = (): string => `# Capacity of a distributed database

What ${number(METERS)} meters need on one node of Citus and on 4, 16 and 64 workers with a coordinator
([distribution](citus.md)). The tables are computed by \`tools/capacity-document.ts\` (\`npm run capacity\`) from measured
processor times and the assumptions below; they are a plan and no measurement of such an installation. The decision is ADR 0131.

## Assumptions

- ${number(METERS)} meters, a sample of 12 values every ${INTERVAL_MINUTES} minutes: ${number(samplesPerDay / DAY_S)} samples a second, in batches of ${BATCH_SAMPLES}. Larger batches
  cost less for each sample.
- A sample has ${ROW_BYTES} bytes as a row and ${CHUNK_BYTES} compressed ([performance](performance.md)). Samples are rows for ${ROW_DAYS} days and kept for
  ${HISTORY_YEARS} years.
- Groups of ${METERS_OF_GROUP} facilities with one meter each are calculated once an hour, each time as a whole month. That is more than
  the service does: it calculates the hours of the month that have passed.
- Each meter is looked at ${CHARTS_PER_METER_AND_DAY} times a day, as a chart of three weeks.
- Roll-up and compression are counted as ${BACKGROUND_PART} time the storing. This is an allowance; they were not measured on Citus.
- A node has ${CORES_OF_NODE} cores, of which ${number(UTILIZATION * 100)} % are planned. A core costs ${EUR_PER_CORE_MONTH} EUR and a GB ${number(EUR_PER_GB_MONTH, 2)} EUR a month; replicas and backups
  are not included.
- The plan cache of Citus is corrected (ADR 0167).
- Tenants are many and small compared with a node, so that shards are evenly loaded.

## Work

Processor time in milliseconds: on plain PostgreSQL, on one node, and of the coordinator and the workers of three nodes; and the
cores that the work keeps busy for all meters. The times of Citus are those of plain PostgreSQL multiplied by the ratio of
the mean times of two later runs on a slower machine ([performance](performance.md)).

| Work | Plain | One node | Coordinator | Workers | Times a second | Cores of workers | Cores of the coordinator |
|---|---|---|---|---|---|---|---|
${WORKS.map(workRow).join('\n')}

## Nodes

Busy cores for all meters on each node, and the largest number of meters, in millions, that the workers and the coordinator
can serve. The price is that of all servers for the storage of all meters.

| Workers | Busy cores of a node | Meters by workers | Meters by the coordinator | Meters | GB of a node | EUR a month |
|---|---|---|---|---|---|---|
${NODES.map(nodeRow).join('\n')}

One node is the coordinator as well. With several, the coordinator is a further server.

## What scales linearly, and what does not

*Linearly with the workers*: storage, the reads of tenants, which are sent to their node (ADR 0140), the execution of the
other statements of a tenant, compression and roll-up.

*Not at all*: the coordinator's part of writes and transactions, which are all sent to it. From the number of meters in the
column of the coordinator on, more workers add storage and memory, but no throughput. A larger coordinator moves this limit;
transactions on the workers would remove it, and need locks that are not those of one server (ADR 0140).

*Against the number of nodes or tenants*:

- Statements over all tenants (jobs, look-ups by old tokens) run on every shard; jobs go tenant by tenant.
- Reference tables (tenants, addresses, prices) are written on every node, in one transaction of two phases.
- A month is three partitions with a table for each shard.
- Connections: each process of the service has a pool at the coordinator, which opens as many to each worker, and one of its own
  for reads at each worker.
- Every node has to be up for the statements of the first two lines and for new partitions.
`
