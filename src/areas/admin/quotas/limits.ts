/** Share of a quota from which the alarm tenant_quota_used is open. */
export const QUOTA_WARNING_SHARE = 0.8
/** Days for which the daily use of tenants is kept. */
export const QUOTA_DAYS_KEPT = 400
