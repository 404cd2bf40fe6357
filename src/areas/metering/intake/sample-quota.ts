/**
 * The quota of samples: refuses the samples of a tenant that has used up its samples of the day, or its storage.
 *
 * Counting must not cost a statement for each sample. Each process counts the samples of a tenant in memory, and
 * every QUOTA_REFRESH_MS adds them to the counters of the day and reads the sums of all processes. So a tenant may
 * exceed its quota by what arrives in that time, and by the rest of one request; a process that is killed loses the
 * counts of that time, but no samples.
 *
 * On a distributed database the tenants of each node are written and read by statements of their own, one node after
 * the other. When a statement fails, only the counts of that node wait for the next run; a node that does not answer
 * delays the others until its statement fails.
 */
import { AppError } from '../../../kernel/errors.ts'
import { DAY_MS, dayStart, localDate } from '../../../kernel/time.ts'
import { byNode, byTenant } from '../../../platform/db/by-tenant.ts'
import type { TenantNodes } from '../../../platform/db/distribution/tenant-nodes.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  addSamples,
  effectiveQuotas,
  readSampleStates,
  type SampleCounts,
  secondsToNextDay,
} from '../../access/quotas/index.ts'
import { QUOTA_REFRESH_MS, QUOTA_TENANTS_MAX, STORAGE_QUOTA_RETRY_AFTER_S } from './limits.ts'
import { INTAKE_TEXTS } from './messages.ts'

type QuotaDeps = Pick<Deps, 'config' | 'clock' | 'database' | 'log'>

interface State {
  /** The day, as instants: they are compared for each message. */
  readonly from: number
  readonly to: number
  /** Samples that may still be stored on that day; Infinity without a quota. */
  remaining: number
  readonly isStorageExceeded: boolean
}

type Counts = { -readonly [Key in keyof SampleCounts]: SampleCounts[Key] }

export class SampleQuota {
  private readonly deps: QuotaDeps
  private readonly nodes: Pick<TenantNodes, 'nodeOf'>
  private readonly states = new Map<number, State>()
  private readonly pending = new Map<string, Counts>()
  /** Tenants with samples since the last run, whose state has to be read. */
  private readonly wanted = new Set<number>()
  private refreshing: Promise<void> | undefined
  private readonly timer: NodeJS.Timeout

  constructor(deps: QuotaDeps, nodes: Pick<TenantNodes, 'nodeOf'>) {
    this.deps = deps
    this.nodes = nodes
    this.timer = setInterval(() => void this.refresh(), QUOTA_REFRESH_MS).unref()
  }

  /** Reads the state of a tenant that is not known yet; undefined when it is. */
  ready(tenantId: number): Promise<void> | undefined {
    return this.current(tenantId) ? undefined : this.load(tenantId)
  }

  /** Whether the quota of a tenant is used up. As long as its state is unknown nothing is refused. */
  isExceeded(tenantId: number): boolean {
    this.wanted.add(tenantId)
    const state = this.current(tenantId)
    return state !== undefined && (state.isStorageExceeded || state.remaining <= 0)
  }

  /** The error for a tenant whose quota is used up. */
  refusal(tenantId: number): AppError {
    if (this.current(tenantId)?.isStorageExceeded)
      return new AppError(429, 'STORAGE_QUOTA_EXCEEDED', INTAKE_TEXTS.SAMPLE_STORAGE_EXCEEDED(), {
        retryAfterS: STORAGE_QUOTA_RETRY_AFTER_S,
      })
    return new AppError(429, 'SAMPLE_QUOTA_EXCEEDED', INTAKE_TEXTS.SAMPLE_QUOTA_EXCEEDED(), {
      retryAfterS: secondsToNextDay(this.deps.clock.now()),
    })
  }

  countStored(tenantId: number, count: number): void {
    this.countsOf(tenantId).stored += count
    const state = this.current(tenantId)
    if (state) state.remaining -= count
  }

