export { NOTIFICATION_WORK } from './delivery/due-store.ts'
export { makeNotifier, type Notifier } from './delivery/notifier.ts'
export { rotateChannelSecrets, rotateWebhookSecrets } from './receivers/secrets.ts'
export { clearNotifications } from './service.ts'
