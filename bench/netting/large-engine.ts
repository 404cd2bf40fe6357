import type { GroupDone, GroupTask } from '../support/compute-group.ts'
import { sized } from '../support/effort.ts'
import type { Bench, BenchOptions, Figure } from '../support/types.ts'
import { startWorker } from '../support/worker.ts'

/**
 * The engine of large groups in its thread, without a database, which would have to store 13 million rows for a month
 * of 10,000 facilities. Each size has a process of its own, whose memory is measured; the first size is the reference.
 */
const SIZES = [1_000, 10_000] as const
/** `--large` computes a month. */
const HOURS = sized(72, 12)
const HOURS_OF_MONTH = 744

interface Round extends GroupDone {
  readonly facilities: number
  readonly hours: number
}

async function measure(facilities: number, hours: number): Promise<Round> {
  const worker = startWorker('compute-group.ts')
  try {
    return { facilities, hours, ...(await worker.ask<GroupDone>({ facilities, hours } satisfies GroupTask)) }
  } finally {
    await worker.end()
  }
}

/** Processor time for a facility and hour, µs. */
const each = ({ cpuMs, facilities, hours }: Round) => (cpuMs * 1000) / facilities / hours
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

function figuresOf(round: Round, first: Round): Figure[] {
  const named = `${round.facilities} facilities`
  return [
    {
      name: `engine for ${round.hours} hours of ${named}, for each hour of one (${first.facilities} facilities)`,
      measured: `${each(round).toFixed(1)} µs, ${megabytes(round.rowBytes)} of rows`,
      against: `${each(first).toFixed(1)} µs`,
      ratio: each(round) / each(first),
      aim: '<= 1.2',
    },
    {
      name: `peak memory of the process, ${named} (${first.facilities} facilities)`,
      measured: megabytes(round.peakBytes),
      against: megabytes(first.peakBytes),
      ratio: round.peakBytes / first.peakBytes,
      aim: '',
    },
    {
      name: `longest wait of the event loop meanwhile, ${named} (50 ms)`,
      measured: `${round.blockedMs.toFixed(0)} ms`,
      against: '50 ms',
      ratio: round.blockedMs / 50,
      aim: '<= 1',
    },
  ]
}

export const largeEngineBench: Bench = {
  name: 'large-engine',
  async run({ isLarge }: BenchOptions) {
    const rounds: Round[] = []
    for (const size of SIZES) rounds.push(await measure(size, isLarge ? HOURS_OF_MONTH : HOURS))
    const [first, ...others] = rounds
    return first ? others.flatMap((round) => figuresOf(round, first)) : []
  },
}
