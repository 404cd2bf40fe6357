export { makeNotifier, type Notifier } from './delivery/notifier.ts'
export { clearNotifications } from './service.ts'
export { rotateChannelSecrets, rotateWebhookSecrets } from './webhooks/secrets.ts'