  countRefused(tenantId: number, count: number): void {
    this.countsOf(tenantId).refused += count
  }

  /** Writes the counts and reads the states again; one run at a time. */
  refresh(): Promise<void> {
    this.refreshing ??= this.writeAndRead().finally(() => {
      this.refreshing = undefined
    })
    return this.refreshing
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.refreshing
    for (const part of byNode(this.takeCounts(), this.nodes)) await this.write(part)
  }

  private async load(tenantId: number): Promise<void> {
    this.wanted.add(tenantId)
    await this.refresh()
    // A run that had started before may not have read this tenant.
    if (!this.current(tenantId) && this.wanted.has(tenantId)) await this.refresh()
  }

  private current(tenantId: number): State | undefined {
    const state = this.states.get(tenantId)
    const now = this.deps.clock.now()
    return state && now >= state.from && now < state.to ? state : undefined
  }

  private countsOf(tenantId: number): Counts {
    const day = localDate(this.deps.clock.now())
    const key = `${tenantId} ${day}`
    let counts = this.pending.get(key)
    if (!counts) {
      counts = { tenantId, day, stored: 0, refused: 0 }
      this.pending.set(key, counts)
    }
    return counts
  }

  private async writeAndRead(): Promise<void> {
    const counts = new Map(byTenant(this.takeCounts()))
    for (const tenantId of counts.keys()) this.wanted.add(tenantId)
    const tenants = [...this.wanted].map((tenantId) => ({ tenantId, counts: counts.get(tenantId) ?? [] }))
    for (const part of byNode(tenants, this.nodes)) {
      const isWritten = await this.write(part.flatMap((tenant) => tenant.counts))
      if (isWritten) await this.read(part.slice(0, QUOTA_TENANTS_MAX).map(({ tenantId }) => tenantId))
    }
  }

  /** Removes and returns the counts that are not written yet. */
  private takeCounts(): Counts[] {
    const counts = [...this.pending.values()].filter(({ stored, refused }) => stored + refused > 0)
    this.pending.clear()
    return counts
  }

  /** False when the counts could not be written; they are kept for the next run. */
  private async write(counts: readonly Counts[]): Promise<boolean> {
    if (counts.length === 0) return true
    try {
      await addSamples({ db: this.deps.database.kysely }, counts)
      return true
    } catch (error) {
      for (const { tenantId, day, stored, refused } of counts) {
        const key = `${tenantId} ${day}`
        const later = this.pending.get(key) ?? { tenantId, day, stored: 0, refused: 0 }
        this.pending.set(key, { ...later, stored: later.stored + stored, refused: later.refused + refused })
      }
      this.deps.log.warn({ reason: (error as Error).message }, 'the counts of samples were not written')
      return false
    }
  }

  private async read(tenantIds: readonly number[]): Promise<void> {
    const { clock, config, database, log } = this.deps
    const day = localDate(clock.now())
    const from = dayStart(day)
    for (const tenantId of tenantIds) this.wanted.delete(tenantId)
    try {
      const rows = await readSampleStates({ db: database.kysely }, { tenantIds, day })
      if (this.states.size + rows.length > QUOTA_TENANTS_MAX) this.states.clear()
      for (const { tenant_id, quotas, samples, bytes } of rows) {
        const limits = effectiveQuotas(config.quotas, quotas ?? undefined)
        // Samples that were stored while this statement ran are not in its sum.
        const unwritten = this.pending.get(`${tenant_id} ${day}`)?.stored ?? 0
        this.states.set(tenant_id, {
          from,
          to: from + DAY_MS,
          remaining: (limits.samples_per_day ?? Number.POSITIVE_INFINITY) - Number(samples) - unwritten,
          isStorageExceeded: limits.storage_bytes !== null && Number(bytes) >= limits.storage_bytes,
        })
      }
    } catch (error) {
      for (const tenantId of tenantIds) this.wanted.add(tenantId)
      log.warn({ reason: (error as Error).message }, 'the quotas of samples were not read')
    }
  }
}
