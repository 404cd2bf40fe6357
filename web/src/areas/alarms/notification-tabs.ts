export const NOTIFICATION_TABS = [
  'inbox',
  'channels',
  'webhooks',
  'escalation',
  'maintenance',
  'mails',
] as const
export type NotificationTab = (typeof NOTIFICATION_TABS)[number]
