/** What is limited for each tenant. Days are Turkey-local. */
export const QUOTAS = ['devices', 'samples_per_day', 'storage_bytes', 'exports_per_day'] as const
export type QuotaName = (typeof QUOTAS)[number]
/** Null: unlimited. */
export type Quotas = Readonly<Record<QuotaName, number | null>>
/** What a superuser has set for a tenant; an absent quota has the default of the settings. */
export type QuotaOverrides = Readonly<Partial<Quotas>>

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'tenant_quota.quotas': QuotaOverrides
  }
}

export const effectiveQuotas = (defaults: Quotas, overrides: QuotaOverrides | undefined): Quotas => ({
  ...defaults,
  ...overrides,
})
